// A task: how a sample is made and what the right answer is. One file per task family; the registry
// lists them (docs/adding-a-task.md).
//
//   TRY(const Task* task, find_task("niah_multikey_1"));
//   TRY(const auto parameters, Parameters::resolve("niah_multikey_1", task->info().parameters,
//   {})); TRY(Draft draft, task->draft({parameters, corpora, wording, key, index, length}));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "corpus/corpora.h"
#include "task/context.h"
#include "task/metric.h"
#include "task/parameters.h"
#include "task/wording.h"

namespace fathom {

struct TaskInfo {
  std::string name;               // "niah_single_1"
  std::string family;             // "niah": tasks made by one file
  std::string description;        // one line, for `fathom tasks`
  std::vector<std::string> spec;  // requirement ids: "T1"
  std::vector<ParameterSpec> parameters;
  Metric metric = Metric::kStringMatchAll;
  std::string corpus;            // corpora that the user must give: "squad"; empty: none
  bool entity_sets = false;      // names, keys and words can be drawn anew while all else stays
  bool places_evidence = false;  // TaskInputs::evidence_last can move it
  // The parameter that counts the hops after the first of a chain whose hops can be asked for one
  // by one (TaskInputs::hop); empty: no chain.
  std::string hops;
  std::vector<WordingSpec> texts;
  std::vector<WordingListSpec> text_lists;
};

// What a draft is made from. References must outlive the draft.
struct TaskInputs {
  const Parameters& parameters;
  const Corpora& corpora;
  const Wording& wording;
  RandomKey key;       // of (seed, task, parameters, index): all content is drawn from it
  RandomKey cell_key;  // of (seed, task, parameters), for content that several samples share
  int64_t index = 0;
  int64_t length = 0;      // target tokens; only for settings that a task declares to depend on it
  int64_t entity_set = 0;  // which draw of names, keys and words (S8); 0: the sample's own

  bool evidence_last = false;       // evidence stands at the end of the context
  std::optional<int64_t> hop = {};  // ask for this hop of the chain alone

  // What names, keys, values and words are drawn from.
  [[nodiscard]] RandomKey entities() const {
    return entity_set == 0 ? key : key.with("entities").with(static_cast<uint64_t>(entity_set));
  }
};

// A sample before its length is fitted. The user's text is before + context + after.
struct Draft {
  std::string before;                             // demonstration and instruction
  std::string after;                              // question
  std::unique_ptr<const GrowingContext> context;  // never null
  std::string question;                           // alone, for people
  std::string answer_prefix;                      // no white space at its ends
  std::vector<std::string> references;
  int64_t reserve = 0;   // tokens kept for the answer
  std::string haystack;  // Sample::haystack
  std::vector<std::string> notes;
};

// Immutable, thread-safe.
class Task {
 public:
  virtual ~Task() = default;
  [[nodiscard]] virtual const TaskInfo& info() const = 0;
  // The same inputs give the same draft; evidence, question and references do not depend on the
  // length. Errors: kInput for parameters that contradict each other or a corpus that is missing or
  // too small.
  [[nodiscard]] virtual Result<Draft> draft(const TaskInputs& inputs) const = 0;
};

// All tasks, in the order in which `fathom tasks` lists them.
[[nodiscard]] const std::vector<const Task*>& tasks();
// Errors: kUsage naming the nearest task.
[[nodiscard]] Result<const Task*> find_task(std::string_view name);

}  // namespace fathom

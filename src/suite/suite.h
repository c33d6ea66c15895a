// What to test: tasks with parameters, at which lengths, how many samples, with which text. From a
// YAML file, an embedded name, and flags. File form: docs/formats/suite.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/parameters.h"
#include "task/variant.h"

namespace fathom {

enum class LengthCounts {
  kPromptAndReserve,
  kPrompt,
  kContext
};  // what a sample's length counts (G1); the first is RULER's
[[nodiscard]] const char* to_text(LengthCounts counts);  // "prompt+reserve", "prompt", "context"
[[nodiscard]] Result<LengthCounts> length_counts_from_text(std::string_view text);

// One row of the suite: a task with parameters (after sweeps were unrolled).
struct SuiteTask {
  std::string name;                                  // registered task name, e.g. "niah_multikey_1"
  std::string cell;                                  // name, or name[swept=values]
  std::map<std::string, ParameterValue> parameters;  // only what differs from the task's defaults
  std::vector<int64_t> lengths;                      // overrides the suite's where not empty; {0}
                                                     // for a control, which has none
  int64_t samples = 0;                               // overrides the suite's where not 0
  SampleVariant variant;                             // control or robustness variant of another row
  int64_t control_of = 0;  // of a control: the length whose settings it takes, the shortest of its
                           // ordinary cell

  bool operator==(const SuiteTask&) const = default;
};

struct Suite {
  std::string name;
  int64_t version = 1;
  std::vector<SuiteTask> tasks;
  std::vector<int64_t> lengths;
  int64_t samples = 0;
  uint64_t seed = 42;
  LengthCounts length_counts = LengthCounts::kPromptAndReserve;
  std::string wording = "fathom";      // template pack: an embedded name or a file
  std::string chat_template = "none";  // or "model" (its own), "auto" (its own, else none), a file
  bool answer_prefix = true;           // give the model the start of the answer (G9)
  std::map<std::string, std::string>
      corpora;  // "essay" → folder, "squad" → file, "hotpotqa" → file …; missing: fathom's own
  std::map<std::string, std::string> variant_wordings;  // packs of the rows that are variants of
                                                        // wording or instruction: name → source
  std::vector<std::string> notes;  // what loading changed, for people: "qa_1 needs corpus 'squad':
                                   // replaced by …"; not part of the identity

  // All that decides the samples but the texts (wording, template, corpora: those count by content,
  // see Recipe) as one canonical text: equal suites give equal texts however they were written.
  [[nodiscard]] std::string canonical() const;
  [[nodiscard]] std::string hash() const;  // of canonical()

  bool operator==(const Suite&) const = default;
};

// The tasks that a suite may name, with the parameters each declares. The registry in task/ fills
// one; tests make their own.
struct TaskCatalog {
  std::vector<std::string> names;
  std::function<const std::vector<ParameterSpec>*(const std::string& name)>
      parameters;  // nullptr: no such task
  // As TaskInfo has them; false and empty for a task that is not there.
  std::function<bool(const std::string& name)> entity_sets;
  std::function<bool(const std::string& name)> places_evidence;
  std::function<std::string(const std::string& name)> hops;
};

// The tasks registered in the program.
[[nodiscard]] const TaskCatalog& registered_tasks();

// What flags put in place of the file's values; unset: as in the file.
struct SuiteOverrides {
  std::vector<std::string> tasks;  // names or cells to keep; a registered task that the suite lacks
                                   // is added with its defaults
  std::vector<int64_t> lengths;    // replaces the suite's and every task's own
  std::optional<int64_t> samples;  // likewise
  std::optional<uint64_t> seed;
  std::optional<LengthCounts> length_counts;
  std::optional<std::string> wording;
  std::optional<std::string> chat_template;
  std::optional<bool> answer_prefix;
  std::map<std::string, std::string> corpora;        // added to the file's
  std::optional<std::vector<std::string>> controls;  // in place of the file's; empty: none
};

// `name_or_path`: an embedded suite ("ruler"), or a YAML file. Sweeps are unrolled, tasks whose
// corpus is missing are replaced as the file's `without` says (with a note). Relative corpus,
// wording and template paths count from the file's folder. Errors: kInput "FILE:LINE:COLUMN: …"
// with the nearest valid key or name; kUsage where a flag is at fault.
[[nodiscard]] Result<Suite> load_suite(const std::string& name_or_path,
                                       const SuiteOverrides& overrides,
                                       const TaskCatalog& catalog = registered_tasks());
[[nodiscard]] Result<Suite> parse_suite(std::string_view yaml, const std::string& where,
                                        const SuiteOverrides& overrides,
                                        const TaskCatalog& catalog = registered_tasks());

// Lengths as flags give them: "4096,8k", "4k..128k" (doubling), "4k..6k+512" (steps). k = 1024, m =
// 1024². Errors: kUsage.
[[nodiscard]] Result<std::vector<int64_t>> parse_lengths(std::string_view text);

// The names of the suites that travel with the program.
[[nodiscard]] std::vector<std::string> embedded_suites();

// Which sample of a suite.
struct SampleSlot {
  size_t task = 0;     // in Suite::tasks
  int64_t length = 0;  // tokens; 0: a control
  int64_t index = 0;

  bool operator==(const SampleSlot&) const = default;
};

// All samples of a suite in the order of every dataset and run: by length, then task (as in the
// suite), then index.
[[nodiscard]] std::vector<SampleSlot> suite_slots(const Suite& suite);

// "niah_single_1:4096:0"; the id of the sample made for a slot.
[[nodiscard]] std::string slot_id(const Suite& suite, const SampleSlot& slot);

}  // namespace fathom

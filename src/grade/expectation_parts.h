// What expectation_of() gathers for each form of answer; internal to grade/.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grade/expectation.h"
#include "task/sample.h"

namespace fathom {

// The texts of a sample that parts are read from; views live as long as `full`.
struct SampleText {
  const Sample& sample;
  std::string full;          // Sample::full_text()
  std::string_view context;  // the haystack with its evidence
  std::string_view before;   // of the user's message, what stands before the context: the
                             // instruction, and the solved example where there is one
  [[nodiscard]] std::string_view text(ByteSpan span) const;  // empty where it is not inside `full`
};

// Decoys within the budget of a sample: adding fails once it is spent. Texts that are references,
// or listed already, are passed over.
class DecoyList {
 public:
  DecoyList(const Sample& sample, Expectation& expectation);
  // False where the budget did not allow it: expectation.all_decoys is then false too.
  bool add(Decoy decoy);

 private:
  Expectation& expectation_;
  std::set<std::string> taken_;  // in lower case
  size_t bytes_ = 0;
};

// Each fills its form's fields. The order of the decoys is that of their nearness to the evidence,
// or of the text.
void expect_values(const SampleText& text, Expectation& expectation);
void expect_chain(const SampleText& text, Expectation& expectation);
void expect_words(const SampleText& text, Expectation& expectation);
void expect_set(const SampleText& text, Expectation& expectation);
void expect_documents(const SampleText& text, Expectation& expectation);

// The items of the solved examples' answers in `before`: paragraphs that close with as many
// different words as there are references, of the references' shape where they have one, each of
// which stands elsewhere in `before` and once in its paragraph. The instruction, which comes with
// each example and with the task, is none.
[[nodiscard]] std::vector<std::string> demonstrated_items(
    std::string_view before, const std::vector<std::string>& references);

}  // namespace fathom

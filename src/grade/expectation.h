// What a grader knows of a sample beside its metric and references: which other answers the text
// offers, and how they come about. Made while the prompt is at hand and kept with the sample's
// facts, so that grading needs no prompt: it stays within about two kilobytes a sample.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grade/text_filter.h"
#include "task/sample.h"

namespace fathom {

// What an answer is made of; it decides what counts as wrong beside what is right.
enum class AnswerForm {
  kPlain,      // nothing is known beyond the references
  kValues,     // values of keys (niah)
  kChain,      // the variables of a chain (vt)
  kWords,      // the most frequent words (cwe, fwe)
  kSet,        // the words of an intersection
  kDocuments,  // an answer out of documents (qa)
};
[[nodiscard]] std::string_view to_text(AnswerForm form);  // "plain", "values" …
[[nodiscard]] Result<AnswerForm> answer_form_from_text(std::string_view text);
// By the name of a task: "niah_…", "vt", "cwe", "fwe", "qa_…", "set_intersection"; else kPlain.
[[nodiscard]] AnswerForm answer_form_of(std::string_view task);

enum class DecoyKind {
  kOtherValue,     // a value that is not asked for; `of`: its key, empty where there is none
  kOtherChain,     // a variable of another chain; `of`: the value of that chain
  kDemonstration,  // of the solved example's answer
  kPartOfLists,    // a word of some lists; `of`: the lists that lack it, "2" or "2, 3"
  kFrequent,       // a frequent word that is not among the most frequent; `of`: where it stands
  kTitle,          // the title of a document; `of`: its number
};
[[nodiscard]] std::string_view to_text(DecoyKind kind);  // "other-value", "demonstration" …
[[nodiscard]] Result<DecoyKind> decoy_kind_from_text(std::string_view text);

// A wrong answer that the prompt suggests.
struct Decoy {
  std::string text;
  DecoyKind kind = DecoyKind::kOtherValue;
  std::string of = {};
  bool operator==(const Decoy&) const = default;
};

inline constexpr size_t kMostDecoys = 64;

struct Expectation {
  AnswerForm form = AnswerForm::kPlain;
  // The key of each reference (kValues), or the words of the question (kDocuments), which an answer
  // may repeat; empty where they are not known.
  std::vector<std::string> keys = {};
  // References in the order of a chain's hops are in that order already; nothing is kept for them.
  std::vector<Decoy> decoys = {};
  // All decoys of the text are listed (false: those nearest to the evidence).
  bool all_decoys = true;
  // The sentences beside the evidence; in documents those with the evidence too, which come first.
  std::vector<std::string> neighbours = {};
  // The start of the instruction, to know a repeated prompt by.
  std::string opening = {};
  // What else the text holds: values (kValues), words (kWords), names (kDocuments). Without
  // entries: not kept.
  TextFilter text = {};
  // `text` has all words of the documents, not their names and numbers alone (kDocuments).
  bool every_word = false;

  bool operator==(const Expectation&) const = default;
};

// Deterministic; O(n log n) in the bytes of the prompt.
[[nodiscard]] Expectation expectation_of(const Sample& sample);

}  // namespace fathom

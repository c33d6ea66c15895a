#include "grade/expectation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grade/expectation_parts.h"
#include "grade/python_text.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr size_t kLongestOpening = 80;  // bytes, as the next
constexpr size_t kLongestNeighbour = 160;
constexpr size_t kMostNeighbours = 4;
constexpr size_t kReach = 600;  // how far from the evidence a neighbour is looked for
constexpr size_t kMostDecoyBytes = 1400;

constexpr std::array<std::pair<AnswerForm, std::string_view>, 6> kForms = {{
    {AnswerForm::kPlain, "plain"},
    {AnswerForm::kValues, "values"},
    {AnswerForm::kChain, "chain"},
    {AnswerForm::kWords, "words"},
    {AnswerForm::kSet, "set"},
    {AnswerForm::kDocuments, "documents"},
}};

constexpr std::array<std::pair<DecoyKind, std::string_view>, 6> kDecoyKinds = {{
    {DecoyKind::kOtherValue, "other-value"},
    {DecoyKind::kOtherChain, "other-chain"},
    {DecoyKind::kDemonstration, "demonstration"},
    {DecoyKind::kPartOfLists, "part-of-lists"},
    {DecoyKind::kFrequent, "frequent"},
    {DecoyKind::kTitle, "title"},
}};

template <typename Names, typename Value>
std::string_view name_of(const Names& names, Value value) {
  for (const auto& [each, name] : names)
    if (each == value) return name;
  return "";  // not reached: the tables hold every value
}

template <typename Value, typename Names>
Result<Value> value_named(const Names& names, std::string_view text, std::string_view what) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return fail(ErrorCode::kInput, "unknown {} '{}'; there are: {}", what, text, known);
}

// At most `bytes` bytes of whole characters.
std::string cut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return std::string(text.substr(0, bytes));
}

AnswerForm form_of(const Sample& sample) {
  // A probe of a chain has a value for an answer, not the chain's variables.
  if (sample.variant.axis == VariantAxis::kHop) return AnswerForm::kPlain;
  for (const Evidence& evidence : sample.evidence) {
    if (evidence.role == "needle") return AnswerForm::kValues;
    if (evidence.role == "hop") return AnswerForm::kChain;
    if (evidence.role == "common word" || evidence.role == "frequent word")
      return AnswerForm::kWords;
    if (evidence.role == "list") return AnswerForm::kSet;
    if (evidence.role == "gold document") return AnswerForm::kDocuments;
  }
  return answer_form_of(sample.task);
}

std::string opening_of(std::string_view before) {
  before = python_strip(before);
  return cut(before.substr(0, before.find('\n')), kLongestOpening);
}

void add_neighbour(std::string_view sentence, Expectation& expectation) {
  std::string text = cut(sentence, kLongestNeighbour);
  std::vector<std::string>& all = expectation.neighbours;
  if (text.empty() || all.size() == kMostNeighbours) return;
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

// The sentences on both sides of each piece of evidence.
void add_neighbours(const SampleText& text, Expectation& expectation) {
  const ByteSpan context = text.sample.context;
  for (const Evidence& evidence : text.sample.evidence) {
    if (evidence.distractor || text.text(evidence.bytes).empty()) continue;
    const uint64_t from = std::max<uint64_t>(
        context.begin, evidence.bytes.begin > kReach ? evidence.bytes.begin - kReach : 0);
    std::string_view before = text.text({from, evidence.bytes.begin});
    before = python_strip(before);
    if (const size_t line = before.rfind('\n'); line != std::string_view::npos)
      before.remove_prefix(line + 1);
    const std::vector<ByteSpan> left = split_sentences(before);
    if (!left.empty()) {
      const ByteSpan last = left.back();
      add_neighbour(before.substr(last.begin, last.end - last.begin), expectation);
    }
    const uint64_t to = std::min<uint64_t>(context.end, evidence.bytes.end + kReach);
    std::string_view after = text.text({evidence.bytes.end, to});
    after = python_strip(after);
    after = after.substr(0, after.find('\n'));
    const std::vector<ByteSpan> right = split_sentences(after);
    if (!right.empty()) {
      const ByteSpan first = right.front();
      add_neighbour(after.substr(first.begin, first.end - first.begin), expectation);
    }
  }
}

}  // namespace

std::string_view to_text(AnswerForm form) { return name_of(kForms, form); }
std::string_view to_text(DecoyKind kind) { return name_of(kDecoyKinds, kind); }

Result<AnswerForm> answer_form_from_text(std::string_view text) {
  return value_named<AnswerForm>(kForms, text, "form of answer");
}

Result<DecoyKind> decoy_kind_from_text(std::string_view text) {
  return value_named<DecoyKind>(kDecoyKinds, text, "kind of decoy");
}

AnswerForm answer_form_of(std::string_view task) {
  constexpr std::array<std::pair<std::string_view, AnswerForm>, 6> kTasks = {{
      {"niah", AnswerForm::kValues},
      {"vt", AnswerForm::kChain},
      {"cwe", AnswerForm::kWords},
      {"fwe", AnswerForm::kWords},
      {"qa", AnswerForm::kDocuments},
      {"set_intersection", AnswerForm::kSet},
  }};
  for (const auto& [start, form] : kTasks)
    if (task.starts_with(start)) return form;
  return AnswerForm::kPlain;
}

std::string_view SampleText::text(ByteSpan span) const {
  if (span.begin >= span.end || span.end > full.size()) return {};
  return std::string_view(full).substr(span.begin, span.end - span.begin);
}

DecoyList::DecoyList(const Sample& sample, Expectation& expectation) : expectation_(expectation) {
  for (const std::string& reference : sample.references) taken_.insert(python_lower(reference));
}

bool DecoyList::add(Decoy decoy) {
  std::string lowered = python_lower(decoy.text);
  if (lowered.empty() || taken_.contains(lowered)) return true;
  const size_t bytes = decoy.text.size() + decoy.of.size();
  if (expectation_.decoys.size() == kMostDecoys || bytes_ + bytes > kMostDecoyBytes) {
    expectation_.all_decoys = false;
    return false;
  }
  bytes_ += bytes;
  taken_.insert(std::move(lowered));
  expectation_.decoys.push_back(std::move(decoy));
  return true;
}

Expectation expectation_of(const Sample& sample) {
  SampleText text{sample, sample.full_text(), {}, {}};
  text.context = text.text(sample.context);
  for (const SampleMessage& message : sample.messages) {
    const bool around = message.role == MessageRole::kUser &&
                        message.bytes.begin <= sample.context.begin &&
                        sample.context.begin <= message.bytes.end;
    if (around) text.before = text.text({message.bytes.begin, sample.context.begin});
  }
  Expectation expectation;
  expectation.form = form_of(sample);
  expectation.opening = opening_of(text.before);
  switch (expectation.form) {
    case AnswerForm::kValues:
      expect_values(text, expectation);
      add_neighbours(text, expectation);
      break;
    case AnswerForm::kChain:
      expect_chain(text, expectation);
      break;
    case AnswerForm::kWords:
      expect_words(text, expectation);
      break;
    case AnswerForm::kSet:
      expect_set(text, expectation);
      break;
    case AnswerForm::kDocuments:
      expect_documents(text, expectation);
      break;
    case AnswerForm::kPlain:
      break;
  }
  return expectation;
}

}  // namespace fathom

// Other needles, and whose values they are.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "grade/expectation_parts.h"
#include "grade/python_text.h"
#include "grade/value_shape.h"
#include "text/lines.h"

namespace fathom {
namespace {

constexpr size_t kNearLines = 12;  // of a haystack of needles, on each side of the evidence
constexpr size_t kEndLines = 4;    // at its start and its end

// A needle's sentence around its key and value.
struct NeedleForm {
  std::string before_key;
  std::string between;
  std::string after_value;
};

struct NeedleParts {
  std::string_view key;
  std::string_view value;
};

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

struct SplitNeedle {
  std::string_view head;  // before the value
  std::string_view value;
  std::string_view tail;
};

// What two sentences of one form have in common, up to whole words.
std::optional<NeedleForm> form_of(const SplitNeedle& a, const SplitNeedle& b) {
  if (a.head == b.head || a.tail != b.tail) return std::nullopt;
  const size_t shorter = std::min(a.head.size(), b.head.size());
  size_t start = 0;
  while (start < shorter && a.head[start] == b.head[start]) ++start;
  while (start > 0 && !is_blank(a.head[start - 1])) --start;
  size_t end = 0;
  while (end < shorter - start &&
         a.head[a.head.size() - 1 - end] == b.head[b.head.size() - 1 - end])
    ++end;
  while (end > 0 && !is_blank(a.head[a.head.size() - end])) --end;
  if (end == 0) return std::nullopt;
  return NeedleForm{std::string(a.head.substr(0, start)),
                    std::string(a.head.substr(a.head.size() - end)), std::string(a.tail)};
}

std::optional<NeedleParts> parts_of(std::string_view sentence, const NeedleForm& form) {
  if (sentence.size() < form.before_key.size() + form.after_value.size()) return std::nullopt;
  if (!sentence.starts_with(form.before_key) || !sentence.ends_with(form.after_value))
    return std::nullopt;
  sentence.remove_prefix(form.before_key.size());
  sentence.remove_suffix(form.after_value.size());
  const size_t at = sentence.rfind(form.between);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  return NeedleParts{sentence.substr(0, at), sentence.substr(at + form.between.size())};
}

SplitNeedle split(const SampleText& text, const Evidence& evidence) {
  const ByteSpan all = evidence.bytes;
  const ByteSpan value = evidence.answer_bytes;
  return {text.text({all.begin, value.begin}), text.text(value), text.text({value.end, all.end})};
}

class ValueExpectation {
 public:
  ValueExpectation(const SampleText& text, Expectation& expectation)
      : text_(text), expectation_(expectation), decoys_(text.sample, expectation) {
    for (const Evidence& evidence : text.sample.evidence) {
      const bool whole = evidence.role == "needle" && !text.text(evidence.answer_bytes).empty() &&
                         evidence.answer_bytes.begin >= evidence.bytes.begin &&
                         evidence.answer_bytes.end <= evidence.bytes.end;
      if (whole) needles_.push_back(&evidence);
    }
  }

  void fill() {
    learn_form();
    name_keys();
    for (const Evidence* needle : needles_)
      if (needle->distractor) add(std::string(text_.text(needle->answer_bytes)), key_of(*needle));
    add_lines();
    add_stray_values();
  }

 private:
  // From two needles of different keys, or from a needle and a line of the same make.
  void learn_form() {
    for (size_t i = 1; i < needles_.size() && !form_; ++i)
      form_ = form_of(split(text_, *needles_[0]), split(text_, *needles_[i]));
    if (form_ || needles_.empty()) return;
    const SplitNeedle own = split(text_, *needles_[0]);
    const ValueShape shape = shape_of(text_.sample.references);
    if (shape.kind == ShapeKind::kNone) return;
    for (const std::string_view line : split_lines(text_.context)) {
      const std::vector<ByteSpan> values = values_of(line, shape);
      if (values.empty()) continue;
      const ByteSpan last = values.back();
      const SplitNeedle other = {line.substr(0, last.begin),
                                 line.substr(last.begin, last.end - last.begin),
                                 line.substr(last.end)};
      form_ = form_of(own, other);
      if (form_) return;
    }
  }

  [[nodiscard]] std::string key_of(const Evidence& needle) const {
    if (!form_) return {};
    const auto parts = parts_of(text_.text(needle.bytes), *form_);
    return parts ? std::string(parts->key) : std::string();
  }

  // The key of each reference; where the form is not known, a key in the question that looks like
  // the values, since an answer may name it too.
  void name_keys() {
    const std::vector<std::string>& references = text_.sample.references;
    std::vector<std::string> keys;
    for (const std::string& reference : references) {
      const auto needle = std::find_if(needles_.begin(), needles_.end(), [&](const Evidence* each) {
        return !each->distractor && text_.text(each->answer_bytes) == reference;
      });
      keys.push_back(needle == needles_.end() ? std::string() : key_of(**needle));
    }
    if (std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.empty(); })) {
      keys.clear();
      const std::string_view question = text_.sample.question;
      for (const ByteSpan& span : values_of(question, shape_of(references)))
        keys.emplace_back(question.substr(span.begin, span.end - span.begin));
    }
    expectation_.keys = std::move(keys);
  }

  void add(std::string value, std::string key) {
    if (values_.insert(python_lower(value)).second)
      decoys_.add({std::move(value), DecoyKind::kOtherValue, std::move(key)});
  }

  // The lines of a haystack that is made of needles: the nearest to the evidence first, then those
  // at both ends, then all.
  void add_lines() {
    if (!form_) return;
    std::vector<NeedleParts> lines;
    size_t own = 0;
    for (const std::string_view line : split_lines(text_.context)) {
      const auto parts = parts_of(line, *form_);
      if (!parts || !looks_like_a_needle(*parts)) continue;
      keys_.insert(python_lower(parts->key));
      if (parts->value == text_.sample.references.front()) own = lines.size();
      lines.push_back(*parts);
    }
    if (lines.empty()) return;
    std::vector<size_t> order;
    for (size_t away = 1; away <= kNearLines; ++away) {
      if (own >= away) order.push_back(own - away);
      if (own + away < lines.size()) order.push_back(own + away);
    }
    for (size_t i = 0; i < std::min(kEndLines, lines.size()); ++i) {
      order.push_back(i);
      order.push_back(lines.size() - 1 - i);
    }
    for (size_t i = 0; i < lines.size(); ++i) order.push_back(i);
    for (const size_t line : order)
      add(std::string(lines[line].value), std::string(lines[line].key));
  }

  // A line of prose may begin and end like a needle.
  [[nodiscard]] bool looks_like_a_needle(const NeedleParts& parts) const {
    constexpr size_t kLongestKey = 80;
    const ValueShape shape = shape_of(text_.sample.references);
    const bool is_value = shape.kind == ShapeKind::kNone
                              ? parts.value.find(' ') == std::string_view::npos
                              : has_shape(parts.value, shape);
    return is_value && parts.key.size() <= kLongestKey;
  }

  // Values of the same shape that are no needle's, and the list of all of them.
  void add_stray_values() {
    const ValueShape shape = shape_of(text_.sample.references);
    if (shape.kind == ShapeKind::kNone) {
      expectation_.all_decoys = false;  // values that look like prose cannot be listed
      return;
    }
    for (const std::string& key : expectation_.keys) keys_.insert(python_lower(key));
    for (const ByteSpan& span : values_of(text_.context, shape)) {
      std::string value(text_.context.substr(span.begin, span.end - span.begin));
      if (!keys_.contains(python_lower(value))) add(std::move(value), {});
    }
    if (expectation_.all_decoys) return;
    std::vector<std::string> all(values_.begin(), values_.end());
    all.insert(all.end(), keys_.begin(), keys_.end());
    expectation_.text = TextFilter::of(all);
  }

  const SampleText& text_;
  Expectation& expectation_;
  DecoyList decoys_;
  std::vector<const Evidence*> needles_;
  std::optional<NeedleForm> form_;
  std::unordered_set<std::string> values_;  // in lower case
  std::unordered_set<std::string> keys_;    // of needles, likewise
};

}  // namespace

void expect_values(const SampleText& text, Expectation& expectation) {
  if (text.sample.references.empty()) return;
  ValueExpectation(text, expectation).fill();
}

}  // namespace fathom

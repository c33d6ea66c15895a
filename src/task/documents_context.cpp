#include "task/documents_context.h"

#include <algorithm>
#include <utility>

namespace fathom {
namespace {

constexpr size_t kSentenceClosers = 96;
constexpr std::string_view kBetween = "\n\n";

class DocumentsContext : public GrowingContext {
 public:
  explicit DocumentsContext(DocumentsPlan plan) : plan_(std::move(plan)) {
    for (const DocumentId id : plan_.spare) {
      const Document& document = plan_.set->documents()[id];
      for (const ByteSpan& span : document.sentences) {
        if (closers_.size() == kSentenceClosers) break;
        std::string sentence = document.text.substr(span.begin, span.end - span.begin);
        if (sentence.size() < 8 || sentence.find('\n') != std::string::npos) continue;
        closers_.push_back(std::move(sentence));
      }
    }
    own_closers_ = closers_.size();
    const std::vector<std::string>& neutral = plan_.wording->list("filler.closers");
    closers_.insert(closers_.end(), neutral.begin(), neutral.end());
  }

  void append_unit(size_t unit, std::string& out) const override {
    out += kBetween;
    append_document(unit + plan_.question->gold.size() + 1, distractor(unit), out);
  }
  size_t closers() const override { return closers_.size(); }
  size_t preferred_closers() const override { return own_closers_; }
  void append_closer(size_t closer, size_t, std::string& out) const override {
    (out += ' ') += closers_[closer];
  }

  Result<BuiltContext> build(const ContextSize& size, double bytes_per_token) const override {
    BuiltContext built;
    const std::vector<size_t> golds = golds_by_joint(size.units, bytes_per_token);
    size_t number = 0;
    size_t next = 0;
    for (size_t joint = 0; joint <= size.units; ++joint) {
      for (; next < golds.size() && joints_[golds[next]] == joint; ++next) {
        append_gold(++number, golds[next], built);
      }
      if (joint == size.units) break;
      if (!built.text.empty()) built.text += kBetween;
      append_document(++number, distractor(joint), built.text);
      if (joint + 1 == size.units) append_closers(size, built.text);
    }
    if (size.units == 0 && !size.closers.empty()) append_closing_document(++number, size, built);
    const size_t repeats = size.units == 0 ? 0 : (size.units - 1) / plan_.distractors.size();
    if (repeats > 0) {
      built.notes.push_back(
          fmt::format("documents repeated {} {}", repeats, repeats == 1 ? "time" : "times"));
    }
    return built;
  }

 private:
  const Document& distractor(size_t unit) const {
    return plan_.set->documents()[plan_.distractors[unit % plan_.distractors.size()]];
  }

  [[nodiscard]] std::string body(const Document& document) const {
    return plan_.titles ? document.title + "\n" + document.text : document.text;
  }

  void append_document(size_t number, const Document& document, std::string& out) const {
    out += plan_.wording->text("qa.document",
                               {{"number", std::to_string(number)}, {"text", body(document)}});
  }

  // The gold documents in the order of the text; fills joints_.
  std::vector<size_t> golds_by_joint(size_t units, double bytes_per_token) const {
    std::vector<size_t> ends;
    size_t bytes = 0;
    for (size_t unit = 0; unit < units; ++unit) {
      const Document& document = distractor(unit);
      bytes += document.text.size() + (plan_.titles ? document.title.size() + 1 : 0);
      ends.push_back(bytes);
    }
    std::vector<size_t> order;
    joints_.clear();
    for (size_t gold = 0; gold < plan_.question->gold.size(); ++gold) {
      joints_.push_back(joint_of(plan_.places[gold], ends, bytes_per_token));
      order.push_back(gold);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if (joints_[a] != joints_[b]) return joints_[a] < joints_[b];
      return plan_.places[a].comes_before(plan_.places[b]);
    });
    return order;
  }

  void append_gold(size_t number, size_t gold, BuiltContext& built) const {
    const DocumentId id = plan_.question->gold[gold];
    const Document& document = plan_.set->documents()[id];
    if (!built.text.empty()) built.text += kBetween;
    const uint64_t begin = built.text.size();
    append_document(number, document, built.text);
    const uint64_t text = built.text.rfind(document.text);

    Evidence whole;
    whole.role = "gold document";
    whole.order = static_cast<int>(gold);
    whole.bytes = {begin, built.text.size()};
    for (const DocumentSpan& answer : plan_.question->answer_spans) {
      if (answer.document != id) continue;
      whole.answer_bytes = {text + answer.bytes.begin, text + answer.bytes.end};
      break;
    }
    built.evidence.push_back(std::move(whole));
    int order = 0;
    for (const DocumentSpan& support : plan_.question->support) {
      if (support.document == id) {
        Evidence sentence;
        sentence.role = "support";
        sentence.order = order;
        sentence.bytes = {text + support.bytes.begin, text + support.bytes.end};
        built.evidence.push_back(std::move(sentence));
      }
      ++order;
    }
  }

  void append_closers(const ContextSize& size, std::string& out) const {
    for (const size_t closer : size.closers) append_closer(closer, size.units, out);
  }

  void append_closing_document(size_t number, const ContextSize& size, BuiltContext& built) const {
    std::string text;
    append_closers(size, text);
    built.text += kBetween;
    built.text += plan_.wording->text(
        "qa.document", {{"number", std::to_string(number)}, {"text", text.substr(1)}});
  }

  DocumentsPlan plan_;
  std::vector<std::string> closers_;
  size_t own_closers_ = 0;
  mutable std::vector<size_t> joints_;  // of the gold documents, in the last build()
};

}  // namespace

std::unique_ptr<const GrowingContext> make_documents_context(DocumentsPlan plan) {
  return std::make_unique<DocumentsContext>(std::move(plan));
}

}  // namespace fathom

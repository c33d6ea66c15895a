#include "task/placed_context.h"

#include <algorithm>
#include <utility>

namespace fathom {
namespace {

ByteSpan moved(ByteSpan span, uint64_t by) { return {span.begin + by, span.end + by}; }

class PlacedContext : public GrowingContext {
 public:
  PlacedContext(std::unique_ptr<const Filler> filler, std::vector<PlacedItem> items)
      : filler_(std::move(filler)), items_(std::move(items)) {}

  void append_unit(size_t unit, std::string& out) const override {
    out += filler_->separator();
    filler_->append_unit(unit, out);
  }
  size_t closers() const override { return filler_->closers(); }
  size_t preferred_closers() const override { return filler_->preferred_closers(); }
  void append_closer(size_t closer, size_t, std::string& out) const override {
    out += filler_->closer_separator();
    filler_->append_closer(closer, out);
  }

  Result<BuiltContext> build(const ContextSize& size, double bytes_per_token) const override {
    TRY_VOID(filler_->check(size.units));
    const Pieces pieces = lay_out(size);
    BuiltContext built;
    built.text.reserve(pieces.text.size() + 200 * items_.size());
    const auto order = items_by_joint(pieces, bytes_per_token);
    auto next = order.begin();
    for (size_t joint = 0; joint <= pieces.ends.size(); ++joint) {
      for (; next != order.end() && next->first == joint; ++next) {
        add_item(items_[next->second], built);
      }
      if (joint == pieces.ends.size()) break;
      const size_t begin = joint == 0 ? 0 : pieces.ends[joint - 1];
      if (!built.text.empty()) built.text += filler_->separator();
      built.text.append(pieces.text, begin, pieces.ends[joint] - begin);
    }
    if (std::string note = filler_->note(size.units); !note.empty()) built.notes = {note};
    return built;
  }

 private:
  struct Pieces {
    std::string text;          // units and closers without separators
    std::vector<size_t> ends;  // of each
  };

  Pieces lay_out(const ContextSize& size) const {
    Pieces pieces;
    for (size_t unit = 0; unit < size.units; ++unit) {
      filler_->append_unit(unit, pieces.text);
      pieces.ends.push_back(pieces.text.size());
    }
    const bool one_line = filler_->closer_separator() != filler_->separator();
    for (size_t i = 0; i < size.closers.size(); ++i) {
      if (one_line && i > 0) pieces.text += filler_->closer_separator();
      filler_->append_closer(size.closers[i], pieces.text);
      if (!one_line || i + 1 == size.closers.size()) pieces.ends.push_back(pieces.text.size());
    }
    return pieces;
  }

  // (joint, item) in the order of the text.
  std::vector<std::pair<size_t, size_t>> items_by_joint(const Pieces& pieces,
                                                        double bytes_per_token) const {
    std::vector<std::pair<size_t, size_t>> order;
    for (size_t i = 0; i < items_.size(); ++i) {
      order.emplace_back(joint_of(items_[i].place, pieces.ends, bytes_per_token), i);
    }
    // By the wanted place, not only the joint: short contexts keep the order of long ones.
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first < b.first;
      return items_[a.second].place.comes_before(items_[b.second].place);
    });
    return order;
  }

  void add_item(const PlacedItem& item, BuiltContext& built) const {
    if (!built.text.empty()) built.text += filler_->separator();
    const uint64_t begin = built.text.size();
    built.text += item.text;
    for (const ItemEvidence& part : item.evidence) {
      Evidence evidence;
      evidence.role = part.role;
      evidence.order = part.order;
      evidence.distractor = part.distractor;
      evidence.bytes = moved(part.bytes, begin);
      if (part.answer_bytes.end > part.answer_bytes.begin) {
        evidence.answer_bytes = moved(part.answer_bytes, begin);
      }
      built.evidence.push_back(std::move(evidence));
    }
  }

  std::unique_ptr<const Filler> filler_;
  std::vector<PlacedItem> items_;
};

}  // namespace

PlacedItem whole_item(std::string text, Place place, const std::string& role, int order,
                      bool distractor, const std::string& answer) {
  ItemEvidence evidence{role, order, distractor, {0, text.size()}, {}};
  const size_t at = answer.empty() ? std::string::npos : text.rfind(answer);
  if (at != std::string::npos) evidence.answer_bytes = {at, at + answer.size()};
  return {std::move(text), place, {std::move(evidence)}};
}

std::unique_ptr<const GrowingContext> make_placed_context(std::unique_ptr<const Filler> filler,
                                                          std::vector<PlacedItem> items,
                                                          bool evidence_last) {
  for (PlacedItem& item : items) {
    const bool is_evidence = std::any_of(item.evidence.begin(), item.evidence.end(),
                                         [](const ItemEvidence& part) { return !part.distractor; });
    if (evidence_last && is_evidence) item.place = end_of_context();
  }
  return std::make_unique<PlacedContext>(std::move(filler), std::move(items));
}

}  // namespace fathom

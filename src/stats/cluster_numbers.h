// Numbers for clusters in the order of their first appearance: what every sum by cluster starts
// from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fathom {

// An open-addressing table, since millions of look-ups stand behind a report. O(1) each.
class ClusterNumbers {
 public:
  // Of the first cluster asked for 0, of the next new one 1 …
  [[nodiscard]] size_t of(int64_t cluster) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(cluster)];
    if (slot.number == kFree) slot = {cluster, size_++};
    return slot.number;
  }
  [[nodiscard]] size_t size() const { return size_; }

 private:
  static constexpr size_t kFree = SIZE_MAX;
  struct Slot {
    int64_t cluster = 0;
    size_t number = kFree;
  };

  // Where the cluster stands, or the free slot where it may.
  [[nodiscard]] size_t place_of(int64_t cluster) const {
    constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
    const size_t mask = slots_.size() - 1;
    size_t place = static_cast<uint64_t>(cluster) * kOdd >> 32 & mask;
    while (slots_[place].number != kFree && slots_[place].cluster != cluster)
      place = (place + 1) & mask;
    return place;
  }
  void grow() {
    const std::vector<Slot> before = std::move(slots_);
    slots_.assign(before.empty() ? 32 : 2 * before.size(), {});
    for (const Slot& slot : before)
      if (slot.number != kFree) slots_[place_of(slot.cluster)] = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

// Sums by cluster, in order of appearance; the values themselves where there are no clusters.
[[nodiscard]] inline std::vector<double> cluster_totals(std::vector<double> values,
                                                        std::span<const int64_t> clusters) {
  if (clusters.empty()) return values;
  std::vector<double> totals;
  ClusterNumbers numbers;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t cluster = numbers.of(clusters[i]);
    if (cluster == totals.size()) totals.push_back(0);
    totals[cluster] += values[i];
  }
  return totals;
}

}  // namespace fathom

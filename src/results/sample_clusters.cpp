#include "results/sample_clusters.h"

#include <string_view>
#include <unordered_map>

namespace fathom {
namespace {

// Disjoint sets by path halving.
class Groups {
 public:
  explicit Groups(size_t count) : parent_(count) {
    for (size_t i = 0; i < count; ++i) parent_[i] = i;
  }
  [[nodiscard]] size_t root(size_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(size_t a, size_t b) {
    a = root(a);
    b = root(b);
    // The older one stays root, so that the outcome does not depend on the order of joins.
    if (a < b) {
      parent_[b] = a;
    } else {
      parent_[a] = b;
    }
  }

 private:
  std::vector<size_t> parent_;
};

struct Unit {
  size_t task = 0;
  int64_t index = 0;
  bool operator==(const Unit&) const = default;
};
struct UnitHash {
  size_t operator()(const Unit& unit) const {
    constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
    return static_cast<size_t>((static_cast<uint64_t>(unit.index) + unit.task * kOdd) * kOdd >> 7);
  }
};

}  // namespace

std::vector<int64_t> sample_clusters(const Results& results) {
  const size_t count = results.rows.size();
  Groups groups(count);
  std::unordered_map<std::string_view, size_t> by_haystack;
  std::unordered_map<Unit, size_t, UnitHash> by_unit;
  by_haystack.reserve(count);
  by_unit.reserve(count);
  for (size_t row = 0; row < count; ++row) {
    const SampleFacts& facts = results.samples[row];
    if (!facts.haystack.empty())
      groups.join(by_haystack.try_emplace(facts.haystack, row).first->second, row);
    groups.join(by_unit.try_emplace({results.rows[row].task, facts.index}, row).first->second, row);
  }
  std::vector<int64_t> clusters(count, -1);
  int64_t next = 0;
  for (size_t row = 0; row < count; ++row) {
    int64_t& root = clusters[groups.root(row)];
    if (root < 0) root = next++;
    clusters[row] = root;
  }
  return clusters;
}

double share_spanning_tasks(const Results& results, const std::vector<int64_t>& clusters) {
  constexpr int64_t kNone = -1;
  constexpr int64_t kSeveral = -2;
  std::vector<int64_t> task_of(clusters.size(), kNone);  // by cluster
  int64_t seen = 0;
  int64_t spanning = 0;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const auto task = static_cast<int64_t>(results.rows[row].task);
    if (!results.tasks[static_cast<size_t>(task)].variant.ordinary()) continue;
    int64_t& first = task_of[static_cast<size_t>(clusters[row])];
    if (first == kNone) {
      first = task;
      ++seen;
    } else if (first != task && first != kSeveral) {
      first = kSeveral;
      ++spanning;
    }
  }
  return seen == 0 ? 0 : static_cast<double>(spanning) / static_cast<double>(seen);
}

Dependence task_dependence(const Results& results, const std::vector<int64_t>& clusters) {
  return share_spanning_tasks(results, clusters) > kChanceMeetings ? Dependence::kAny
                                                                   : Dependence::kIndependent;
}

}  // namespace fathom

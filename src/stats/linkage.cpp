#include "stats/linkage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fathom {
namespace {

// Distances between live clusters, by slot; slot i starts as item i, and a joined cluster takes the
// higher slot.
class DistanceTable {
 public:
  DistanceTable(std::span<const double> condensed, size_t items)
      : items_(items), cells_(items * items) {
    size_t next = 0;
    for (size_t i = 0; i < items; ++i)
      for (size_t j = i + 1; j < items; ++j) set(i, j, condensed[next++]);
  }
  [[nodiscard]] double get(size_t i, size_t j) const { return cells_[i * items_ + j]; }
  void set(size_t i, size_t j, double distance) {
    cells_[i * items_ + j] = distance;
    cells_[j * items_ + i] = distance;
  }

 private:
  size_t items_;
  std::vector<double> cells_;
};

// Distance from cluster k to the union of i and j (Lance & Williams 1967).
double joined_distance(LinkageKind kind, double ki, double kj, double ij, double size_i,
                       double size_j, double size_k) {
  switch (kind) {
    case LinkageKind::kSingle:
      return std::min(ki, kj);
    case LinkageKind::kComplete:
      return std::max(ki, kj);
    case LinkageKind::kAverage:
      return (size_i * ki + size_j * kj) / (size_i + size_j);
    case LinkageKind::kWard: {
      const double total = size_i + size_j + size_k;
      return std::sqrt(
          ((size_k + size_i) * ki * ki + (size_k + size_j) * kj * kj - size_k * ij * ij) / total);
    }
  }
  return ki;
}

// All four kinds are reducible: joining the nearest pair first never makes a later join nearer, so
// the steps come by ascending distance.
struct Nearest {
  size_t i = 0;
  size_t j = 0;
  double distance = std::numeric_limits<double>::infinity();
};

Nearest nearest_pair(const DistanceTable& table, const std::vector<size_t>& live) {
  Nearest best;
  bool found = false;
  for (size_t a = 0; a < live.size(); ++a) {
    for (size_t b = a + 1; b < live.size(); ++b) {
      const double distance = table.get(live[a], live[b]);
      if (!found || distance < best.distance) {
        best = {live[a], live[b], distance};
        found = true;
      }
    }
  }
  return best;
}

}  // namespace

std::vector<LinkageStep> linkage(std::span<const double> distances, size_t items,
                                 LinkageKind kind) {
  std::vector<LinkageStep> steps;
  if (items < 2) return steps;
  DistanceTable table(distances, items);
  std::vector<size_t> live(items);
  std::iota(live.begin(), live.end(), size_t{0});
  std::vector<size_t> number = live;  // cluster number of each slot
  std::vector<size_t> size(items, 1);
  while (live.size() > 1) {
    const Nearest pair = nearest_pair(table, live);
    for (const size_t k : live) {
      if (k == pair.i || k == pair.j) continue;
      table.set(k, pair.j,
                joined_distance(kind, table.get(k, pair.i), table.get(k, pair.j), pair.distance,
                                static_cast<double>(size[pair.i]),
                                static_cast<double>(size[pair.j]), static_cast<double>(size[k])));
    }
    size[pair.j] += size[pair.i];
    steps.push_back({.left = std::min(number[pair.i], number[pair.j]),
                     .right = std::max(number[pair.i], number[pair.j]),
                     .distance = pair.distance,
                     .size = size[pair.j]});
    number[pair.j] = items + steps.size() - 1;
    live.erase(std::find(live.begin(), live.end(), pair.i));
  }
  return steps;
}

std::vector<size_t> leaf_order(std::span<const LinkageStep> steps, size_t items) {
  std::vector<size_t> order;
  if (items == 0) return order;
  std::vector<size_t> open = {items + steps.size() - 1};
  while (!open.empty()) {
    const size_t cluster = open.back();
    open.pop_back();
    if (cluster < items) {
      order.push_back(cluster);
      continue;
    }
    open.push_back(steps[cluster - items].right);
    open.push_back(steps[cluster - items].left);
  }
  return order;
}

std::vector<size_t> flat_clusters(std::span<const LinkageStep> steps, size_t items,
                                  double distance) {
  std::vector<size_t> parent(items + steps.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].distance > distance) continue;
    parent[steps[i].left] = items + i;
    parent[steps[i].right] = items + i;
  }
  std::vector<size_t> roots;
  std::vector<size_t> flat(items);
  for (size_t item = 0; item < items; ++item) {
    size_t root = item;
    while (parent[root] != root) root = parent[root];
    const auto known = std::find(roots.begin(), roots.end(), root);
    flat[item] = static_cast<size_t>(known - roots.begin());
    if (known == roots.end()) roots.push_back(root);
  }
  return flat;
}

}  // namespace fathom

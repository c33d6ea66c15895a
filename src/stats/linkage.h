// Hierarchical clustering of a few items from their distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

enum class LinkageKind { kSingle, kComplete, kAverage, kWard };

// Step i joins two clusters into cluster number (items + i): 0..items-1 are the items themselves.
struct LinkageStep {
  size_t left = 0;  // left < right
  size_t right = 0;
  double distance = 0;
  size_t size = 0;  // items in the new cluster
  bool operator==(const LinkageStep&) const = default;
};

// `distances` is condensed: d(0,1), d(0,2) … d(0,n-1), d(1,2) … Steps come by ascending distance,
// as scipy.cluster.hierarchy.linkage gives them. Ward takes Euclidean distances. Lance & Williams
// (1967) updates. O(n^3). Requires: distances.size() == items * (items - 1) / 2, finite, >= 0.
[[nodiscard]] std::vector<LinkageStep> linkage(std::span<const double> distances, size_t items,
                                               LinkageKind kind);

// The items in the order of a dendrogram's leaves, no branches crossing: left subtrees first.
[[nodiscard]] std::vector<size_t> leaf_order(std::span<const LinkageStep> steps, size_t items);

// A cluster number 0, 1 … for each item when only joins up to `distance` are made; numbered by
// first item.
[[nodiscard]] std::vector<size_t> flat_clusters(std::span<const LinkageStep> steps, size_t items,
                                                double distance);

}  // namespace fathom

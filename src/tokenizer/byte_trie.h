// A static map from byte strings to numbers for finding every key that a text starts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

// Immutable after construction; thread-safe. About 10 bytes a node; children of a node lie side by
// side.
class ByteTrie {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  static constexpr uint32_t kRoot = 0;

  ByteTrie() : ByteTrie(std::vector<std::pair<std::string_view, uint32_t>>{}) {}
  // Of equal keys the first counts. The empty key is ignored. Keys need not live on.
  explicit ByteTrie(std::vector<std::pair<std::string_view, uint32_t>> keys);

  // The node behind `byte`, or kNone.
  [[nodiscard]] uint32_t child(uint32_t node, unsigned char byte) const {
    if (node == kRoot) return root_children_[byte];
    const Node& parent = nodes_[node];
    for (uint32_t i = 0; i < parent.children; ++i) {
      if (labels_[parent.first + i] == byte) return parent.first + i;
    }
    return kNone;
  }
  [[nodiscard]] uint32_t value(uint32_t node) const {
    return nodes_[node].value;
  }  // kNone: no key ends here

 private:
  struct Node {
    uint32_t first = 0;  // of the children
    uint32_t value = kNone;
    uint16_t children = 0;
  };

  std::vector<Node> nodes_;
  std::vector<unsigned char> labels_;  // by node: the byte that leads to it
  std::vector<uint32_t> root_children_;
};

}  // namespace fathom

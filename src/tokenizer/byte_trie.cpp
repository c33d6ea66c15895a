#include "tokenizer/byte_trie.h"

#include <algorithm>
#include <deque>

namespace fathom {

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, uint32_t>> keys)
    : nodes_(1), labels_(1), root_children_(256, kNone) {
  std::ranges::stable_sort(keys, {}, &std::pair<std::string_view, uint32_t>::first);
  // Breadth first, so that the children of a node lie side by side. A range of keys shares its
  // first `depth` bytes.
  struct Range {
    size_t begin;
    size_t end;
    size_t depth;
    uint32_t node;
  };
  std::deque<Range> open{{0, keys.size(), 0, kRoot}};
  while (!open.empty()) {
    auto [begin, end, depth, node] = open.front();
    open.pop_front();
    while (begin < end && keys[begin].first.size() == depth) {
      if (node != kRoot && nodes_[node].value == kNone) nodes_[node].value = keys[begin].second;
      ++begin;
    }
    nodes_[node].first = static_cast<uint32_t>(nodes_.size());
    while (begin < end) {
      const auto byte = static_cast<unsigned char>(keys[begin].first[depth]);
      size_t next = begin + 1;
      while (next < end && static_cast<unsigned char>(keys[next].first[depth]) == byte) ++next;
      const auto child = static_cast<uint32_t>(nodes_.size());
      nodes_.emplace_back();
      labels_.push_back(byte);
      ++nodes_[node].children;
      if (node == kRoot) root_children_[byte] = child;
      open.push_back({begin, next, depth + 1, child});
      begin = next;
    }
  }
}

}  // namespace fathom

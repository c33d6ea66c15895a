#include "attention/key_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fathom {

void KeyBlocks::add(Head& head, int64_t b, std::span<const float> key) const {
  float* first = head.first.data() + static_cast<size_t>(b) * width();
  switch (fact_) {
    case KeyFact::kBounds: {
      float* second = head.second.data() + static_cast<size_t>(b) * width();
      for (size_t i = 0; i < key.size(); ++i) {
        first[i] = std::min(first[i], key[i]);
        second[i] = std::max(second[i], key[i]);
      }
      break;
    }
    case KeyFact::kSum:
      for (size_t i = 0; i < key.size(); ++i) first[i] += key[i];
      break;
    case KeyFact::kNorm:
      *first += std::sqrt(std::inner_product(key.begin(), key.end(), key.begin(), 0.0F));
      break;
  }
}

void KeyBlocks::update(const KeyView& keys, int64_t upto) {
  const auto blocks = static_cast<size_t>((upto + block_ - 1) / block_);
  const auto size = static_cast<size_t>(shape_.head_size);
  constexpr float kFar = std::numeric_limits<float>::infinity();
  for (int g = 0; g < shape_.kv_heads; ++g) {
    Head& head = heads_[static_cast<size_t>(g)];
    head.first.resize(std::max(head.first.size(), blocks * width()),
                      fact_ == KeyFact::kBounds ? kFar : 0.0F);
    if (fact_ == KeyFact::kBounds)
      head.second.resize(std::max(head.second.size(), blocks * width()), -kFar);
    for (int64_t j = seen_; j < upto; ++j)
      add(head, j / block_, {keys.data + (g * keys.stride + j) * static_cast<int64_t>(size), size});
  }
  seen_ = std::max(seen_, upto);
}

}  // namespace fathom

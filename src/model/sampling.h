// From logits to the next token, and where an answer stops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace fathom {

// Index of the largest logit, the first of equals; nullopt when none is a finite number. O(n).
[[nodiscard]] std::optional<int32_t> greedy_token(std::span<const float> logits);

// Draws from softmax(logits / temperature), cut to the fewest most likely tokens whose
// probabilities reach `top_p`. Requires: temperature > 0. O(n log n) with top_p < 1, else O(n).
[[nodiscard]] std::optional<int32_t> sampled_token(std::span<const float> logits,
                                                   double temperature, double top_p,
                                                   Random& random);

// Cuts text off at the first of several stop texts as it grows. Single-threaded.
class StopText {
 public:
  explicit StopText(std::vector<std::string> stops);  // empty ones are ignored

  // Appends; returns true once a stop text has appeared. The stop text itself is not part of
  // text().
  [[nodiscard]] bool append(std::string_view piece);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::vector<std::string> stops_;
  std::string text_;
};

}  // namespace fathom

// Filler sentences without content: the haystack that hides nothing but the needle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// One filler: the sentences of one line, in order.
struct Noise {
  std::string name;                        // "grass"
  std::vector<std::string> sentences;      // "The grass is green." …
  [[nodiscard]] std::string line() const;  // joined by single spaces
};

// "grass" is RULER's published line; others are fathom's. Errors: kInput naming those there are.
[[nodiscard]] Result<Noise> find_noise(std::string_view name);
[[nodiscard]] std::vector<std::string> noise_names();

}  // namespace fathom

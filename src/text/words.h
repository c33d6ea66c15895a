// Words of a text: runs of letters, marks and digits, with apostrophes and hyphens inside them
// ("don't", "well-known", "3rd"). Scripts without spaces give one word per character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// Thai, Lao, Myanmar, Khmer, kana and Han put no spaces between words.
[[nodiscard]] bool writes_without_spaces(char32_t character);

// In order. O(n) in bytes. Thread-safe.
[[nodiscard]] std::vector<ByteSpan> split_words(std::string_view text);

// Lower case by Unicode's simple mapping; invalid UTF-8 is kept as it is.
[[nodiscard]] std::string lower_case(std::string_view text);

// Where `phrase` first stands in `text` with no letter or digit touching it on either side; npos
// where it does not. Case counts.
[[nodiscard]] size_t find_phrase(std::string_view text, std::string_view phrase);
[[nodiscard]] inline bool contains_phrase(std::string_view text, std::string_view phrase) {
  return find_phrase(text, phrase) != std::string_view::npos;
}

}  // namespace fathom

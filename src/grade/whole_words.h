// Where a text stands in another as a whole: not as a part of a longer word or number (J4).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// Whether `part` stands anywhere in `text`. O(n) in bytes, where std::string::find is not.
[[nodiscard]] bool stands_in(std::string_view text, std::string_view part);

enum class Compounds {
  kOneWord,  // "pillar" is a part of "detailed-pillar": lists of words, values
  kApart,    // "York" stands by itself in "New York-based": prose
};

// All places in order, overlapping ones included. Neither neighbour of a place may be a letter,
// mark or digit, where the text's own end is one too. A number is not bounded by a point or comma
// that continues it ("7" in "3.7", "234" in "1,234,567"); an apostrophe or underscore between word
// characters belongs to the word, but for a final 's and, in prose, for what stands before it
// ("l'Italie"). In scripts without spaces (Han,
// kana, Thai …) and in Hangul, where particles are written on to words, letters are no neighbours.
// Case counts. Invalid UTF-8 bounds like punctuation. O(n) in bytes, each place once.
[[nodiscard]] std::vector<ByteSpan> whole_places(std::string_view text, std::string_view phrase,
                                                 Compounds compounds);

// Whether text[begin, end) is bounded so on both sides.
[[nodiscard]] bool stands_whole(std::string_view text, size_t begin, size_t end,
                                Compounds compounds);

}  // namespace fathom

// Where the words of a text end.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/span.h"

namespace fathom {

// Thread-safe: what a pass over a text remembers is in its Cursor.
class WordSource {
 public:
  static constexpr size_t kMaxStages = 8;

  struct Cursor {
    size_t position = 0;
    std::array<ByteSpan, kMaxStages>
        pieces{};  // for sources that split in stages: the piece of each around `position`
  };

  virtual ~WordSource() = default;

  // Ends of the next words (offsets into `text`), at most `max`; 0 at the end of `text`. No word is
  // empty. O(bytes covered).
  virtual size_t next(std::string_view text, Cursor& cursor, size_t* ends, size_t max) const = 0;
};

}  // namespace fathom

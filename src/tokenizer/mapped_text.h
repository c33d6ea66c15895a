// Text on its way through normalizers, and for each of its bytes the bytes of the original it
// stands for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// Thread-compatible. Tracking costs 16 bytes a byte once something changes; without it origins
// cannot be asked.
class MappedText {
 public:
  // `begin` is where `text` starts in the original.
  void assign(std::string_view text, uint64_t begin, bool tracked);
  // The part [begin, end) of `other`, with its origins.
  void assign_part(const MappedText& other, size_t begin, size_t end);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] bool tracked() const { return tracked_; }
  // The original bytes that [begin, end) stands for; empty at the right place for inserted text.
  // Requires: tracked(), begin <= end <= text().size()
  [[nodiscard]] ByteSpan origin(size_t begin, size_t end) const;

  // A pass that replaces parts, in order and without overlap; finish() makes the result the text.
  // Requires: one pass at a time.
  //   text.replace(3, 4, "▁"); text.replace(9, 10, "▁"); text.finish();
  void replace(size_t begin, size_t end, std::string_view bytes);
  void finish();

  // Where a position of the text before the current pass lies in the text it makes, for positions
  // at or behind the last replacement.
  [[nodiscard]] size_t moved(size_t position) const {
    return next_text_.size() + (position - kept_);
  }

 private:
  [[nodiscard]] ByteSpan byte_origin(size_t at) const;
  void keep_until(size_t end);

  std::string text_;
  std::string next_text_;
  std::vector<ByteSpan> origins_;  // empty while the text is the original's bytes from begin_ on
  std::vector<ByteSpan> next_origins_;
  uint64_t begin_ = 0;
  size_t kept_ = 0;  // of text_, what the pass has dealt with
  bool changed_ = false;
  bool tracked_ = false;
};

}  // namespace fathom

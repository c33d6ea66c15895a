// Stepping through text that may hold invalid UTF-8, without repairing it first: an invalid byte is
// a character of its own.
#pragma once

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

struct LenientChar {
  int32_t code = -1;  // -1: invalid byte
  size_t size = 0;    // bytes; 0: end of text
};

[[nodiscard]] inline LenientChar lenient_char_at(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {byte, 1};
  utf8proc_int32_t code = -1;
  const auto size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                       static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size() - at, 4)), &code);
  return size > 0 ? LenientChar{code, static_cast<size_t>(size)} : LenientChar{-1, 1};
}

}  // namespace fathom

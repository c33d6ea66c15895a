#include "io/json_text.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace fathom {
namespace {

// The number of leading bytes that are copied as they are: printable ASCII but '"' and '\\'. Stops
// at the first other byte.
size_t plain_prefix(const char* text, size_t size) {
  size_t i = 0;
#if defined(__x86_64__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(' ');
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    // Signed compare: bytes >= 0x80 are negative, so they stop here like control characters do.
    const __m128i stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmplt_epi8(bytes, space));
    const int mask = _mm_movemask_epi8(stop);
    if (mask != 0) return i + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
  }
#endif
  for (; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') break;
  }
  return i;
}

// The length of the well-formed UTF-8 sequence at `text` (Unicode table 3-7), or 0.
size_t sequence_length(const unsigned char* text, size_t size) {
  const unsigned char lead = text[0];
  const auto continues = [&](size_t at, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return at < size && text[at] >= low && text[at] <= high;
  };
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

void append_escape(std::string& out, unsigned char byte) {
  static constexpr char kDigits[] = "0123456789abcdef";
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
  }
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + text.size() / 16 + 2);
  out += '"';
  while (!text.empty()) {
    const size_t plain = plain_prefix(text.data(), text.size());
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    if (bytes[0] < 0x80) {
      append_escape(out, bytes[0]);
      text.remove_prefix(1);
    } else if (const size_t length = sequence_length(bytes, text.size()); length != 0) {
      out.append(text.data(), length);
      text.remove_prefix(length);
    } else {
      out += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    }
  }
  out += '"';
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out;
}

}  // namespace fathom

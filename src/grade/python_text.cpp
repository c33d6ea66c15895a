#include "grade/python_text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace fathom {
namespace {

constexpr int32_t kInvalid = -1;

struct Decoded {
  int32_t code = kInvalid;
  size_t size = 1;
};

Decoded decode(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {byte, 1};
  utf8proc_int32_t code = 0;
  const auto read =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                       static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size() - at, 4)), &code);
  if (read <= 0) return {kInvalid, 1};
  return {code, static_cast<size_t>(read)};
}

// The character that ends before `end`. Requires: end > 0.
Decoded decode_before(std::string_view text, size_t end) {
  size_t start = end - 1;
  while (start > 0 && end - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
    --start;
  const Decoded found = decode(text, start);
  if (found.code != kInvalid && start + found.size == end) return found;
  return {kInvalid, 1};
}

bool is_python_space(int32_t code) {
  if (code < 0x80) return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20);
  return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
         code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

struct CodeRange {
  int32_t first;
  int32_t last;
};

template <size_t N>
bool in_ranges(const std::array<CodeRange, N>& ranges, int32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](int32_t c, const CodeRange& r) { return c < r.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

// Unicode's Other_Lowercase and Other_Uppercase: cased without being letters of case.
constexpr std::array<CodeRange, 27> kOtherCased = {{
    {0xaa, 0xaa},       {0xba, 0xba},       {0x2b0, 0x2b8},     {0x2c0, 0x2c1},
    {0x2e0, 0x2e4},     {0x345, 0x345},     {0x37a, 0x37a},     {0x1d2c, 0x1d6a},
    {0x1d78, 0x1d78},   {0x1d9b, 0x1dbf},   {0x2071, 0x2071},   {0x207f, 0x207f},
    {0x2090, 0x209c},   {0x2160, 0x217f},   {0x24b6, 0x24e9},   {0x2c7c, 0x2c7d},
    {0xa69c, 0xa69d},   {0xa770, 0xa770},   {0xa7f8, 0xa7f9},   {0xab5c, 0xab5f},
    {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107b0}, {0x107b2, 0x107ba},
    {0x1f130, 0x1f149}, {0x1f150, 0x1f169}, {0x1f170, 0x1f189},
}};

// Word_Break classes MidLetter, MidNumLet and Single_Quote: ignorable for case without being marks.
constexpr std::array<CodeRange, 16> kMidWord = {{{0x27, 0x27},
                                                 {0x2e, 0x2e},
                                                 {0x3a, 0x3a},
                                                 {0xb7, 0xb7},
                                                 {0x387, 0x387},
                                                 {0x55f, 0x55f},
                                                 {0x5f4, 0x5f4},
                                                 {0x2018, 0x2019},
                                                 {0x2024, 0x2024},
                                                 {0x2027, 0x2027},
                                                 {0xfe13, 0xfe13},
                                                 {0xfe52, 0xfe52},
                                                 {0xfe55, 0xfe55},
                                                 {0xff07, 0xff07},
                                                 {0xff0e, 0xff0e},
                                                 {0xff1a, 0xff1a}}};

bool is_cased(int32_t code) {
  if (code == kInvalid) return false;
  const utf8proc_category_t category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT || in_ranges(kOtherCased, code);
}

bool is_case_ignorable(int32_t code) {
  if (code == kInvalid) return false;
  const utf8proc_category_t category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
         category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_LM ||
         category == UTF8PROC_CATEGORY_SK || in_ranges(kMidWord, code);
}

// A sigma is final where a cased letter stands before it and none behind, ignorable ones passed
// over.
bool is_final_sigma(std::string_view text, size_t at, size_t behind) {
  bool cased_before = false;
  for (size_t end = at; end > 0;) {
    const Decoded before = decode_before(text, end);
    end -= before.size;
    if (is_case_ignorable(before.code)) continue;
    cased_before = is_cased(before.code);
    break;
  }
  if (!cased_before) return false;
  for (size_t next = behind; next < text.size();) {
    const Decoded after = decode(text, next);
    next += after.size;
    if (is_case_ignorable(after.code)) continue;
    return !is_cased(after.code);
  }
  return true;
}

void append_code(std::string& out, int32_t code) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(code, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(size));
}

constexpr int32_t kCapitalSigma = 0x3a3;
constexpr int32_t kFinalSigma = 0x3c2;
constexpr int32_t kCapitalDottedI = 0x130;
constexpr int32_t kCombiningDotAbove = 0x307;

// Lowers the ASCII bytes at the start of `text`; returns how many there were.
size_t lower_ascii_run(std::string& out, std::string_view text) {
  size_t size = 0;
  while (size + 8 <= text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + size, 8);
    if ((word & 0x8080808080808080U) != 0) break;
    size += 8;
  }
  while (size < text.size() && static_cast<unsigned char>(text[size]) < 0x80) ++size;
  const size_t start = out.size();
  out.append(text.substr(0, size));
  for (size_t i = start; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    out[i] = static_cast<char>(byte + (static_cast<unsigned char>(byte - 'A') < 26 ? 0x20 : 0));
  }
  return size;
}

}  // namespace

std::string_view python_strip(std::string_view text) {
  while (!text.empty()) {
    const Decoded first = decode(text, 0);
    if (!is_python_space(first.code)) break;
    text.remove_prefix(first.size);
  }
  while (!text.empty()) {
    const Decoded last = decode_before(text, text.size());
    if (!is_python_space(last.code)) break;
    text.remove_suffix(last.size);
  }
  return text;
}

std::string python_lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t at = lower_ascii_run(out, text);
  while (at < text.size()) {
    const Decoded found = decode(text, at);
    if (found.code == kInvalid) {
      out += text[at];
    } else if (found.code == kCapitalSigma) {
      const bool final = is_final_sigma(text, at, at + found.size);
      append_code(out, final ? kFinalSigma : utf8proc_tolower(kCapitalSigma));
    } else if (found.code == kCapitalDottedI) {
      out += 'i';
      append_code(out, kCombiningDotAbove);
    } else {
      append_code(out, utf8proc_tolower(found.code));
    }
    at += found.size;
    at += lower_ascii_run(out, text.substr(at));
  }
  return out;
}

double python_round(double value, int digits) {
  std::array<char, 400> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::fixed, digits);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double size = std::abs(value);
  std::array<char, 400> text{};
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string out(text.data(), written.ptr);
  if (fixed && out.find('.') == std::string::npos) out += ".0";
  return out;
}

}  // namespace fathom

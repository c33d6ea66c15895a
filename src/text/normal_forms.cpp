#include "text/normal_forms.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "text/utf8.h"

namespace fathom {
namespace {

constexpr char32_t kTableEnd =
    0x30000;  // no character above it has a decomposition or a combining class

// Characters younger than Unicode 9 that have a combining class, a decomposition or a part in a
// composition.
constexpr std::pair<char32_t, char32_t> kAfterVersion9[] = {
    {0x7FD, 0x7FD},     {0x898, 0x89F},     {0x8CA, 0x8D3},     {0x9FE, 0x9FE},
    {0xC3C, 0xC3C},     {0xD3B, 0xD3C},     {0xEBA, 0xEBA},     {0xECE, 0xECE},
    {0x1715, 0x1715},   {0x1ABF, 0x1ACE},   {0x1DF6, 0x1DFA},   {0x32FF, 0x32FF},
    {0xA7F2, 0xA7F4},   {0xA82C, 0xA82C},   {0xAB69, 0xAB69},   {0x10781, 0x10785},
    {0x10787, 0x107B0}, {0x107B2, 0x107BA}, {0x10D24, 0x10D27}, {0x10EAB, 0x10EAC},
    {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50}, {0x10F82, 0x10F85}, {0x11070, 0x11070},
    {0x1133B, 0x1133B}, {0x1145E, 0x1145E}, {0x11839, 0x1183A}, {0x11930, 0x11930},
    {0x11935, 0x11935}, {0x11938, 0x11938}, {0x1193D, 0x1193E}, {0x11943, 0x11943},
    {0x119E0, 0x119E0}, {0x11A34, 0x11A34}, {0x11A47, 0x11A47}, {0x11A99, 0x11A99},
    {0x11D42, 0x11D42}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97}, {0x11F41, 0x11F42},
    {0x16FF0, 0x16FF1}, {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136},
    {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF}, {0x1E4EC, 0x1E4EF}, {0x1F16C, 0x1F16C},
    {0x1FBF0, 0x1FBF9}};

bool is_after_version_9(char32_t character) {
  return std::ranges::any_of(
      kAfterVersion9, [&](const auto& r) { return character >= r.first && character <= r.second; });
}

bool composes(NormalForm form) { return form == NormalForm::kNfc || form == NormalForm::kNfkc; }
bool is_compatible(NormalForm form) {
  return form == NormalForm::kNfkc || form == NormalForm::kNfkd;
}

int combining_class(int32_t character) { return utf8proc_get_property(character)->combining_class; }

void decompose(NormalForm form, char32_t character, std::vector<int32_t>& out) {
  std::array<int32_t, 32> parts{};
  int boundary = 0;
  const int options = UTF8PROC_DECOMPOSE | (is_compatible(form) ? UTF8PROC_COMPAT : 0);
  const auto count =
      utf8proc_decompose_char(static_cast<int32_t>(character), parts.data(), parts.size(),
                              static_cast<utf8proc_option_t>(options), &boundary);
  if (count <= 0) {
    out.push_back(static_cast<int32_t>(character));
    return;
  }
  out.insert(out.end(), parts.begin(),
             parts.begin() + std::min<ptrdiff_t>(count, std::ssize(parts)));
}

// Canonical order: each run of marks sorted by class, equal classes in place. utf8proc's own
// exchange sort is quadratic.
void order_marks(std::vector<int32_t>& characters) {
  const auto is_starter = [](int32_t character) { return combining_class(character) == 0; };
  for (auto at = characters.begin(); at != characters.end();) {
    const auto begin = std::find_if_not(at, characters.end(), is_starter);
    at = std::find_if(begin, characters.end(), is_starter);
    std::stable_sort(begin, at,
                     [](int32_t a, int32_t b) { return combining_class(a) < combining_class(b); });
  }
}

void normalize_characters(NormalForm form, std::vector<int32_t>& characters) {
  order_marks(characters);
  if (!composes(form) || characters.empty()) return;
  const auto size =
      utf8proc_normalize_utf32(characters.data(), std::ssize(characters),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size >= 0) characters.resize(static_cast<size_t>(size));
}

// One bit per character: it always starts a new sequence and is its own normal form, whatever
// stands before it.
class StableCharacters {
 public:
  StableCharacters(NormalForm form, UnicodeTables tables) : bits_(kTableEnd / 64, 0) {
    std::vector<int32_t> normal;
    for (char32_t c = 0; c < kTableEnd; ++c) {
      const auto* property = utf8proc_get_property(static_cast<int32_t>(c));
      const bool plain = property->combining_class == 0 &&
                         property->decomp_seqindex == UINT16_MAX &&
                         property->comb_index == UINT16_MAX;
      if (!plain && tables == UnicodeTables::kVersion9 && is_after_version_9(c)) {
        bits_[c / 64] |= uint64_t{1} << c % 64;
        continue;
      }
      if (property->combining_class != 0) continue;
      if (composes(form) && joins_previous(c, *property)) continue;
      const bool hangul = c >= 0xAC00 && c <= 0xD7A3;
      if (property->decomp_seqindex != UINT16_MAX || hangul) {
        normal.clear();
        decompose(form, c, normal);
        normalize_characters(form, normal);
        if (normal.size() != 1 || normal[0] != static_cast<int32_t>(c)) continue;
      }
      bits_[c / 64] |= uint64_t{1} << c % 64;
    }
  }

  [[nodiscard]] bool has(char32_t c) const {
    return c >= kTableEnd || (bits_[c / 64] >> c % 64 & 1) != 0;
  }

 private:
  static bool joins_previous(char32_t c, const utf8proc_property_t& property) {
    const bool jamo = (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
    return jamo || (property.comb_index != UINT16_MAX && property.comb_index >= 0x8000);
  }

  std::vector<uint64_t> bits_;
};

template <NormalForm form>
const StableCharacters& stable_characters(UnicodeTables tables) {
  if (tables == UnicodeTables::kVersion9) {
    static const StableCharacters old(form, UnicodeTables::kVersion9);
    return old;
  }
  static const StableCharacters current(form, UnicodeTables::kCurrent);
  return current;
}

const StableCharacters& stable_characters(NormalForm form, UnicodeTables tables) {
  switch (form) {
    case NormalForm::kNfc:
      return stable_characters<NormalForm::kNfc>(tables);
    case NormalForm::kNfd:
      return stable_characters<NormalForm::kNfd>(tables);
    case NormalForm::kNfkc:
      return stable_characters<NormalForm::kNfkc>(tables);
    case NormalForm::kNfkd:
      break;
  }
  return stable_characters<NormalForm::kNfkd>(tables);
}

// Where the ASCII run that starts at `at` ends.
size_t skip_ascii(std::string_view text, size_t at) {
  while (at + 8 <= text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080ULL) != 0) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

void for_each_change(
    NormalForm form, std::string_view text,
    const std::function<void(size_t begin, size_t end, std::string_view normal)>& change,
    UnicodeTables tables) {
  const StableCharacters& stable = stable_characters(form, tables);
  std::vector<int32_t> characters;
  std::string normal;
  size_t start = 0;  // of the last stable character: a sequence begins there
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at = skip_ascii(text, at);
      start = at - 1;
      continue;
    }
    size_t end = at;
    if (stable.has(next_utf8(text, end))) {
      start = at;
      at = end;
      continue;
    }
    while (end < text.size()) {
      size_t behind = end;
      if (stable.has(next_utf8(text, behind))) break;
      end = behind;
    }
    if (tables == UnicodeTables::kVersion9) {  // a newer character takes no part in the sequence
      size_t behind = start;
      if (is_after_version_9(next_utf8(text, behind))) start = behind;
    }
    characters.clear();
    for (size_t i = start; i < end;) decompose(form, next_utf8(text, i), characters);
    normalize_characters(form, characters);
    normal.clear();
    for (const int32_t character : characters)
      append_utf8(normal, static_cast<char32_t>(character));
    if (normal != text.substr(start, end - start)) change(start, end, normal);
    at = end;
    start = end;
  }
}

std::string normalize(NormalForm form, std::string_view text) {
  std::string normal;
  size_t kept = 0;
  for_each_change(form, text, [&](size_t begin, size_t end, std::string_view changed) {
    normal.append(text, kept, begin - kept).append(changed);
    kept = end;
  });
  return normal.append(text, kept);
}

}  // namespace fathom

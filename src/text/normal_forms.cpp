#include "text/normal_forms.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/utf8.h"

namespace fathom {
namespace {

constexpr char32_t kTableEnd =
    0x30000;  // no character above it has a decomposition or a combining class

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
  explicit StableCharacters(NormalForm form) : bits_(kTableEnd / 64, 0) {
    std::vector<int32_t> normal;
    for (char32_t c = 0; c < kTableEnd; ++c) {
      const auto* property = utf8proc_get_property(static_cast<int32_t>(c));
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

const StableCharacters& stable_characters(NormalForm form) {
  switch (form) {
    case NormalForm::kNfc: {
      static const StableCharacters table(NormalForm::kNfc);
      return table;
    }
    case NormalForm::kNfd: {
      static const StableCharacters table(NormalForm::kNfd);
      return table;
    }
    case NormalForm::kNfkc: {
      static const StableCharacters table(NormalForm::kNfkc);
      return table;
    }
    case NormalForm::kNfkd:
      break;
  }
  static const StableCharacters table(NormalForm::kNfkd);
  return table;
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
    const std::function<void(size_t begin, size_t end, std::string_view normal)>& change) {
  const StableCharacters& stable = stable_characters(form);
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

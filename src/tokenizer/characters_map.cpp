#include "tokenizer/characters_map.h"

#include <cstring>

namespace fathom {
namespace {

// Fields of one unit of the trie (the darts-clone layout that SentencePiece stores).
size_t offset_of(uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); }
uint32_t label_of(uint32_t unit) { return unit & ((1U << 31) | 0xFF); }
bool has_leaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t value_of(uint32_t unit) { return unit & ((1U << 31) - 1); }

}  // namespace

Result<CharactersMap> CharactersMap::parse(std::string_view blob) {
  CharactersMap map;
  if (blob.empty()) return map;
  uint32_t size = 0;
  if (blob.size() < sizeof size)
    return fail(ErrorCode::kInput, "the precompiled character map is cut off ({} bytes)",
                blob.size());
  std::memcpy(&size, blob.data(), sizeof size);
  if (size % sizeof(uint32_t) != 0 || size > blob.size() - sizeof size) {
    return fail(ErrorCode::kInput,
                "the precompiled character map's trie of {} bytes does not fit its {} bytes", size,
                blob.size());
  }
  map.units_.resize(size / sizeof(uint32_t));
  if (size > 0) std::memcpy(map.units_.data(), blob.data() + sizeof size, size);
  map.replacements_ = blob.substr(sizeof size + size);
  return map;
}

std::optional<CharactersMap::Match> CharactersMap::find(std::string_view text, bool first) const {
  if (units_.empty()) return std::nullopt;
  std::optional<Match> found;
  size_t node = offset_of(units_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0) break;
    node ^= byte;
    if (node >= units_.size() || label_of(units_[node]) != byte) break;
    const uint32_t unit = units_[node];
    node ^= offset_of(unit);
    if (!has_leaf(unit)) continue;
    if (node >= units_.size()) break;
    const size_t begin = value_of(units_[node]);
    if (begin > replacements_.size()) break;  // a damaged map replaces nothing here
    const size_t end = replacements_.find('\0', begin);
    found = {i + 1, std::string_view(replacements_)
                        .substr(begin, end == std::string::npos ? end : end - begin)};
    if (first) break;
  }
  return found;
}

}  // namespace fathom

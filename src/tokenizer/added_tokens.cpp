#include "tokenizer/added_tokens.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "text/characters.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr uint64_t kMixer = 0x9E3779B97F4A7C15ULL;
constexpr size_t kVectorStarts =
    6;  // with more first bytes than this a table look-up per byte is as fast

bool ends_with_word(std::string_view text) {
  if (text.empty()) return false;
  size_t at = previous_utf8(text, text.size());
  return is_word_character(next_utf8(text, at));
}

bool starts_with_word(std::string_view text) {
  size_t at = 0;
  return !text.empty() && is_word_character(next_utf8(text, at));
}

size_t before_white_space(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    const size_t begin = previous_utf8(text, end);
    size_t at = begin;
    if (!is_white_space(next_utf8(text, at))) break;
    end = begin;
  }
  return end;
}

size_t white_space_at_start(std::string_view text) {
  size_t end = 0;
  while (end < text.size()) {
    size_t at = end;
    if (!is_white_space(next_utf8(text, at))) break;
    end = at;
  }
  return end;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, AddedOrder order)
    : tokens_(std::move(tokens)), order_(order), token_at_(1, 0), edges_(64) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.content.empty(); });
  if (order_ == AddedOrder::kLongestFirst) {
    std::ranges::stable_sort(tokens_, std::greater{},
                             [](const AddedToken& token) { return token.content.size(); });
  }
  for (uint32_t i = 0; i < tokens_.size(); ++i) insert(i);
  for (int byte = 0; byte < 256; ++byte) {
    if (starts_[byte]) start_bytes_.push_back(static_cast<char>(byte));
  }
}

void AddedTokens::insert(uint32_t token) {
  const std::string& content = tokens_[token].content;
  starts_[static_cast<unsigned char>(content[0])] = true;
  uint32_t node = 0;
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    uint32_t next = child(node, byte);
    if (next == 0) {
      next = static_cast<uint32_t>(token_at_.size());
      token_at_.push_back(0);
      link(node, byte, next);
    }
    node = next;
  }
  if (token_at_[node] == 0) token_at_[node] = token + 1;
}

void AddedTokens::link(uint32_t node, unsigned char byte, uint32_t child) {
  if ((edge_count_ + 1) * 2 > edges_.size()) grow();
  const uint64_t key = (static_cast<uint64_t>(node) << 8 | byte) + 1;
  size_t slot = (key * kMixer >> 20) & (edges_.size() - 1);
  while (edges_[slot].key != 0) slot = (slot + 1) & (edges_.size() - 1);
  edges_[slot] = {key, child};
  ++edge_count_;
}

void AddedTokens::grow() {
  std::vector<Edge> old(edges_.size() * 2);
  old.swap(edges_);
  for (const Edge& edge : old) {
    if (edge.key == 0) continue;
    size_t slot = (edge.key * kMixer >> 20) & (edges_.size() - 1);
    while (edges_[slot].key != 0) slot = (slot + 1) & (edges_.size() - 1);
    edges_[slot] = edge;
  }
}

uint32_t AddedTokens::child(uint32_t node, unsigned char byte) const {
  const uint64_t key = (static_cast<uint64_t>(node) << 8 | byte) + 1;
  size_t slot = (key * kMixer >> 20) & (edges_.size() - 1);
  while (edges_[slot].key != 0) {
    if (edges_[slot].key == key) return edges_[slot].node;
    slot = (slot + 1) & (edges_.size() - 1);
  }
  return 0;
}

// The first byte at or behind `at` that can start a token, or the end.
size_t AddedTokens::next_start(std::string_view text, size_t at) const {
  if (start_bytes_.size() == 1) {
    const void* found = std::memchr(text.data() + at, start_bytes_[0], text.size() - at);
    return found == nullptr ? text.size()
                            : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  }
#if defined(__SSE2__)
  if (start_bytes_.size() <= kVectorStarts) {
    for (; at + 16 <= text.size(); at += 16) {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
      __m128i any = _mm_setzero_si128();
      for (const char byte : start_bytes_)
        any = _mm_or_si128(any, _mm_cmpeq_epi8(block, _mm_set1_epi8(byte)));
      const auto mask = static_cast<unsigned>(_mm_movemask_epi8(any));
      if (mask != 0) return at + static_cast<size_t>(__builtin_ctz(mask));
    }
  }
#endif
  while (at < text.size() && !starts_[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

bool AddedTokens::longest_at(std::string_view text, size_t at, Candidate& found) const {
  uint32_t node = 0;
  uint32_t token = 0;
  for (size_t i = at; i < text.size(); ++i) {
    node = child(node, static_cast<unsigned char>(text[i]));
    if (node == 0) break;
    if (token_at_[node] != 0) {
      token = token_at_[node];
      found = {token - 1, at, i + 1};
    }
  }
  return token != 0;
}

void AddedTokens::find(std::string_view text, bool parse_special,
                       const std::function<void(const AddedMatch&)>& match) const {
  if (tokens_.empty() || text.empty()) return;
  if (order_ == AddedOrder::kLeftmostLongest) {
    find_leftmost(text, parse_special, match);
  } else {
    find_longest_first(text, parse_special, match);
  }
}

void AddedTokens::find_leftmost(std::string_view text, bool parse_special,
                                const std::function<void(const AddedMatch&)>& match) const {
  size_t last = 0;  // where the last match ends, white space it took included
  Candidate found;
  for (size_t at = next_start(text, 0); at < text.size(); at = next_start(text, at)) {
    if (!longest_at(text, at, found)) {
      ++at;
      continue;
    }
    at = found.end;
    const AddedToken& token = tokens_[found.token];
    if (token.special && !parse_special) continue;
    if (token.single_word &&
        (ends_with_word(text.substr(0, found.begin)) || starts_with_word(text.substr(found.end)))) {
      continue;
    }
    size_t begin = found.begin;
    size_t end = found.end;
    if (token.lstrip)
      begin = last + before_white_space(text.substr(last, begin < last ? 0 : begin - last));
    if (token.rstrip) end += white_space_at_start(text.substr(end));
    match({token.id, begin, end});
    last = end;
  }
}

void AddedTokens::find_longest_first(std::string_view text, bool parse_special,
                                     const std::function<void(const AddedMatch&)>& match) const {
  // Every occurrence of every token; then the longest claim their bytes first, equal ones from the
  // left.
  std::vector<Candidate> candidates;
  for (size_t at = next_start(text, 0); at < text.size(); at = next_start(text, at + 1)) {
    uint32_t node = 0;
    for (size_t i = at; i < text.size(); ++i) {
      node = child(node, static_cast<unsigned char>(text[i]));
      if (node == 0) break;
      if (token_at_[node] == 0) continue;
      const uint32_t token = token_at_[node] - 1;
      if (parse_special || !tokens_[token].special) candidates.push_back({token, at, i + 1});
    }
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::token);
  std::vector<bool> claimed(candidates.empty() ? 0 : text.size(), false);
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates) {
    // A claimed token is at least as long, so overlap shows at one of the ends.
    if (claimed[candidate.begin] || claimed[candidate.end - 1]) continue;
    for (size_t i = candidate.begin; i < candidate.end; ++i) claimed[i] = true;
    kept.push_back(candidate);
  }
  std::ranges::sort(kept, {}, &Candidate::begin);
  size_t last = 0;
  for (size_t k = 0; k < kept.size(); ++k) {
    const AddedToken& token = tokens_[kept[k].token];
    size_t begin = kept[k].begin;
    size_t end = kept[k].end;
    const size_t next = k + 1 < kept.size() ? kept[k + 1].begin : text.size();
    if (token.lstrip) begin = last + before_white_space(text.substr(last, begin - last));
    if (token.rstrip) end += white_space_at_start(text.substr(end, next - end));
    match({token.id, begin, end});
    last = end;
  }
}

}  // namespace fathom

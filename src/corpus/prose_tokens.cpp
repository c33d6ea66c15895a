#include <algorithm>

#include "base/threads.h"
#include "corpus/prose.h"

namespace fathom {
namespace {

constexpr size_t kChunk = 512;  // sentences that one thread counts at a time

}  // namespace

ProseTokens::ProseTokens(const Prose& prose, const Tokenizer& tokenizer) {
  const auto& sentences = prose.sentences();
  counts_.resize(sentences.size());
  parallel_for((sentences.size() + kChunk - 1) / kChunk, 0, [&](size_t chunk) {
    std::string text;
    const size_t end = std::min(sentences.size(), (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; ++i) {
      (text = " ") += sentences[i].text;
      counts_[i] = static_cast<uint32_t>(
          tokenizer.count(text, {.add_special = false, .parse_special = false}));
    }
  });
  sums_.resize(sentences.size() + 1);
  for (size_t i = 0; i < counts_.size(); ++i) {
    sums_[i + 1] = sums_[i] + counts_[i];
    if (counts_[i] >= by_count_.size()) by_count_.resize(counts_[i] + 1);
    by_count_[counts_[i]].push_back(static_cast<uint32_t>(i));
  }
}

uint64_t ProseTokens::walk(uint64_t start, uint64_t steps) const {
  const uint64_t size = counts_.size();
  const uint64_t rounds = steps / size;
  const uint64_t rest = start + steps % size;
  const uint64_t tokens =
      rest <= size ? sums_[rest] - sums_[start] : sums_[size] - sums_[start] + sums_[rest - size];
  return rounds * sums_[size] + tokens;
}

uint64_t ProseTokens::steps_within(uint64_t start, uint64_t budget) const {
  const uint64_t size = counts_.size();
  const uint64_t rounds = sums_[size] == 0 ? 0 : budget / sums_[size];
  uint64_t low = rounds * size;  // walk(low) <= budget < walk(high)
  uint64_t high = low + size;
  while (low + 1 < high) {
    const uint64_t middle = low + (high - low) / 2;
    (walk(start, middle) <= budget ? low : high) = middle;
  }
  return low;
}

const std::vector<uint32_t>& ProseTokens::with_tokens(uint32_t tokens) const {
  static const std::vector<uint32_t> kNone;
  return tokens < by_count_.size() ? by_count_[tokens] : kNone;
}

}  // namespace fathom

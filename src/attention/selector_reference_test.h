// Random cases for selectors, and each selector's formula once more, slow and plain: sets of block
// numbers, everything computed anew at every query.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "attention/selector.h"
#include "base/random.h"

namespace fathom::selector_reference {

using Blocks = std::set<int64_t>;
using Rows = std::vector<std::vector<double>>;  // [row][block]

inline constexpr int kCases = 1'200;
inline constexpr int kLayers = 2;

// Small whole numbers, so that sums are exact and ties happen.
struct SelectorCase {
  AttentionShape shape;
  SelectorOptions options;
  int64_t prompt = 0;  // tokens
  int64_t masked = 0;  // first masked position
  int64_t positions = 0;
  int64_t span = 0;                         // of a sliding window; 0: none
  std::vector<float> keys;                  // [layer][kv head][position][head_size]
  std::vector<std::vector<float>> queries;  // [layer * positions + position]
  std::vector<int32_t> tokens;
  TokenSpan question;
  std::vector<TokenSpan> evidence;

  mutable std::vector<std::vector<double>> weights = {};  // those known, by layer, query and head

  [[nodiscard]] double key(int layer, int g, int64_t j, int i) const {
    return keys[static_cast<size_t>(
        (((layer * shape.kv_heads + g) * positions) + j) * shape.head_size + i)];
  }
  [[nodiscard]] double query(int layer, int64_t t, int head, int i) const {
    return queries[static_cast<size_t>(layer * positions + t)]
                  [size_t(head) * size_t(shape.head_size) + size_t(i)];
  }
  [[nodiscard]] int64_t first(int64_t t) const {
    return span == 0 ? 0 : std::max<int64_t>(0, t - span + 1);
  }
  [[nodiscard]] int64_t blocks(int64_t t) const { return t / options.block + 1; }
  [[nodiscard]] KeyView key_view(int layer) const {
    return {keys.data() + int64_t{layer} * shape.kv_heads * positions * shape.head_size, positions,
            positions};
  }
  [[nodiscard]] QueryView query_view(int layer, int64_t t) const {
    return {.layer = layer,
            .position = t,
            .first = first(t),
            .query = queries[static_cast<size_t>(layer * positions + t)]};
  }
};

inline SelectorCase random_case(SelectorKind kind, uint64_t number) {
  Random random(RandomKey(number).with(to_text(kind)), "selector case");
  SelectorCase c;
  c.shape.kv_heads = static_cast<int>(random.between(1, 3));
  c.shape.query_heads = c.shape.kv_heads * static_cast<int>(random.between(1, 3));
  c.shape.head_size = static_cast<int>(random.between(1, 6));
  c.prompt = random.between(2, 50);
  // Mostly the prompt's end, which keeps cases short; sometimes the whole of it.
  const int64_t earliest = random.below(4) == 0 ? 0 : std::max<int64_t>(0, c.prompt - 8);
  c.masked = random.between(earliest, c.prompt - 1);
  c.positions = c.prompt + random.between(0, 4);
  c.span = random.below(4) == 0 ? random.between(1, 30) : 0;
  c.options.kind = kind;
  c.options.block = random.between(1, 9);
  c.options.budget = c.options.block + random.between(0, c.positions);
  c.options.sinks = random.between(0, 4);
  c.options.window = random.between(0, 8);
  c.options.observed = random.between(1, 8);
  c.options.pooling = 1 + 2 * random.between(0, 3);
  c.options.sharing = static_cast<HeadSharing>(random.below(4));
  c.options.seed = random.below(5);
  const size_t row = size_t(c.shape.kv_heads) * size_t(c.shape.head_size);
  for (size_t i = 0; i < kLayers * row * static_cast<size_t>(c.positions); ++i)
    c.keys.push_back(static_cast<float>(random.between(-2, 2)));
  for (int64_t t = 0; t < kLayers * c.positions; ++t) {
    std::vector<float>& query = c.queries.emplace_back();
    for (int i = 0; i < c.shape.query_heads * c.shape.head_size; ++i)
      query.push_back(static_cast<float>(random.between(-2, 2)));
  }
  for (int64_t i = 0; i < c.prompt; ++i) c.tokens.push_back(static_cast<int32_t>(random.below(12)));
  c.question = {static_cast<uint64_t>(c.masked), static_cast<uint64_t>(c.prompt)};
  for (int64_t i = random.between(0, 2); i > 0; --i) {
    const auto begin = static_cast<uint64_t>(random.between(0, c.prompt - 1));
    c.evidence.push_back(
        {begin, std::min<uint64_t>(begin + 1 + random.below(4), static_cast<uint64_t>(c.prompt))});
  }
  return c;
}

// Continuous values: no ties, whose order the rounding of long sums would decide.
inline void make_continuous(SelectorCase& c, uint64_t number) {
  Random random(RandomKey(number), "continuous");
  for (float& key : c.keys) key += static_cast<float>(random.uniform());
  for (std::vector<float>& query : c.queries)
    for (float& value : query) value += static_cast<float>(random.uniform());
}

inline const std::vector<double>& weights_of(const SelectorCase& c, int layer, int64_t t,
                                             int head) {
  const int64_t heads = c.shape.query_heads;
  c.weights.resize(static_cast<size_t>(kLayers * c.positions * heads));
  std::vector<double>& weights =
      c.weights[static_cast<size_t>((layer * c.positions + t) * heads + head)];
  if (!weights.empty()) return weights;
  weights.resize(static_cast<size_t>(t + 1));
  double sum = 0;
  for (int64_t j = c.first(t); j <= t; ++j) {
    double product = 0;
    for (int i = 0; i < c.shape.head_size; ++i)
      product += c.query(layer, t, head, i) * c.key(layer, head / c.shape.group(), j, i);
    weights[static_cast<size_t>(j)] = std::exp(product / std::sqrt(double(c.shape.head_size)));
    sum += weights[static_cast<size_t>(j)];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

inline Blocks always_kept(const SelectorCase& c, int64_t t) {
  Blocks kept = {t / c.options.block};
  for (int64_t j = c.first(t); j <= t; ++j)
    if (j < c.options.sinks || j > t - c.options.window) kept.insert(j / c.options.block);
  return kept;
}

inline Blocks evidence_blocks(const SelectorCase& c, int64_t t) {
  Blocks blocks;
  for (const TokenSpan& span : c.evidence)
    for (int64_t j = static_cast<int64_t>(span.begin); j < static_cast<int64_t>(span.end); ++j)
      if (j >= c.first(t) && j <= t) blocks.insert(j / c.options.block);
  return blocks;
}

// Near-equal sums count as ties, which the lower block wins.
inline void take_best(const std::vector<double>& scores, const SelectorCase& c, int64_t t,
                      int64_t most, const Blocks& barred, Blocks& kept) {
  while (static_cast<int64_t>(kept.size()) < most) {
    int64_t best = -1;
    for (int64_t b = c.first(t) / c.options.block; b < c.blocks(t); ++b) {
      if (kept.contains(b) || barred.contains(b)) continue;
      if (best < 0 || scores[static_cast<size_t>(b)] > scores[static_cast<size_t>(best)]) best = b;
    }
    if (best < 0) return;
    kept.insert(best);
  }
}

inline Rows per_query_head(const SelectorCase& c, int64_t t,
                           const std::function<double(int, int64_t)>& of) {
  Rows rows(static_cast<size_t>(c.shape.query_heads));
  for (int head = 0; head < c.shape.query_heads; ++head)
    for (int64_t b = 0; b < c.blocks(t); ++b)
      rows[static_cast<size_t>(head)].push_back(b < c.first(t) / c.options.block ? 0 : of(head, b));
  return rows;
}

inline double dot_extreme(const SelectorCase& c, int layer, int64_t t, int head, int64_t b) {
  double bound = 0;
  for (int i = 0; i < c.shape.head_size; ++i) {
    double best = -1e9;
    for (int64_t j = b * c.options.block; j <= std::min(t, (b + 1) * c.options.block - 1); ++j)
      best =
          std::max(best, c.query(layer, t, head, i) * c.key(layer, head / c.shape.group(), j, i));
    bound += best;
  }
  return bound;
}

inline double mean_product(const SelectorCase& c, int layer, int64_t t, int head, int64_t b) {
  double sum = 0;
  int count = 0;
  for (int64_t j = b * c.options.block; j <= std::min(t, (b + 1) * c.options.block - 1); ++j) {
    ++count;
    for (int i = 0; i < c.shape.head_size; ++i)
      sum += c.query(layer, t, head, i) * c.key(layer, head / c.shape.group(), j, i);
  }
  return sum / count;
}

inline double block_mass(const SelectorCase& c, int layer, int64_t t, int head, int64_t b) {
  const std::vector<double>& weights = weights_of(c, layer, t, head);
  double mass = 0;
  for (int64_t j = b * c.options.block; j <= std::min(t, (b + 1) * c.options.block - 1); ++j)
    mass += weights[static_cast<size_t>(j)];
  return mass;
}

inline double pooled_mass(const SelectorCase& c, int layer, int head, int64_t b) {
  const int64_t from = std::max<int64_t>(0, c.masked - c.options.observed);
  std::vector<double> sums(static_cast<size_t>(from));
  for (int64_t t = from; t < c.masked; ++t) {
    const std::vector<double>& weights = weights_of(c, layer, t, head);
    for (size_t j = 0; j < sums.size(); ++j) sums[j] += weights[j];
  }
  double mass = 0;
  for (int64_t j = b * c.options.block; j < std::min(from, (b + 1) * c.options.block); ++j)
    for (int64_t i = j - c.options.pooling / 2; i <= j + c.options.pooling / 2; ++i)
      if (i >= 0 && i < from) mass += sums[static_cast<size_t>(i)] / double(c.options.pooling);
  return mass;
}

inline double line_mass(const SelectorCase& c, int layer, int64_t t, int head, int64_t b) {
  const int64_t from = std::max<int64_t>(0, c.masked - c.options.observed);
  double mass = 0;
  for (int64_t s = from; s < c.masked; ++s) {
    const std::vector<double>& weights = weights_of(c, layer, s, head);
    for (int64_t j = std::max(c.first(t), b * c.options.block);
         j <= std::min(t, (b + 1) * c.options.block - 1); ++j) {
      if (j <= s) mass += weights[static_cast<size_t>(j)];
      if (t - j <= s) mass += weights[static_cast<size_t>(s - (t - j))];
    }
  }
  return c.masked > from ? mass / double(c.masked - from) : 0;
}

inline double bm25(const SelectorCase& c, int64_t b) {
  const auto tokens = static_cast<int64_t>(c.tokens.size());
  const int64_t blocks = (tokens + c.options.block - 1) / c.options.block;
  const auto count = [&](int64_t block, int32_t word) {
    double found = 0;
    for (int64_t j = block * c.options.block; j < std::min(tokens, (block + 1) * c.options.block);
         ++j)
      found += c.tokens[static_cast<size_t>(j)] == word ? 1 : 0;
    return found;
  };
  std::set<int32_t> words;
  for (uint64_t j = c.question.begin; j < c.question.end; ++j) words.insert(c.tokens[j]);
  double score = 0;
  for (const int32_t word : words) {
    double df = 0;
    for (int64_t each = 0; each < blocks; ++each) df += count(each, word) > 0 ? 1 : 0;
    if (2 * df > double(blocks) || b >= blocks) continue;
    const double tf = count(b, word);
    const double length = double(std::min(c.options.block, tokens - b * c.options.block));
    score += std::log(1 + (double(blocks) - df + 0.5) / (df + 0.5)) * tf * 2.2 /
             (tf + 1.2 * (0.25 + 0.75 * length / (double(tokens) / double(blocks))));
  }
  return score;
}

inline double key_norm(const SelectorCase& c, int layer, int64_t t, int g, int64_t b) {
  double sum = 0;
  int count = 0;
  for (int64_t j = b * c.options.block; j <= std::min(t, (b + 1) * c.options.block - 1); ++j) {
    double square = 0;
    for (int i = 0; i < c.shape.head_size; ++i) square += std::pow(c.key(layer, g, j, i), 2);
    sum += std::sqrt(square);
    ++count;
  }
  return -sum / count;
}

inline Rows reference_scores(const SelectorCase& c, SelectorKind kind, int layer, int64_t t) {
  const auto by_head = [&](const std::function<double(int, int64_t)>& of) {
    return per_query_head(c, t, of);
  };
  switch (kind) {
    case SelectorKind::kStreaming: {
      Rows rows(1);
      for (int64_t b = 0; b < c.blocks(t); ++b) rows[0].push_back(double(b));
      return rows;
    }
    case SelectorKind::kBm25: {
      Rows rows(1);
      for (int64_t b = 0; b < c.blocks(t); ++b) rows[0].push_back(bm25(c, b));
      return rows;
    }
    case SelectorKind::kKeyNorm: {
      Rows rows(static_cast<size_t>(c.shape.kv_heads));
      for (int g = 0; g < c.shape.kv_heads; ++g)
        for (int64_t b = 0; b < c.blocks(t); ++b)
          rows[static_cast<size_t>(g)].push_back(key_norm(c, layer, t, g, b));
      return rows;
    }
    case SelectorKind::kQuest:
      return by_head([&](int head, int64_t b) { return dot_extreme(c, layer, t, head, b); });
    case SelectorKind::kMoba:
      return by_head([&](int head, int64_t b) { return mean_product(c, layer, t, head, b); });
    case SelectorKind::kMassOracle:
      return by_head([&](int head, int64_t b) { return block_mass(c, layer, t, head, b); });
    case SelectorKind::kSnapKv:
      return by_head([&](int head, int64_t b) { return pooled_mass(c, layer, head, b); });
    case SelectorKind::kVerticalSlash:
      return by_head([&](int head, int64_t b) { return line_mass(c, layer, t, head, b); });
    default:
      return Rows(1, std::vector<double>(static_cast<size_t>(c.blocks(t))));
  }
}

inline Rows summed(const SelectorCase& c, const Rows& rows) {
  size_t into = rows.size();
  if (c.options.sharing == HeadSharing::kLayer) into = 1;
  if (c.options.sharing == HeadSharing::kKvSum && rows.size() > 1)
    into = static_cast<size_t>(c.shape.kv_heads);
  Rows out(into, std::vector<double>(rows[0].size()));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t b = 0; b < rows[row].size(); ++b) out[row * into / rows.size()][b] += rows[row][b];
  return out;
}

inline std::vector<Blocks> united(const SelectorCase& c, std::vector<Blocks> rows) {
  if (c.options.sharing != HeadSharing::kKvUnion ||
      static_cast<int>(rows.size()) != c.shape.query_heads)
    return rows;
  std::vector<Blocks> groups(static_cast<size_t>(c.shape.kv_heads));
  for (size_t head = 0; head < rows.size(); ++head)
    groups[head / static_cast<size_t>(c.shape.group())].insert(rows[head].begin(),
                                                               rows[head].end());
  return groups;
}

inline std::vector<Blocks> reference(const SelectorCase& c, SelectorKind kind, int layer,
                                     int64_t t) {
  std::vector<Blocks> rows;
  int64_t most = c.options.budget / c.options.block;
  Blocks kept = always_kept(c, t);
  if (kind == SelectorKind::kSnapKv) {
    for (int64_t j = std::max<int64_t>(0, c.masked - c.options.observed); j <= t; ++j)
      if (j >= c.first(t) / c.options.block * c.options.block) kept.insert(j / c.options.block);
    most += c.blocks(t) - c.blocks(c.masked);
  }
  for (const std::vector<double>& scores : summed(c, reference_scores(c, kind, layer, t)))
    take_best(scores, c, t, most, {}, rows.emplace_back(kept));
  return united(c, std::move(rows));
}

inline std::vector<Blocks> blocks_in(const Selection& selection) {
  std::vector<Blocks> out;
  for (const BlockSet& set : selection.sets)
    set.for_each([&blocks = out.emplace_back()](int64_t b) { blocks.insert(b); });
  return out;
}

inline std::unique_ptr<Selector> begun(const SelectorCase& c) {
  auto selector = make_selector(c.options, c.shape, kLayers);
  EXPECT_TRUE(selector) << (selector ? "" : selector.error().message);
  (*selector)->begin({.sample_id = "s",
                      .tokens = c.tokens,
                      .question = c.question,
                      .evidence = c.evidence,
                      .first_masked = c.masked});
  return std::move(*selector);
}

// Runs a whole sample; `check` gets every masked query.
inline void run_case(const SelectorCase& c,
                     const std::function<void(int, int64_t, const Selection&)>& check) {
  const std::unique_ptr<Selector> selector = begun(c);
  for (int64_t t = 0; t < c.positions; ++t) {
    for (int layer = 0; layer < kLayers; ++layer) {
      if (t >= c.masked) {
        check(layer, t, selector->select(c.key_view(layer), c.query_view(layer, t)));
      } else if (t >= selector->observes_from()) {
        selector->observe(c.key_view(layer), c.query_view(layer, t));
      }
    }
  }
}

}  // namespace fathom::selector_reference

// Time that one choice takes beside the attention it stands before: one layer of SmolLM2's shape
// (9 query heads, 3 kv heads of 64), blocks of 32, a budget of 1,024 tokens.
//
//   selector_bench [benchmark's own options]
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/attention_weights.h"
#include "attention/selector.h"
#include "base/random.h"

namespace fathom {
namespace {

constexpr AttentionShape kShape{.query_heads = 9, .kv_heads = 3, .head_size = 64};

struct BenchLayer {
  int64_t positions = 0;
  std::vector<float> keys;
  std::vector<float> query;
  std::vector<float> logits;
  std::vector<int32_t> tokens;

  explicit BenchLayer(int64_t count) : positions(count) {
    Random random(RandomKey(1), "selector bench");
    const auto draw = [&](std::vector<float>& into, int64_t size) {
      for (int64_t i = 0; i < size; ++i)
        into.push_back(static_cast<float>(random.uniform() * 2 - 1));
    };
    draw(keys, kShape.kv_heads * count * kShape.head_size);
    draw(query, int64_t{kShape.query_heads} * kShape.head_size);
    for (int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<int32_t>(random.below(5'000)));
    logits = scaled_products(kShape, key_view(), query_view());
  }
  [[nodiscard]] KeyView key_view() const { return {keys.data(), positions, positions}; }
  [[nodiscard]] QueryView query_view() const {
    return {.layer = 0, .position = positions - 1, .query = query, .logits = logits};
  }
};

// What full attention computes for one query, in f32; the keys stand in for the values.
void attend(benchmark::State& state, const BenchLayer& layer) {
  const int64_t size = kShape.head_size;
  std::vector<float> out(static_cast<size_t>(kShape.query_heads * size));
  for (auto _ : state) {
    const AttentionWeights weights = [&] {
      QueryView view = layer.query_view();
      std::vector<float> products(layer.logits.size());
      for (int64_t head = 0; head < kShape.query_heads; ++head) {
        const float* q = layer.query.data() + head * size;
        const float* rows = layer.keys.data() + head / kShape.group() * layer.positions * size;
        for (int64_t j = 0; j < layer.positions; ++j) {
          float sums[16] = {};
          for (int64_t i = 0; i < size; i += 16)
            for (int64_t lane = 0; lane < 16; ++lane)
              sums[lane] += q[i + lane] * rows[j * size + i + lane];
          float sum = 0;
          for (const float each : sums) sum += each;
          products[static_cast<size_t>(head * layer.positions + j)] = sum / 8;
        }
      }
      view.logits = products;
      return attention_weights(kShape, layer.key_view(), view);
    }();
    std::fill(out.begin(), out.end(), 0.0F);
    for (int head = 0; head < kShape.query_heads; ++head) {
      const float* rows = layer.keys.data() + head / kShape.group() * layer.positions * size;
      float* to = out.data() + head * size;
      const std::span<const float> shares = weights.head(head);
      for (int64_t j = 0; j < layer.positions; ++j)
        for (int64_t i = 0; i < size; ++i) to[i] += shares[j] * rows[j * size + i];
    }
    benchmark::DoNotOptimize(out.data());
  }
}

void choose(benchmark::State& state, const BenchLayer& layer, SelectorKind kind,
            HeadSharing sharing) {
  const SelectorOptions options{.kind = kind, .budget = 1'024, .sharing = sharing};
  const auto selector = make_selector(options, kShape, 1);
  if (!selector) return state.SkipWithError(selector.error().message.c_str());
  (*selector)->begin({.sample_id = "s",
                      .tokens = layer.tokens,
                      .question = {static_cast<uint64_t>(layer.positions - 40),
                                   static_cast<uint64_t>(layer.positions - 1)},
                      .evidence = {},
                      .first_masked = layer.positions - 1});
  if (kind == SelectorKind::kSnapKv || kind == SelectorKind::kVerticalSlash) {
    QueryView before = layer.query_view();
    before.position -= 1;
    before.logits = {};
    (*selector)->observe(layer.key_view(), before);
  }
  const QueryView view = layer.query_view();
  benchmark::DoNotOptimize((*selector)->select(layer.key_view(), view));  // reads all keys once
  for (auto _ : state) benchmark::DoNotOptimize((*selector)->select(layer.key_view(), view));
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const int64_t positions : {2'048, 8'192, 32'768}) {
    const BenchLayer layer(positions);
    const auto add = [&](std::string_view name, auto body) {
      benchmark::RegisterBenchmark(fmt::format("{}/{}", name, positions).c_str(), body)
          ->Unit(benchmark::kMicrosecond);
    };
    add("attention", [layer](benchmark::State& state) { attend(state, layer); });
    for (const SelectorKind kind :
         {SelectorKind::kStreaming, SelectorKind::kRandom, SelectorKind::kQuest,
          SelectorKind::kMoba, SelectorKind::kKeyNorm, SelectorKind::kBm25, SelectorKind::kSnapKv,
          SelectorKind::kVerticalSlash, SelectorKind::kMassOracle, SelectorKind::kH2o,
          SelectorKind::kTova})
      for (const HeadSharing sharing : {HeadSharing::kKvSum, HeadSharing::kQueryHead})
        add(fmt::format("{}/{}", to_text(kind), to_text(sharing)),
            [=](benchmark::State& state) { choose(state, layer, kind, sharing); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace fathom

int main(int argc, char** argv) { return fathom::run(argc, argv); }

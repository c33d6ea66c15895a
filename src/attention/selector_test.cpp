// Each selector against a slow reference written from its formula (spec A2), on random cases with
// grouped heads, partial blocks, ties, sliding windows and budgets below, at and above what is
// always kept.
#include "attention/selector.h"

#include <gtest/gtest.h>

#include "attention/selector_reference_test.h"

namespace fathom {
namespace {

using namespace selector_reference;

class SelectorReference : public testing::TestWithParam<SelectorKind> {};

// Scores that the reference sums in another order may differ in the last bits: sets are compared by
// what they are worth, and block by block where no two scores are that near.
void expect_same_choice(const SelectorCase& c, SelectorKind kind, int layer, int64_t t,
                        const std::vector<Blocks>& got) {
  const std::vector<Blocks> wanted = reference(c, kind, layer, t);
  ASSERT_EQ(got.size(), wanted.size());
  if (got == wanted) return;
  ASSERT_NE(c.options.sharing, HeadSharing::kKvUnion)
      << "unions are compared for exact scores alone";
  const Rows scores = summed(c, reference_scores(c, kind, layer, t));
  for (size_t row = 0; row < got.size(); ++row) {
    ASSERT_EQ(got[row].size(), wanted[row].size());
    double difference = 0;
    for (const int64_t b : got[row]) difference += scores[row][static_cast<size_t>(b)];
    for (const int64_t b : wanted[row]) difference -= scores[row][static_cast<size_t>(b)];
    ASSERT_NEAR(difference, 0, 1e-5);
  }
}

TEST_P(SelectorReference, A2_EqualsItsFormula) {
  int sparse = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    SelectorCase c = random_case(GetParam(), number);
    const bool exact = GetParam() == SelectorKind::kStreaming ||
                       GetParam() == SelectorKind::kQuest || GetParam() == SelectorKind::kBm25;
    if (!exact && c.options.sharing == HeadSharing::kKvUnion)
      c.options.sharing = HeadSharing::kQueryHead;
    run_case(c, [&](int layer, int64_t t, const Selection& selection) {
      const bool all = t - c.first(t) + 1 <= c.options.budget;
      ASSERT_EQ(selection.everything, all) << number;
      if (all) return;
      ++sparse;
      expect_same_choice(c, GetParam(), layer, t, blocks_in(selection));
    });
    ASSERT_FALSE(HasFatalFailure()) << "case " << number;
  }
  EXPECT_GT(sparse, kCases);
}

INSTANTIATE_TEST_SUITE_P(All, SelectorReference,
                         testing::Values(SelectorKind::kStreaming, SelectorKind::kQuest,
                                         SelectorKind::kMoba, SelectorKind::kKeyNorm,
                                         SelectorKind::kBm25, SelectorKind::kMassOracle,
                                         SelectorKind::kSnapKv, SelectorKind::kVerticalSlash),
                         [](const auto& parameter) {
                           std::string name(to_text(parameter.param));
                           std::erase(name, '-');
                           return name;
                         });

// A2: H2O and TOVA forget, so the reference replays the whole sample with plain maps.
struct Replay {
  const SelectorCase& c;
  int layer = 0;
  std::vector<std::vector<double>> sums;  // [query head][block]
  std::vector<Blocks> gone;               // [row]

  void add(int64_t t, const std::vector<Blocks>* kept) {
    sums.resize(static_cast<size_t>(c.shape.query_heads));
    for (int head = 0; head < c.shape.query_heads; ++head) {
      std::vector<double>& own = sums[static_cast<size_t>(head)];
      own.resize(std::max(own.size(), static_cast<size_t>(c.blocks(t))));
      std::vector<double> mass(own.size());
      double all = 0;
      for (int64_t b = c.first(t) / c.options.block; b < c.blocks(t); ++b) {
        const size_t rows = kept == nullptr ? 1 : kept->size();
        const size_t row = static_cast<size_t>(head) * rows / sums.size();
        if (kept != nullptr && !(*kept)[row].contains(b)) continue;
        mass[static_cast<size_t>(b)] = block_mass(c, layer, t, head, b);
        all += mass[static_cast<size_t>(b)];
      }
      for (size_t b = 0; b < own.size(); ++b) own[b] += all > 0 ? mass[b] / all : 0;
    }
  }
  std::vector<Blocks> choose(int64_t t, const Rows& scores) {
    gone.resize(std::max(gone.size(), scores.size()));
    std::vector<Blocks> rows;
    for (size_t row = 0; row < scores.size(); ++row) {
      take_best(scores[row], c, t, c.options.budget / c.options.block, gone[row],
                rows.emplace_back(always_kept(c, t)));
      for (int64_t b = c.first(t) / c.options.block; b < c.blocks(t); ++b)
        if (!rows[row].contains(b)) gone[row].insert(b);
    }
    return rows;
  }
};

TEST(EvictingSelectors, A2_H2oEqualsAReplay) {
  for (uint64_t number = 0; number < kCases; ++number) {
    SelectorCase c = random_case(SelectorKind::kH2o, number);
    make_continuous(c, number);
    std::vector<Replay> replays(kLayers, Replay{c});
    for (int layer = 0; layer < kLayers; ++layer) {
      replays[static_cast<size_t>(layer)].layer = layer;
      for (int64_t t = 0; t < c.masked; ++t) replays[static_cast<size_t>(layer)].add(t, nullptr);
    }
    run_case(c, [&](int layer, int64_t t, const Selection& selection) {
      Replay& replay = replays[static_cast<size_t>(layer)];
      if (selection.everything) return replay.add(t, nullptr);
      Rows scores(static_cast<size_t>(c.shape.query_heads));
      for (size_t head = 0; head < scores.size(); ++head) {
        if (head < replay.sums.size()) scores[head] = replay.sums[head];
        scores[head].resize(static_cast<size_t>(c.blocks(t)));
      }
      const std::vector<Blocks> rows = replay.choose(t, summed(c, scores));
      replay.add(t, &rows);
      ASSERT_EQ(blocks_in(selection), united(c, rows)) << "case " << number << " at " << t;
    });
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
}

TEST(EvictingSelectors, A2_TovaEqualsAReplay) {
  for (uint64_t number = 0; number < kCases; ++number) {
    SelectorCase c = random_case(SelectorKind::kTova, number);
    make_continuous(c, number);
    std::vector<Replay> replays(kLayers, Replay{c});
    run_case(c, [&](int layer, int64_t t, const Selection& selection) {
      if (selection.everything) return;
      Replay& replay = replays[static_cast<size_t>(layer)];
      replay.gone.resize(1);
      Rows mean(1, std::vector<double>(static_cast<size_t>(c.blocks(t))));
      for (int head = 0; head < c.shape.query_heads; ++head) {
        double left = 0;
        for (int64_t b = 0; b < c.blocks(t); ++b)
          if (!replay.gone[0].contains(b)) left += block_mass(c, layer, t, head, b);
        for (int64_t b = 0; b < c.blocks(t); ++b)
          if (!replay.gone[0].contains(b))
            mean[0][static_cast<size_t>(b)] += block_mass(c, layer, t, head, b) / left;
      }
      ASSERT_EQ(blocks_in(selection), replay.choose(t, mean)) << "case " << number << " at " << t;
    });
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
}

TEST(MakeSelector, RefusesWhatCannotWork) {
  const AttentionShape shape{.query_heads = 4, .kv_heads = 2, .head_size = 8};
  const SelectorOptions good{.kind = SelectorKind::kQuest, .budget = 64};
  ASSERT_TRUE(make_selector(good, shape, 4));
  const auto refused = [&](auto change, std::string_view words) {
    SelectorOptions options = good;
    change(options);
    const auto made = make_selector(options, shape, 4);
    ASSERT_FALSE(made) << words;
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
    EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
  };
  refused([](SelectorOptions& o) { o.block = 0; }, "block size");
  refused([](SelectorOptions& o) { o.budget = 31; }, "holds no block of 32");
  refused([](SelectorOptions& o) { o.sinks = -1; }, "sinks");
  refused([](SelectorOptions& o) { o.window = -1; }, "window");
  refused([](SelectorOptions& o) { o.pooling = 4; }, "odd");
  refused([](SelectorOptions& o) { o.observed = 0; }, "observed");
  refused([](SelectorOptions& o) { o.dense_layers = {4}; }, "layers 0 to 3");
  refused([](SelectorOptions& o) { o.dense_layers = {2, 1}; }, "ascend");
  refused([](SelectorOptions& o) { o.kind = SelectorKind::kForced; }, "force it into");
  refused(
      [](SelectorOptions& o) {
        o.kind = SelectorKind::kKnockout;
        o.base = SelectorKind::kEvidence;
      },
      "does not know the evidence");
  EXPECT_FALSE(make_selector(good, {.query_heads = 3, .kv_heads = 2, .head_size = 8}, 4));
}

TEST(SelectorOptions, TextsReadBackAndDenseLayersCount) {
  for (const char* name :
       {"full", "streaming", "random", "quest", "snapkv", "h2o", "tova", "moba", "bm25", "knorm",
        "vertical-slash", "mass-oracle", "oracle", "oracle-random", "forced", "knockout"})
    EXPECT_EQ(to_text(selector_from_text(name).value()), name);
  for (const char* name : {"decode", "question", "prefill"})
    EXPECT_EQ(to_text(scope_from_text(name).value()), name);
  for (const char* name : {"query-head", "kv-union", "kv-sum", "layer"})
    EXPECT_EQ(to_text(sharing_from_text(name).value()), name);
  EXPECT_FALSE(selector_from_text("Quest"));
  const SelectorOptions options{.dense_layers = {1}, .dense_every = 3};
  std::vector<int> dense;
  for (int layer = 0; layer < 8; ++layer)
    if (is_dense(options, layer)) dense.push_back(layer);
  EXPECT_EQ(dense, (std::vector<int>{0, 1, 3, 6}));
}

}  // namespace
}  // namespace fathom

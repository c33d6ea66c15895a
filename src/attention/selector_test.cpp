// Each selector against a slow reference written from its formula (spec A2), on random cases with
// grouped heads, partial blocks, ties, sliding windows and budgets below, at and above what is
// always kept.
#include "attention/selector.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>

#include "attention/selector_reference_test.h"

namespace fathom {
namespace {

using namespace selector_reference;

std::vector<Blocks> blocks_in(const Selection& selection) {
  std::vector<Blocks> out;
  for (const BlockSet& set : selection.sets)
    set.for_each([&blocks = out.emplace_back()](int64_t b) { blocks.insert(b); });
  return out;
}

std::unique_ptr<Selector> begun(const SelectorCase& c) {
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
void run_case(const SelectorCase& c,
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

// Continuous values: no ties, whose order the rounding of long sums would decide.
void make_continuous(SelectorCase& c, uint64_t number) {
  Random random(RandomKey(number), "continuous");
  for (float& key : c.keys) key += static_cast<float>(random.uniform());
  for (std::vector<float>& query : c.queries)
    for (float& value : query) value += static_cast<float>(random.uniform());
}

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

TEST(Quest, A2_ItsBoundIsNeverBelowAProduct) {
  for (uint64_t number = 0; number < kCases; ++number) {
    SelectorCase c = random_case(SelectorKind::kQuest, number);
    make_continuous(c, number);
    c.options.sharing = HeadSharing::kQueryHead;
    c.options.budget = c.options.block;  // one block: the own one, unless another is kept
    c.options.sinks = c.options.window = 0;
    c.options.budget = 2 * c.options.block;
    run_case(c, [&](int layer, int64_t t, const Selection& selection) {
      if (selection.everything) return;
      for (int head = 0; head < c.shape.query_heads; ++head) {
        // The other block that was chosen has a bound no lower than any product elsewhere.
        double chosen = -1e9;
        selection.sets[static_cast<size_t>(head)].for_each([&](int64_t b) {
          if (b != t / c.options.block)
            chosen = std::max(chosen, dot_extreme(c, layer, t, head, b));
        });
        for (int64_t j = c.first(t); j < t / c.options.block * c.options.block; ++j) {
          double product = 0;
          for (int i = 0; i < c.shape.head_size; ++i)
            product += c.query(layer, t, head, i) * c.key(layer, head / c.shape.group(), j, i);
          ASSERT_LE(product, chosen + 1e-9) << "case " << number;
        }
      }
    });
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
}

TEST(EvidenceArms, A2_OracleHoldsTheEvidenceAndNothingElse) {
  for (uint64_t number = 0; number < kCases; ++number) {
    const SelectorCase c = random_case(SelectorKind::kEvidence, number);
    run_case(c, [&](int, int64_t t, const Selection& selection) {
      if (selection.everything) return;
      Blocks wanted = always_kept(c, t);
      wanted.merge(evidence_blocks(c, t));
      ASSERT_EQ(blocks_in(selection), std::vector<Blocks>{wanted}) << number;
    });
  }
}

TEST(EvidenceArms, A2_ForcedKeepsItWithinTheBudgetAndKnockoutNeverReadsIt) {
  const SelectorKind bases[] = {SelectorKind::kFull, SelectorKind::kStreaming,
                                SelectorKind::kRandom, SelectorKind::kQuest, SelectorKind::kH2o};
  for (uint64_t number = 0; number < kCases; ++number) {
    for (const bool forced : {true, false}) {
      SelectorCase c = random_case(SelectorKind::kKnockout, number);
      c.options.kind = forced ? SelectorKind::kForced : SelectorKind::kKnockout;
      c.options.base = bases[number % std::size(bases)];
      if (forced && c.options.base == SelectorKind::kFull) continue;
      const bool unlimited = c.options.base == SelectorKind::kFull;
      run_case(c, [&](int, int64_t t, const Selection& selection) {
        const Blocks evidence = evidence_blocks(c, t);
        if (selection.everything) {
          ASSERT_TRUE(forced || evidence.empty());
          return;
        }
        const bool all = unlimited || t - c.first(t) + 1 <= c.options.budget;
        Blocks kept = always_kept(c, t);
        if (forced) kept.insert(evidence.begin(), evidence.end());
        const auto most =
            std::max(c.options.budget / c.options.block, static_cast<int64_t>(kept.size()));
        for (const Blocks& blocks : blocks_in(selection)) {
          for (const int64_t b : evidence) {
            const bool own = b == t / c.options.block;
            ASSERT_EQ(blocks.contains(b), forced || own) << "case " << number;
          }
          if (c.options.sharing != HeadSharing::kKvUnion && !all) {
            ASSERT_LE(static_cast<int64_t>(blocks.size()), most);
          }
          if (unlimited) {
            ASSERT_EQ(blocks.size() + evidence.size() - evidence.count(t / c.options.block),
                      static_cast<size_t>(c.blocks(t) - c.first(t) / c.options.block));
          }
        }
      });
      ASSERT_FALSE(testing::Test::HasFatalFailure());
    }
  }
}

TEST(RandomSelector, A2_IsAPureFunctionOfSeedSampleAndLayerAndKeepsItsChoice) {
  SelectorCase c = random_case(SelectorKind::kRandom, 1);
  c.span = 0;
  c.positions = 50;
  c.prompt = 48;
  c.masked = 40;
  c.options = {.kind = SelectorKind::kRandom, .budget = 20, .block = 4, .sinks = 1, .window = 1};
  c.keys.assign(c.keys.size() + 100'000, 0);
  c.queries.assign(200, std::vector<float>(64));
  c.tokens.assign(48, 0);
  c.question = {};
  c.evidence.clear();
  const auto choose = [&](uint64_t seed) {
    c.options.seed = seed;
    std::map<int, std::vector<Blocks>> found;
    run_case(c, [&](int layer, int64_t, const Selection& selection) {
      found[layer].push_back(blocks_in(selection).at(0));
    });
    return found;
  };
  const auto one = choose(1);
  EXPECT_EQ(one, choose(1));
  EXPECT_NE(one, choose(2));
  EXPECT_NE(one.at(0), one.at(1));  // layers draw by themselves
  for (const auto& [layer, steps] : one)
    for (const Blocks& blocks : steps) EXPECT_EQ(blocks.size(), 5U);
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

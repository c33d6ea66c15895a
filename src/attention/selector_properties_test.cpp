// What must hold of selectors whatever their scores (spec A2): bounds, evidence in and out, chance,
// and that nothing but the sample decides.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "attention/attention_weights.h"
#include "attention/selector_reference_test.h"

namespace fathom {
namespace {

using namespace selector_reference;

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

// A2: random blocks, with and without the evidence: what must be there, the budget used up, nothing
// invisible, and over the seeds no open block favoured.
TEST(RandomSelector, A2_FillsTheBudgetBesideWhatMustBeThere) {
  for (uint64_t number = 0; number < kCases; ++number) {
    const bool evident = number % 2 == 0;
    const SelectorCase c =
        random_case(evident ? SelectorKind::kEvidenceRandom : SelectorKind::kRandom, number);
    run_case(c, [&](int, int64_t t, const Selection& selection) {
      if (selection.everything) return;
      Blocks needed = always_kept(c, t);
      if (evident) needed.merge(evidence_blocks(c, t));
      const int64_t lowest = c.first(t) / c.options.block;
      const auto wanted =
          std::max(static_cast<int64_t>(needed.size()),
                   std::min(c.options.budget / c.options.block, c.blocks(t) - lowest));
      ASSERT_EQ(selection.sets.size(), 1U);
      const Blocks got = blocks_in(selection)[0];
      ASSERT_EQ(static_cast<int64_t>(got.size()), wanted) << number;
      ASSERT_TRUE(std::includes(got.begin(), got.end(), needed.begin(), needed.end())) << number;
      ASSERT_GE(*got.begin(), lowest);
      ASSERT_LT(*got.rbegin(), c.blocks(t));
    });
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(RandomSelector, A2_FavoursNoBlock) {
  const AttentionShape shape{.query_heads = 1, .kv_heads = 1, .head_size = 1};
  const std::vector<float> keys(80, 0.0F);
  const std::vector<float> query(1, 0.0F);
  constexpr int kDraws = 4'000;
  std::vector<int> drawn(20);
  for (int draw = 0; draw < kDraws; ++draw) {
    const SelectorOptions options{.kind = SelectorKind::kRandom,
                                  .budget = 20,
                                  .block = 4,
                                  .sinks = 0,
                                  .window = 0,
                                  .seed = static_cast<uint64_t>(draw % 8)};
    const auto selector = make_selector(options, shape, 1).value();
    selector->begin({.sample_id = "sample " + std::to_string(draw / 8)});
    const Selection chosen =
        selector->select({keys.data(), 80, 80}, {.position = 79, .query = query});
    chosen.sets.at(0).for_each([&](int64_t b) { ++drawn[static_cast<size_t>(b)]; });
  }
  EXPECT_EQ(drawn[19], kDraws);  // the query's own
  // 4 of 19 each time: 842.1 expected, standard deviation 25.8; five of them allow for 19 blocks.
  for (size_t b = 0; b < 19; ++b) EXPECT_NEAR(drawn[b], kDraws * 4.0 / 19, 5 * 25.8) << b;
}

// The same object after another sample, layers one after the other in place of side by side, and
// logits given in place of computed ones: nothing of it may show.
TEST(Selectors, A2_ChooseTheSameHoweverTheyAreDriven) {
  for (uint64_t number = 0; number < kCases; ++number) {
    const auto kind = static_cast<SelectorKind>(number % 16);
    SelectorCase c = random_case(kind, number);
    if (kind == SelectorKind::kForced || kind == SelectorKind::kKnockout)
      c.options.base = static_cast<SelectorKind>(1 + number / 16 % 11);
    std::map<std::pair<int, int64_t>, Selection> wanted;
    run_case(c, [&](int layer, int64_t t, const Selection& selection) {
      wanted[{layer, t}] = selection;
    });
    const std::unique_ptr<Selector> selector = begun(c);
    for (int pass = 0; pass < 2; ++pass) {
      if (pass == 1)
        selector->begin({.sample_id = "s",
                         .tokens = c.tokens,
                         .question = c.question,
                         .evidence = c.evidence,
                         .first_masked = c.masked});
      for (int layer = kLayers - 1; layer >= 0; --layer) {
        for (int64_t t = 0; t < c.positions; ++t) {
          QueryView view = c.query_view(layer, t);
          const std::vector<float> logits = scaled_products(c.shape, c.key_view(layer), view);
          if (selector->needs_logits() && pass == 1) view.logits = logits;
          if (t >= c.masked) {
            const Selection again = selector->select(c.key_view(layer), view);
            ASSERT_EQ(again, wanted.at({layer, t})) << "case " << number << ", pass " << pass;
          } else if (t >= selector->observes_from()) {
            selector->observe(c.key_view(layer), view);
          }
        }
      }
    }
  }
}

// Dense layers and spans of a foreign file: what lies outside of the prompt is passed over.
TEST(Selectors, A2_TakeQueriesAndSpansOutsideOfThePrompt) {
  for (const SelectorKind kind :
       {SelectorKind::kSnapKv, SelectorKind::kVerticalSlash, SelectorKind::kH2o,
        SelectorKind::kBm25, SelectorKind::kEvidence}) {
    SelectorCase c = random_case(kind, 7);
    const std::vector<TokenSpan> evidence = {{1'000, 2'000}, {5, 3}, {~uint64_t{0}, ~uint64_t{0}}};
    c.options.budget = c.options.block;
    const auto selector = begun(c);
    selector->begin({.sample_id = "s",
                     .tokens = c.tokens,
                     .question = {static_cast<uint64_t>(c.prompt) + 5, 1'000'000},
                     .evidence = evidence,
                     .first_masked = c.masked});
    for (int64_t t = 0; t < c.positions; ++t) selector->observe(c.key_view(0), c.query_view(0, t));
    const int64_t last = c.positions - 1;
    const Selection chosen = selector->select(c.key_view(0), c.query_view(0, last));
    ASSERT_FALSE(chosen.everything);
    for (const BlockSet& set : chosen.sets) EXPECT_TRUE(set.contains(last / c.options.block));
  }
}

// A5: bounds count a pair a block, means half of one, keys half of one each.
TEST(Selectors, A5_CountWhatTheyReadToChoose) {
  const AttentionShape shape{.query_heads = 4, .kv_heads = 2, .head_size = 8};
  const std::map<SelectorKind, double> wanted = {
      {SelectorKind::kStreaming, 0}, {SelectorKind::kRandom, 0},      {SelectorKind::kQuest, 8},
      {SelectorKind::kMoba, 4},      {SelectorKind::kMassOracle, 97}, {SelectorKind::kBm25, 0},
      {SelectorKind::kSnapKv, 0},    {SelectorKind::kH2o, 0},         {SelectorKind::kTova, 0}};
  for (const auto& [kind, pairs] : wanted) {
    const SelectorOptions options{.kind = kind, .budget = 64};
    // 97 positions: three blocks of 32 and one key of a fourth, for each of two heads.
    EXPECT_EQ(make_selector(options, shape, 1).value()->pairs_read_to_select(97), pairs)
        << to_text(kind);
  }
}

}  // namespace
}  // namespace fathom

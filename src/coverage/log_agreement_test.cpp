// A4: what two logs read of one context, against position sets.
#include "coverage/log_agreement.h"

#include <gtest/gtest.h>

#include <map>

#include "coverage/random_log_test.h"

namespace fathom {
namespace {

// Positions of the context, from its start, that a look reads.
std::set<int64_t> of_context(const LoggedSelection& look, int64_t block, const TokenSpan& context) {
  std::set<int64_t> read;
  for (const int64_t j : positions(look, block))
    if (j >= static_cast<int64_t>(context.begin) && j < static_cast<int64_t>(context.end))
      read.insert(j - static_cast<int64_t>(context.begin));
  return read;
}

TEST(LogAgreement, A4_EqualsBruteForceOnRandomLogs) {
  int compared = 0;
  for (uint64_t number = 0; number < 2'000; ++number) {
    SCOPED_TRACE(number);
    const RandomLog a = random_log(number);
    const RandomLog b = random_log(number + 10'000);
    Random random(RandomKey(number), "contexts");
    const uint64_t length = random.below(8);
    const TokenSpan in_a{random.below(4), 0};
    const TokenSpan in_b{random.below(4), 0};
    const TokenSpan span_a{in_a.begin, in_a.begin + length};
    const TokenSpan span_b{in_b.begin, in_b.begin + length};
    std::map<int, std::vector<double>> wanted;
    for (const LoggedSelection& x : a.log.selections)
      for (const LoggedSelection& y : b.log.selections) {
        const int64_t step = x.position - a.log.prompt_tokens;
        if (x.dense || y.dense || x.layer != y.layer || step < -1 ||
            step != y.position - b.log.prompt_tokens)
          continue;
        wanted[x.layer].push_back(
            overlap(of_context(x, a.log.block, span_a), of_context(y, b.log.block, span_b)));
      }
    const std::vector<LayerAgreement> got = log_agreement({&a.log, span_a}, {&b.log, span_b});
    ASSERT_EQ(got.size(), wanted.size());
    size_t place = 0;
    for (const auto& [layer, values] : wanted) {
      double sum = 0;
      for (const double value : values) sum += value;
      EXPECT_EQ(got[place].layer, layer);
      EXPECT_EQ(got[place].steps, static_cast<int64_t>(values.size()));
      EXPECT_NEAR(got[place].jaccard, sum / static_cast<double>(values.size()), 1e-12);
      ++place;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1'000);
}

TEST(LogAgreement, ALogAgreesWithItself) {
  const RandomLog made = random_log(17);
  const TokenSpan all{0, static_cast<uint64_t>(made.log.context_tokens)};
  for (const LayerAgreement& layer : log_agreement({&made.log, all}, {&made.log, all}))
    EXPECT_EQ(layer.jaccard, 1);
}

}  // namespace
}  // namespace fathom

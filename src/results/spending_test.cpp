// Issue 4, point 9: cost and latency by length.
#include "results/spending.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "results/made_run_test.h"
#include "stats/interval.h"

namespace fathom {
namespace {

TEST(Spending, CountsWhatIsReportedAndNothingElse) {
  MadeRun run;
  run.add("vt", 1024, 0, 1.0);
  run.attempt().spent = {.first_token_ms = 100,
                         .total_ms = 300,
                         .usage = {.input = 1000, .cached = 600, .output = 11, .thinking = 4},
                         .memory = {.kv = 1 << 20, .peak = 1 << 30},
                         .tries = 3};
  run.add("vt", 1024, 1, 1.0);  // a server that reports nothing
  run.attempt().spent = {.tries = 1};
  run.add("vt", 1024, 2, 1.0);
  run.attempt().outcome = Outcome::kOutputCut;
  run.attempt().spent = {.first_token_ms = 200, .total_ms = 200, .tries = 1};
  run.add("vt", 1024, 3, std::nullopt);
  run.attempt().outcome = Outcome::kThinkingCut;
  run.add("vt", 1024, 4, 1.0);
  run.not_run();
  const Spending spending = run.results().spending;
  ASSERT_EQ(spending.lengths.size(), 1U);
  const LengthSpending& one = spending.lengths[0];
  EXPECT_EQ(one.attempted, 4);
  EXPECT_EQ(one.requests, 5);
  EXPECT_EQ(one.retried, 1);
  EXPECT_EQ(one.first_token_ms.n, 2);
  EXPECT_EQ(one.first_token_ms.mean, 150);
  EXPECT_EQ(one.first_token_ms.largest, 200);
  EXPECT_EQ(one.warm_first_token_ms.n, 1);  // R7: 600 of the tokens came from a cache
  EXPECT_EQ(one.warm_first_token_ms.mean, 100);
  EXPECT_EQ(one.cold_first_token_ms.n, 0);     // the others say nothing of a cache
  EXPECT_EQ(one.kv_bytes.p50.value, 1 << 20);  // R12
  EXPECT_EQ(one.peak_bytes.largest, 1 << 30);
  EXPECT_EQ(one.peak_bytes.n, 1);
  EXPECT_EQ(one.input.n, 1);
  EXPECT_EQ(one.input.sum, 1000);
  EXPECT_EQ(one.thinking.p50.value, 4);
  EXPECT_EQ(one.input_per_second.n, 1);
  EXPECT_NEAR(one.input_per_second.p50.value, 4000, 1e-9);  // 400 uncached tokens in 100 ms
  EXPECT_NEAR(one.output_per_second.p50.value, 50, 1e-9);   // 10 tokens in 200 ms
  EXPECT_EQ(one.output_cut, wilson(1, 4));
  EXPECT_EQ(one.thinking_cut, wilson(1, 4));
  EXPECT_EQ(spending.all.total_ms, one.total_ms);
  EXPECT_FALSE(spending.all.length);
  EXPECT_EQ(one.length, 0U);
}

TEST(Spending, QuantilesAreThoseOfTheSortedTimes) {
  MadeRun run;
  Random random(RandomKey(3), "times");
  std::vector<double> times;
  for (int64_t index = 0; index < 101; ++index) {
    run.add("vt", 1024, index, 1.0);
    times.push_back(1 + random.uniform() * 1000);
    run.attempt().spent = {.total_ms = times.back(), .tries = 1};
  }
  std::sort(times.begin(), times.end());
  const Quantiles total = run.results().spending.all.total_ms;
  EXPECT_EQ(total.p50.value, times[50]);
  EXPECT_NEAR(total.p95.value, times[95], 1e-9);
  EXPECT_LT(total.p50.low, total.p50.value);
  EXPECT_GT(total.p95.high, total.p95.value);
  EXPECT_EQ(total.p50.n, 101);
}

}  // namespace
}  // namespace fathom

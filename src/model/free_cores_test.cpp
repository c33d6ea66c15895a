#include "model/free_cores.h"

#include <gtest/gtest.h>

#include "base/threads.h"

namespace fathom {
namespace {

TEST(ParseCpuTimes, AddsUpWhatTheKernelSays) {
  const auto times = parse_cpu_times(
      "cpu  100 5 20 800 15 1 2 3 0 0\ncpu0 50 2 10 400 7 0 1 1 0 0\ncpu1 50 3 10 400 8 1 1 2 0 "
      "0\nintr 12345\n");
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->cores, 2);
  EXPECT_EQ(times->idle, 815);
  EXPECT_EQ(times->total, 946);
  for (const char* text : {"", "intr 1\n", "cpu  1 2\n", "cpu  a b c d e f\ncpu0 1\n"})
    EXPECT_FALSE(parse_cpu_times(text).has_value()) << text;
}

TEST(ParseCpuQuota, RoundsDownToWholeCores) {
  EXPECT_EQ(parse_cpu_quota("max 100000\n"), std::nullopt);
  EXPECT_EQ(parse_cpu_quota("150000 100000\n"), 1);
  EXPECT_EQ(parse_cpu_quota("400000 100000"), 4);
  EXPECT_EQ(parse_cpu_quota("20000 100000"), 1);
  EXPECT_EQ(parse_cpu_quota(""), std::nullopt);
  EXPECT_EQ(parse_cpu_quota("100 0"), std::nullopt);
}

TEST(IdleCores, CountsNearlyIdleOnes) {
  const CpuTimes before{.idle = 1000, .total = 5000, .cores = 4};
  const auto after = [&](int64_t idle) {
    return CpuTimes{.idle = 1000 + idle, .total = 5400, .cores = 4};
  };
  EXPECT_EQ(idle_cores(before, after(400), 4), 4);
  EXPECT_EQ(idle_cores(before, after(380), 4), 4);  // 3.8 cores
  EXPECT_EQ(idle_cores(before, after(350), 4), 3);  // 3.5 cores
  EXPECT_EQ(idle_cores(before, after(0), 4), 1);
  EXPECT_EQ(idle_cores(before, after(400), 2), 2);
  EXPECT_EQ(idle_cores(before, before, 3), 3) << "the clock did not move";
}

TEST(MeasureFreeCores, LiesWithinWhatIsAllowed) {
  const int cores = measure_free_cores();
  EXPECT_GE(cores, 1);
  EXPECT_LE(cores, available_cores());
}

}  // namespace
}  // namespace fathom

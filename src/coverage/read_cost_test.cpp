// A5: costs counted by hand, and as sums over (query head, position) on random logs.
#include "coverage/read_cost.h"

#include <gtest/gtest.h>

#include "coverage/random_log_test.h"

namespace fathom {
namespace {

TEST(ReadCost, A5_EqualsCountingPairByPairOnRandomLogs) {
  for (uint64_t number = 0; number < 1'000; ++number) {
    RandomLog made = random_log(number);
    made.log.selections.front().pairs_to_select = 2.5;
    double bytes = 0;
    double full = 0;
    for (const LoggedSelection& each : made.log.selections) {
      for (int64_t j = each.first; j <= each.position; ++j) {
        full += 4 * (1 + 2);
        if (each.everything || each.blocks.contains(j / made.log.block)) bytes += 4 * (1 + 2);
      }
    }
    bytes += 2.5 * 4 * (1 + 2);
    const ReadCost cost = read_cost(read_pairs(made.log), made.log.shape.head_size,
                                    made.log.shape.group(), {.key_bytes = 1, .value_bytes = 2});
    EXPECT_NEAR(cost.bytes, bytes, 1e-9);
    EXPECT_NEAR(cost.bytes_full, full, 1e-9);
    EXPECT_NEAR(cost.share, bytes / full, 1e-12);
    EXPECT_NEAR(cost.flops / cost.flops_full, cost.share, 1e-12);
    EXPECT_EQ(missing_looks(made.log), 0);
  }
}

// One query over 100 positions, 8 query heads on 2 kv heads of 64 numbers.
TEST(ReadCost, A5_CountsFlopsByQueryHead) {
  const ReadCost cost = read_cost({.read = 60, .full = 200, .to_select = 40}, 64, 4);
  EXPECT_EQ(cost.flops_full, 8 * 100 * (2 * 64 + 2 * 64));
  EXPECT_EQ(cost.flops, cost.flops_full / 2);
  EXPECT_EQ(cost.bytes_full, 100 * 2 * 64 * 2 * 2);
  EXPECT_EQ(cost.share, 0.5);
  EXPECT_EQ(read_cost({}, 64, 4).share, 1);
}

TEST(ReadCost, CountsLooksThatAPartialLogLacks) {
  SelectionLog log{.sample_id = "a", .arm = "b", .shape = {1, 1, 1}, .layers = 4, .block = 1};
  for (const auto& [layer, position] : {std::pair(0, 3), {1, 3}, {3, 4}})
    log.selections.push_back(logged(layer, position, 0, nullptr, log.shape, log.block));
  EXPECT_EQ(missing_looks(log), 5);
}

}  // namespace
}  // namespace fathom

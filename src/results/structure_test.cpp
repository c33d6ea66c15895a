// S7: which tasks measure the same thing.
#include "results/structure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;

// Five tasks on two abilities: a, b and c follow the first, d and e the second; f is always right.
std::vector<Results> made_models(int models) {
  std::vector<Results> all;
  for (int model = 0; model < models; ++model) {
    MadeRun run;
    const int first = 5 * model;
    const int second = 3 + (model * 7) % models * 4;
    const std::pair<const char*, int> tasks[] = {{"a", first},  {"b", first + 1},  {"c", first + 2},
                                                 {"d", second}, {"e", second + 1}, {"f", 100}};
    for (const auto& [cell, right] : tasks)
      for (const int64_t length : {1024, 2048})
        for (int64_t index = 0; index < 100; ++index)
          run.add(cell, length, index, index < right ? 1.0 : 0.0);
    if (model == 0) run.add("only the first has it", 1024, 0, 1.0);
    ResultsOptions options;
    options.resamples = 1;
    all.push_back(run.results(options));
  }
  return all;
}

std::vector<NamedResults> named(const std::vector<Results>& results) {
  std::vector<NamedResults> names;
  for (size_t i = 0; i < results.size(); ++i) names.push_back({fmt::format("m{}", i), &results[i]});
  return names;
}

TEST(TaskStructure, GroupsTasksThatGoTogether) {
  const std::vector<Results> models = made_models(8);
  const auto structure = task_structure(named(models));
  ASSERT_TRUE(structure) << structure.error().message;
  EXPECT_THAT(structure->tasks, testing::ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(structure->left_out, testing::ElementsAre("f", "only the first has it"));
  EXPECT_EQ(structure->scores.size(), 40U);
  EXPECT_NEAR(structure->scores[15], 0.15, 1e-12);  // model 3, task a
  EXPECT_NEAR(structure->correlations[1].value, 1, 1e-12);
  EXPECT_EQ(structure->correlations[1].n, 8);
  EXPECT_NEAR(structure->correlations[0 * 5 + 3].value, structure->correlations[3 * 5 + 0].value,
              0);
  EXPECT_EQ(structure->groups, (std::vector<size_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(structure->steps.size(), 4U);
  std::vector<size_t> order = structure->order;
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
  // Leaves of one group stand together.
  const auto group_at = [&](size_t place) { return structure->groups[structure->order[place]]; };
  int changes = 0;
  for (size_t place = 1; place < 5; ++place)
    changes += group_at(place) != group_at(place - 1) ? 1 : 0;
  EXPECT_EQ(changes, 1);
  ASSERT_FALSE(structure->subsets.empty());
  EXPECT_LE(structure->smallest.error, kSubsetTolerance);
  EXPECT_GE(structure->smallest.tasks.size(), 2U);
}

TEST(TaskStructure, RefusesTooLittle) {
  const std::vector<Results> models = made_models(3);
  std::vector<NamedResults> two = named(models);
  two.pop_back();
  EXPECT_THAT(task_structure(two).error().message, HasSubstr("at least 3 runs"));
  MadeRun lone;
  lone.add("a", 1024, 0, 1.0);
  const Results one = lone.results();
  std::vector<NamedResults> poor = {{"x", &one}, {"y", &one}, {"z", &one}};
  EXPECT_THAT(task_structure(poor).error().message, HasSubstr("at least two are needed"));
}

TEST(TaskStructure, OfManyTasksTriesTheMedoidsOfGroups) {
  std::vector<Results> models;
  for (uint64_t model = 0; model < 5; ++model) {
    MadeRun run;
    for (int task = 0; task < 20; ++task) {
      Random random(RandomKey(model).with(static_cast<uint64_t>(task)), "score");
      const auto right = static_cast<int64_t>(random.below(41));
      for (int64_t index = 0; index < 40; ++index)
        run.add(fmt::format("t{}", task), 1024, index, index < right ? 1.0 : 0.0);
    }
    ResultsOptions options;
    options.resamples = 1;
    models.push_back(run.results(options));
  }
  const auto structure = task_structure(named(models));
  ASSERT_TRUE(structure) << structure.error().message;
  EXPECT_GT(structure->tasks.size(), kMostSubsetTasks);
  ASSERT_FALSE(structure->subsets.empty());
  EXPECT_LT(structure->subsets.size(), kMostSubsetTasks);
  for (const PredictiveSubset& subset : structure->subsets)
    for (const size_t task : subset.tasks) EXPECT_LT(task, structure->tasks.size());
}

}  // namespace
}  // namespace fathom

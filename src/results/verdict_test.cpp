// V2: the verdict in words, with conditions, intervals and what is left open.
#include "results/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/made_run_test.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;

const RunDescription kSmall = {
    .name = "runs/a", .model = "SmolLM2-135M", .settings = "greedy, no thinking"};

void add_task(MadeRun& run, const std::string& cell, int64_t samples,
              const std::vector<double>& right) {
  const int64_t lengths[] = {1024, 2048, 4096, 8192};
  for (size_t i = 0; i < right.size(); ++i)
    for (int64_t index = 0; index < samples; ++index)
      run.add(cell, lengths[i], index,
              static_cast<double>(index) < right[i] * static_cast<double>(samples) ? 1.0 : 0.0);
}

TEST(Verdict, NamesTheLengthOfEveryCategory) {
  MadeRun run;
  add_task(run, "niah_single_1", 100, {1, 1, 0.2, 0});
  add_task(run, "vt", 100, {0.1, 0, 0, 0});
  add_task(run, "cwe", 100, {0.1, 0, 0, 0});
  add_task(run, "qa_1", 100, {1, 1, 1, 1});
  const Verdict verdict = verdict_of(run.results(), kSmall);
  EXPECT_EQ(verdict.headline,
            "SmolLM2-135M (greedy, no thinking): 2K on retrieval, below 1K on tracking and "
            "aggregation, 8K and beyond on question answering.");
  EXPECT_THAT(verdict.details, HasSubstr("The mean of 4 tasks stays below 85.6 % already at 1K"));
  EXPECT_THAT(verdict.details, Not(HasSubstr("  ")));
}

TEST(Verdict, NamesTheFirstToBreakWhereThatIsKnown) {
  MadeRun clear;
  add_task(clear, "niah_single_1", 100, {1, 1, 0.2, 0});
  add_task(clear, "vt", 100, {1, 0.1, 0, 0});
  EXPECT_THAT(verdict_of(clear.results(), kSmall).details,
              HasSubstr("The first to break is tracking."));
  MadeRun tied;
  add_task(tied, "niah_single_1", 100, {0, 0, 0, 0});
  add_task(tied, "vt", 100, {0, 0, 0, 0});
  add_task(tied, "cwe", 100, {0, 0, 0, 0});
  EXPECT_THAT(verdict_of(tied.results(), kSmall).details, Not(HasSubstr("first to break")));
}

TEST(Verdict, SaysWhatIsOpenAndWhatWouldSettleIt) {
  MadeRun run;
  add_task(run, "niah_single_1", 20, {1, 0.9, 0.8, 0});
  const Verdict verdict = verdict_of(run.results(), kSmall);
  EXPECT_THAT(verdict.headline, HasSubstr("2K on retrieval ("));
  EXPECT_THAT(verdict.details, HasSubstr("unresolved"));
  EXPECT_THAT(verdict.details, HasSubstr("samples a cell instead of 20 would settle it"));
  EXPECT_THAT(verdict.details, HasSubstr("1 task "));
}

TEST(Verdict, SettledLengthsAskForNothing) {
  MadeRun run;
  add_task(run, "niah_single_1", 200, {1, 1, 0.3, 0});
  const Verdict verdict = verdict_of(run.results(), kSmall);
  EXPECT_THAT(verdict.headline, HasSubstr("2K on retrieval."));
  EXPECT_THAT(verdict.details, Not(HasSubstr("would settle")));
}

TEST(Verdict, NamesWhatAReaderMustKnow) {
  MadeRun run;
  add_task(run, "niah_single_1", 50, {1, 0.5, 1, 0});
  run.add("vt", 1024, 0, std::nullopt);
  run.add("vt", 1024, 1, 1.0);
  run.not_run();
  for (int64_t index = 2; index < 60; ++index) {
    run.add("vt", 1024, index, 1.0);
    run.attempt().strict = 0;
  }
  const std::string words = verdict(run.results(), kSmall);
  EXPECT_THAT(words, HasSubstr("1 of 260 samples are not run yet"));
  EXPECT_THAT(words, HasSubstr("1 of 259 requests failed and count as wrong"));
  EXPECT_THAT(words, HasSubstr("Read strictly"));
  EXPECT_THAT(words, HasSubstr("Not every length has every task"));
  EXPECT_THAT(words, HasSubstr("not monotone"));
}

TEST(Verdict, OfNothingPromisesNothing) {
  EXPECT_EQ(verdict(build_results({}, {}), {.model = "m"}), "m: nothing measured yet.");
  MadeRun failed;
  for (int64_t index = 0; index < 3; ++index) failed.add("vt", 1024, index, std::nullopt);
  EXPECT_THAT(verdict(failed.results(), kSmall), HasSubstr("none of 3 requests was answered"));
  MadeRun waiting;
  waiting.add("vt", 1024, 0, 1.0);
  waiting.not_run();
  EXPECT_THAT(verdict(waiting.results(), kSmall), HasSubstr("nothing measured yet"));
}

TEST(Verdict, OfASimulatedReaderSaysSo) {
  const testing_run::SyntheticRun run = testing_run::synthetic_run();
  const Verdict verdict = verdict_of(run.results, run.description);
  EXPECT_TRUE(verdict.headline.starts_with("Simulated reader "));
  EXPECT_THAT(verdict.headline, HasSubstr("retrieval"));
}

}  // namespace
}  // namespace fathom

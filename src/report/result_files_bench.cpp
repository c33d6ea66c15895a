// Time to write the result files of 100,000 samples: thirteen tasks at six lengths.
//
//   result_files_bench
#include <benchmark/benchmark.h>

#include <filesystem>

#include "base/random.h"
#include "report/result_files.h"

namespace fathom {
namespace {

Results made_results(int64_t count) {
  constexpr const char* kTasks[] = {"niah_single_1",
                                    "niah_single_2",
                                    "niah_single_3",
                                    "niah_multikey_1",
                                    "niah_multikey_2",
                                    "niah_multikey_3",
                                    "niah_multivalue",
                                    "niah_multiquery",
                                    "vt",
                                    "cwe",
                                    "fwe",
                                    "qa_1",
                                    "qa_2"};
  std::vector<SampleFacts> samples;
  std::vector<ScoredAttempt> scores;
  for (int64_t i = 0; i < count; ++i) {
    Random random(RandomKey(1).with(static_cast<uint64_t>(i)), "bench");
    SampleFacts facts;
    facts.length = int64_t{4096} << (i * 6 / count);
    facts.cell = facts.task = kTasks[i % 13];
    facts.index = i / 13;
    facts.id = fmt::format("{}:{}:{}", facts.cell, facts.length, facts.index);
    facts.hash = "0123456789abcdef0123456789abcdef";
    const bool right = random.uniform() < 0.8;
    ScoredAttempt score;
    score.sample_id = facts.id;
    score.sample_hash = facts.hash;
    score.task = score.cell = facts.cell;
    score.length = facts.length;
    score.index = facts.index;
    score.outcome = Outcome::kAnswered;
    score.official = right ? 1 : 0;
    score.strict = score.official;
    score.found = {right};
    if (!right) score.misses = {{Miss::kWrongBinding, "7654321 belongs to calm-river"}};
    score.spent = {12.5, 340.25, {facts.length, 0, -1, 24, -1}, 1};
    samples.push_back(std::move(facts));
    scores.push_back(std::move(score));
  }
  return build_results(std::move(samples), std::move(scores));
}

void BM_WriteResultFiles(benchmark::State& state) {
  const Results results = made_results(100'000);
  const RunDescription run{.name = "bench", .model = "bench"};
  const std::string folder = std::filesystem::temp_directory_path() / "fathom_result_files_bench";
  for (auto _ : state) {
    const auto written = write_result_files(folder, results, run);
    if (!written) state.SkipWithError(written.error().message.c_str());
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(BM_WriteResultFiles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fathom

BENCHMARK_MAIN();

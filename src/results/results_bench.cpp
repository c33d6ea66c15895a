// Time from scores to all numbers of a run, for 100,000 samples: thirteen tasks at six lengths, a
// reader that gets worse with length, 0/1 scores and fractions, depths and evidence spans.
//
//   results_bench [SAMPLES]
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "base/random.h"
#include "results/results.h"

namespace fathom {
namespace {

struct Made {
  std::vector<SampleFacts> samples;
  std::vector<ScoredAttempt> scores;
};

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
constexpr int64_t kLengths = 6;

// `sharing`: indices that share one haystack; 1: none.
Made make_run(int64_t count, int64_t sharing) {
  Made made;
  const auto tasks = static_cast<int64_t>(std::size(kTasks));
  const int64_t each = count / (tasks * kLengths);
  for (int64_t length = 0; length < kLengths; ++length)
    for (int64_t task = 0; task < tasks; ++task)
      for (int64_t index = 0; index < each; ++index) {
        const auto at = static_cast<uint64_t>((length * tasks + task) * each + index);
        Random random(RandomKey(1).with(at), "bench");
        SampleFacts facts;
        facts.cell = facts.task = kTasks[task];
        facts.length = int64_t{4096} << length;
        facts.index = index;
        facts.id = fmt::format("{}:{}:{}", facts.cell, facts.length, index);
        facts.haystack = fmt::format("noise:{}:{}", task, index / sharing);
        facts.prompt_tokens = facts.length;
        facts.evidence = task < 6 ? 1 : 4;
        if (task < 6) facts.depth = random.uniform();
        const uint64_t begin = random.below(static_cast<uint64_t>(facts.length) / 2);
        facts.evidence_tokens = {begin, begin + 1 + random.below(begin + 1)};
        const double skill = 0.99 - 0.03 * static_cast<double>(length * (1 + task % 4));
        ScoredAttempt score;
        score.sample_id = facts.id;
        score.task = score.cell = facts.cell;
        score.length = facts.length;
        score.index = index;
        score.outcome = random.uniform() < 0.01 ? Outcome::kTimedOut : Outcome::kAnswered;
        if (score.outcome == Outcome::kAnswered) {
          const int parts = task >= 6 && task < 10 ? 4 : 1;
          double right = 0;
          for (int part = 0; part < parts; ++part) right += random.uniform() < skill ? 1 : 0;
          score.official = right / parts;
          score.strict = *score.official;
          if (*score.strict < 1) score.misses = {{.kind = Miss::kWrongBinding}};
        }
        score.spent = {.first_token_ms = 1 + 100 * random.uniform(),
                       .total_ms = 200 + 100 * random.uniform(),
                       .usage = {.input = facts.length, .output = 10},
                       .tries = 1};
        made.samples.push_back(std::move(facts));
        made.scores.push_back(std::move(score));
      }
  return made;
}

void build(benchmark::State& state, const Made& made, int threads) {
  ResultsOptions options;
  options.threads = threads;
  for (auto _ : state) {
    state.PauseTiming();
    Made copy = made;
    state.ResumeTiming();
    const Results results = build_results(std::move(copy.samples), std::move(copy.scores), options);
    if (results.total.attempted != static_cast<int64_t>(made.scores.size()))
      state.SkipWithError("samples are missing");
  }
  state.counters["samples"] = static_cast<double>(made.samples.size());
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const int64_t count = argc > 1 ? std::atoll(argv[1]) : 100'000;
  for (const int64_t sharing : {1, 10}) {
    const Made made = make_run(count, sharing);
    for (const int threads : {1, 2})
      benchmark::RegisterBenchmark(
          fmt::format("build_results/sharing:{}/threads:{}", sharing, threads).c_str(),
          [made, threads](benchmark::State& state) { build(state, made, threads); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace fathom

int main(int argc, char** argv) { return fathom::run(argc, argv); }

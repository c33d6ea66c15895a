// Time from scores to all numbers of a run, for 100,000 samples.
//
//   results_bench [SAMPLES]
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "results/results.h"
#include "runs/large_run.h"

namespace fathom {
namespace {

using testing_run::large_run;
using testing_run::LargeRun;

void build(benchmark::State& state, const LargeRun& made, int threads) {
  ResultsOptions options;
  options.threads = threads;
  for (auto _ : state) {
    state.PauseTiming();
    LargeRun copy = made;
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
    const LargeRun made = large_run(count, sharing);
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

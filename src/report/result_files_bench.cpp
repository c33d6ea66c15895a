// Time to write the result files of 100,000 samples.
//
//   result_files_bench
#include <benchmark/benchmark.h>

#include <filesystem>
#include <utility>

#include "report/result_files.h"
#include "runs/large_run.h"

namespace fathom {
namespace {

void BM_WriteResultFiles(benchmark::State& state) {
  testing_run::LargeRun made = testing_run::large_run(100'000, 1);
  const Results results = build_results(std::move(made.samples), std::move(made.scores));
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

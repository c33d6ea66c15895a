// Time to make one exact sample of 131,072 tokens, by task, on a real vocabulary (FATHOM_DEPS_DIR).
// The exactness of each sample is checked before its time counts.
#include <benchmark/benchmark.h>

#include "suite/maker.h"
#include "task/task.h"

namespace fathom {
namespace {

void make_samples(benchmark::State& state, const SampleMaker& maker, const std::string& task,
                  int64_t length) {
  SuiteTask row;
  row.name = task;
  row.cell = task;
  int64_t index = 0;
  int64_t tokens = 0;
  for (auto _ : state) {
    const auto sample = maker.make(row, length, index++);
    if (!sample || sample->off_by != 0) {
      state.SkipWithError(sample ? "not exact" : sample.error().message.c_str());
      return;
    }
    tokens += sample->tokens.total;
  }
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(tokens), benchmark::Counter::kIsRate);
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string name = argc > 1 ? argv[1] : "llama3_1";
  const int64_t length = argc > 2 ? std::atoll(argv[2]) : 131072;
  const auto tokenizer =
      load_tokenizer(std::string(FATHOM_DEPS_DIR) + "/tokenizers/" + name + "/tokenizer.json");
  if (!tokenizer) {
    fmt::print(stderr, "{}\n", tokenizer.error().message);
    return 1;
  }
  const auto corpora = load_corpora({{"essay", std::string(FATHOM_DEPS_DIR) + "/books"}});
  if (!corpora) {
    fmt::print(stderr, "{}\n", corpora.error().message);
    return 1;
  }
  const auto maker = SampleMaker::create({}, *tokenizer, *corpora, ChatWrapper::none());
  if (!maker) {
    fmt::print(stderr, "{}\n", maker.error().message);
    return 1;
  }
  for (const Task* task : tasks()) {
    if (!task->info().corpus.empty()) continue;
    benchmark::RegisterBenchmark(task->info().name.c_str(), [&maker, task, length](auto& state) {
      make_samples(state, *maker, task->info().name, length);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace fathom

int main(int argc, char** argv) { return fathom::run(argc, argv); }

// How long intervals take: 50 models x 13 tasks x 8 lengths, 10,000 resamples a cell.
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <vector>

#include "base/threads.h"
#include "sections.h"
#include "simulation.h"
#include "stats/bootstrap.h"
#include "stats/effective_length.h"
#include "stats/interval.h"

namespace fathom::simulation {
namespace {

constexpr size_t kCells = 50 * 13 * 8;
// References a sample of RULER's thirteen tasks has: scores are multiples of 1 / references.
constexpr int kReferences[] = {1, 1, 1, 1, 1, 1, 4, 4, 5, 10, 3, 1, 1};

std::vector<std::vector<double>> made_up_cells(size_t n) {
  std::vector<std::vector<double>> cells(kCells);
  for (size_t cell = 0; cell < kCells; ++cell) {
    Random random(RandomKey(5).with(cell), "cells");
    const double mean = 0.3 + 0.7 * random.uniform();
    for (size_t i = 0; i < n; ++i)
      cells[cell].push_back(draw_score(random, mean, kReferences[cell % 13]));
  }
  return cells;
}

struct Taken {
  double wall = 0;
  double processor = 0;  // of all threads
};

template <typename Work>
Taken taken_by(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t ticks = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC};
}

}  // namespace

void report_speed() {
  print_head({"intervals of 5,200 cells", "samples a cell", "wall seconds, two threads",
              "processor seconds", "a cell, ms"});
  const auto report = [](const std::string& name, size_t n, const Taken& taken) {
    print_row({name, std::to_string(n), fmt::format("{:.2f}", taken.wall),
               fmt::format("{:.2f}", taken.processor),
               fmt::format("{:.3f}", 1e3 * taken.processor / kCells)});
  };
  for (const size_t n : {100U, 500U}) {
    const std::vector<std::vector<double>> cells = made_up_cells(n);
    std::vector<Estimate> found(kCells);
    report("fathom, default (Wilson, effective n)", n, taken_by([&] {
             parallel_for(kCells, 2, [&](size_t i) { found[i] = mean_score(cells[i]); });
           }));
    report("fathom, bootstrap, exact", n, taken_by([&] {
             parallel_for(kCells, 2, [&](size_t i) { found[i] = bootstrap_mean(cells[i]); });
           }));
    report("fathom, bootstrap, 10,000 resamples drawn", n, taken_by([&] {
             parallel_for(kCells, 2, [&](size_t i) {
               found[i].value = resampled_means(cells[i], {.key = RandomKey(i)}).back();
             });
           }));
  }
}

}  // namespace fathom::simulation

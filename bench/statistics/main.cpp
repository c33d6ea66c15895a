// statistics_bench SECTION [TRIALS]: one section of docs/bench-statistics.md as a Markdown table.
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "sections.h"

int main(int argc, char** argv) {
  using namespace fathom::simulation;
  const std::map<std::string, std::function<void(int64_t)>> sections = {
      {"proportions", [](int64_t) { report_proportions(); }},
      {"fractions", report_fractions},
      {"clusters", report_clusters},
      {"task-means", report_task_means},
      {"effective-lengths", report_effective_lengths},
      {"other-lengths", report_other_lengths},
      {"paired-intervals", report_paired_intervals},
      {"paired-tests", report_paired_tests},
      {"gate", report_gate},
      {"corrections", report_corrections},
      {"speed", [](int64_t) { report_speed(); }},
  };
  const auto section = argc > 1 ? sections.find(argv[1]) : sections.end();
  if (section == sections.end()) {
    fmt::print(stderr, "usage: statistics_bench SECTION [TRIALS]; sections:");
    for (const auto& [name, report] : sections) fmt::print(stderr, " {}", name);
    fmt::print(stderr, "\n");
    return 2;
  }
  section->second(argc > 2 ? std::atoll(argv[2]) : 1000);
  return 0;
}

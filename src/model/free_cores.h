// How many cores are idle now. ggml's threads spin at barriers, so a thread on a busy core slows
// all the others down many times.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

// Sum over all cores of the time spent, in ticks, from the text of /proc/stat; nullopt where it has
// another form.
struct CpuTimes {
  int64_t idle = 0;
  int64_t total = 0;
  int cores = 0;
};
[[nodiscard]] std::optional<CpuTimes> parse_cpu_times(std::string_view proc_stat);

// The limit of the control group ("max 100000", "150000 100000") in whole cores, at least 1;
// nullopt: no limit.
[[nodiscard]] std::optional<int> parse_cpu_quota(std::string_view cpu_max);

// Cores idle between two readings, a core that is a quarter busy or less counting as idle; at least
// 1, at most `allowed`.
[[nodiscard]] int idle_cores(const CpuTimes& before, const CpuTimes& after, int allowed);

// Measures for 100 ms. Where /proc cannot be read, the cores this process may use.
[[nodiscard]] int measure_free_cores();

}  // namespace fathom

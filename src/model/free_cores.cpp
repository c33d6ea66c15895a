#include "model/free_cores.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/threads.h"
#include "io/file.h"
#include "text/lines.h"

namespace fathom {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(" \t\n", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t\n", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

std::optional<int64_t> number(std::string_view word) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<CpuTimes> read_cpu_times() {
  const Result<std::string> text = read_file("/proc/stat");
  return text ? parse_cpu_times(*text) : std::nullopt;
}

}  // namespace

std::optional<CpuTimes> parse_cpu_times(std::string_view proc_stat) {
  CpuTimes times;
  for (const std::string_view line : split_lines(proc_stat)) {
    if (!line.starts_with("cpu")) continue;
    const std::vector<std::string_view> words = words_of(line);
    if (words.front() != "cpu") {
      ++times.cores;
      continue;
    }
    // user nice system idle iowait irq softirq steal; guest times after them are part of user.
    if (words.size() < 6) return std::nullopt;
    for (size_t i = 1; i < words.size() && i <= 8; ++i) {
      const std::optional<int64_t> ticks = number(words[i]);
      if (!ticks) return std::nullopt;
      times.total += *ticks;
      if (i == 4 || i == 5) times.idle += *ticks;
    }
  }
  if (times.cores == 0 || times.total == 0) return std::nullopt;
  return times;
}

std::optional<int> parse_cpu_quota(std::string_view cpu_max) {
  const std::vector<std::string_view> words = words_of(cpu_max);
  if (words.size() != 2) return std::nullopt;
  const std::optional<int64_t> quota = number(words[0]);
  const std::optional<int64_t> period = number(words[1]);
  if (!quota || !period || *period <= 0) return std::nullopt;
  return static_cast<int>(std::max<int64_t>(1, *quota / *period));
}

int idle_cores(const CpuTimes& before, const CpuTimes& after, int allowed) {
  const int64_t total = after.total - before.total;
  if (total <= 0) return std::max(1, allowed);
  const double idle =
      static_cast<double>(after.idle - before.idle) / static_cast<double>(total) * after.cores;
  return std::clamp(static_cast<int>(idle + 0.25), 1, std::max(1, allowed));
}

int measure_free_cores() {
  int allowed = available_cores();
  if (const Result<std::string> text = read_file("/sys/fs/cgroup/cpu.max"))
    if (const std::optional<int> quota = parse_cpu_quota(*text))
      allowed = std::min(allowed, *quota);
  const std::optional<CpuTimes> before = read_cpu_times();
  if (!before) return allowed;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::optional<CpuTimes> after = read_cpu_times();
  return after ? idle_cores(*before, *after, allowed) : allowed;
}

}  // namespace fathom

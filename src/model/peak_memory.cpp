#include "model/peak_memory.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace fathom {

std::optional<int64_t> parse_peak_memory(std::string_view proc_status) {
  constexpr std::string_view kKey = "VmHWM:";
  const size_t line = proc_status.find(kKey);
  if (line == std::string_view::npos) return std::nullopt;
  const size_t start = proc_status.find_first_not_of(" \t", line + kKey.size());
  if (start == std::string_view::npos) return std::nullopt;
  int64_t kibibytes = 0;
  const auto [end, error] = std::from_chars(proc_status.data() + start,
                                            proc_status.data() + proc_status.size(), kibibytes);
  if (error != std::errc() || kibibytes < 0 || kibibytes > (int64_t{1} << 50)) return std::nullopt;
  return kibibytes * 1024;
}

void reset_peak_memory() {
  constexpr char kResetPeak = '5';  // proc(5), clear_refs
  std::ofstream("/proc/self/clear_refs") << kResetPeak;
}

int64_t peak_memory_bytes() {
  const std::ifstream status("/proc/self/status");
  std::ostringstream text;
  text << status.rdbuf();
  return parse_peak_memory(text.str()).value_or(-1);
}

}  // namespace fathom

#include "model/llama_log.h"

#include <llama.h>

#include <deque>
#include <mutex>

#include "model/one_line.h"

namespace fathom {
namespace {

constexpr size_t kKept = 4;

struct Complaints {
  std::mutex mutex;
  std::deque<std::string> lines;
  bool continues = false;  // the last level was a complaint: GGML_LOG_LEVEL_CONT belongs to it
};

Complaints& complaints() {
  static Complaints* instance = new Complaints;  // llama.cpp may log while the process ends
  return *instance;
}

void keep(ggml_log_level level, const char* text, void*) {
  Complaints& all = complaints();
  const std::lock_guard lock(all.mutex);
  if (level == GGML_LOG_LEVEL_CONT) {
    if (all.continues && !all.lines.empty()) all.lines.back() += text;
    return;
  }
  all.continues = level == GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_ERROR;
  if (!all.continues) return;
  all.lines.emplace_back(text);
  if (all.lines.size() > kKept) all.lines.pop_front();
}

}  // namespace

void capture_llama_log() {
  static const bool done = [] {
    llama_log_set(keep, nullptr);
    return true;
  }();
  static_cast<void>(done);
}

void clear_llama_log() {
  const std::lock_guard lock(complaints().mutex);
  complaints().lines.clear();
}

std::string last_llama_complaints() {
  const std::lock_guard lock(complaints().mutex);
  std::string out;
  for (const std::string& line : complaints().lines) {
    const std::string clean = one_line(line, 300);
    if (clean.empty()) continue;
    if (!out.empty()) out += "; ";
    out += clean;
  }
  return out;
}

}  // namespace fathom

// What llama.cpp says goes here instead of the terminal; its last complaints explain a failed load.
#pragma once

#include <string>

namespace fathom {

// Takes over llama.cpp's log, process-wide. Idempotent, thread-safe.
void capture_llama_log();

// Forgets what was said so far.
void clear_llama_log();

// The last warnings and errors, oldest first, joined by "; ", control bytes removed; empty when
// there were none.
[[nodiscard]] std::string last_llama_complaints();

}  // namespace fathom

// The machine a run was made on, for its record (R12).
#pragma once

#include <cstdint>
#include <string>

namespace fathom {

struct Machine {
  std::string host;
  std::string cpu;  // model name; empty: not told
  int cores = 0;    // this process may use
  int64_t memory_bytes = 0;
  std::string system;  // kernel name, release and architecture
  bool operator==(const Machine&) const = default;
};

[[nodiscard]] Machine this_machine();

}  // namespace fathom

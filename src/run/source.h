// Where a run gets its samples: an ordered list whose descriptions are cheap and whose prompts are
// made or read only when they are sent, so that a dataset of 100 GB needs the memory of the
// requests in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "task/sample.h"

namespace fathom {

// What planning, ordering and resuming need to know of a sample.
struct SampleInfo {
  std::string id;
  std::string hash;    // Sample::hash(); empty where only making the sample would tell
  std::string cell;    // task with its swept parameters
  int64_t length = 0;  // target, tokens
  int64_t index = 0;
  std::string haystack;  // Sample::haystack; empty: shares nothing
  SampleTokens tokens;   // prompt and reserve are needed; the rest may stay 0

  bool operator==(const SampleInfo&) const = default;
};

// Single-threaded: the run calls it from its own loop.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  [[nodiscard]] virtual size_t count() const = 0;
  // Requires: position < count(). Cheap: called for every sample before the run starts. Ids are
  // unique.
  [[nodiscard]] virtual Result<SampleInfo> info(size_t position) = 0;
  // The whole sample, made or read on demand; called once for each request that is started (again
  // for a resumed run, not for a retry).
  [[nodiscard]] virtual Result<std::shared_ptr<const Sample>> sample(size_t position) = 0;
};

}  // namespace fathom

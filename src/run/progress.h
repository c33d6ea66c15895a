// How far a run is: a plain snapshot that a display pulls (V1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

struct LengthProgress {
  int64_t length = 0;
  int64_t total = 0;   // attempts in all
  int64_t before = 0;  // of them, finished by earlier sessions
  int64_t done = 0;    // of them, finished now or before
  int64_t failed = 0;  // of done, outcomes that are not complete
  int64_t running = 0;
  double per_minute =
      0;  // attempts finished in this session per minute of work on this length; 0: unknown
  double eta_s = -1;  // seconds until this length is done; -1: unknown
  bool operator==(const LengthProgress&) const = default;
};

struct Progress {
  std::vector<LengthProgress> lengths;  // ascending
  int64_t total = 0;
  int64_t before = 0;
  int64_t done = 0;
  int64_t failed = 0;
  int64_t running = 0;
  int64_t waiting_retry = 0;
  int64_t retries = 0;  // sent again in this session
  int64_t prompt_tokens =
      0;  // read by the model in this session, a running prefill included where the model tells
  int64_t output_tokens = 0;
  int64_t allowed_at_once = 0;     // the adaptive limit in force
  double elapsed_s = 0;            // of this session
  double prompt_tokens_per_s = 0;  // over the last half minute
  double eta_s = -1;               // -1: unknown
  std::string waiting_for;         // why nothing is started now: "server asks to wait 12 s"; empty:
                                   // nothing special
  bool stopping = false;
  bool operator==(const Progress&) const = default;
};

// "45 s", "1:05 min", "2 h 03 min"; "?" for a negative or absurd number.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace fathom

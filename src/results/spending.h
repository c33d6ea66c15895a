// What answers took by length: time to the first token and to the last, tokens, memory, retries.
// Over first attempts that got a reply; what a server does not report is left out and counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

struct Results;

// Of one quantity over samples. `p50`, `p95`: quantiles with intervals from order statistics, in
// the quantity's own unit; n says how many reported it (0: nobody).
struct Quantiles {
  Estimate p50;
  Estimate p95;
  double mean = 0;
  double sum = 0;
  double largest = 0;
  int64_t n = 0;
  bool operator==(const Quantiles&) const = default;
};

struct LengthSpending {
  std::optional<size_t> length;  // into Results::lengths; none: the whole run
  int64_t attempted = 0;
  Quantiles first_token_ms;
  Quantiles cold_first_token_ms;  // of those with no token from a cache (R7)
  Quantiles warm_first_token_ms;  // of those with some
  Quantiles total_ms;
  Quantiles input;              // tokens, cached ones included
  Quantiles cached;             // of input
  Quantiles output;             // tokens, thinking included
  Quantiles thinking;           // of output
  Quantiles input_per_second;   // uncached input tokens over the time to the first token
  Quantiles output_per_second;  // output tokens after the first over the time they took
  Quantiles kv_bytes;           // of the prompt's and the answer's keys and values (R12)
  Quantiles peak_bytes;         // most the process held; in-process models alone say
  Estimate output_cut;          // share of the attempted whose answer reached the output limit
  Estimate thinking_cut;        // share that spent it on thinking
  int64_t retried = 0;          // attempts that took more than one request
  int64_t requests = 0;         // requests sent, retries included
  bool operator==(const LengthSpending&) const = default;
};

struct Spending {
  LengthSpending all;
  std::vector<LengthSpending> lengths;  // one per length, in order
  bool operator==(const Spending&) const = default;
};

// Needs axes, rows and scores of `results`. O(n log n).
[[nodiscard]] Spending spending_of(const Results& results);

}  // namespace fathom

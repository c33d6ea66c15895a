// Full, oracle and real attention on the same samples (spec A6): where a sparse arm loses, and to
// what. An answer is right where its official score is 1; a failed request is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results.h"
#include "stats/paired.h"

namespace fathom {

// Counts of the eight outcomes: [full right][oracle right][real right].
struct CrossCells {
  std::array<std::array<std::array<int64_t, 2>, 2>, 2> count = {};

  [[nodiscard]] int64_t n() const;
  [[nodiscard]] int64_t full_right() const;
  [[nodiscard]] int64_t oracle_right() const;
  [[nodiscard]] int64_t real_right() const;
  // Right with full attention, wrong where only the evidence is read: sparsity itself costs it.
  [[nodiscard]] int64_t sparsity_loss() const;
  // Right with the evidence, wrong with the real selection: the selector costs it.
  [[nodiscard]] int64_t selector_loss() const;
  // Wrong with full attention, right with the real selection.
  [[nodiscard]] int64_t luck() const;
  [[nodiscard]] PairedCounts full_real() const;    // a: full
  [[nodiscard]] PairedCounts full_oracle() const;  // a: full
  [[nodiscard]] PairedCounts oracle_real() const;  // a: oracle
  bool operator==(const CrossCells&) const = default;
};

// A group of samples with its exact McNemar tests; `…_holm` among the groups of the same kind.
struct CrossGroup {
  std::string kind;  // "all", "length", "task", "evidence", "span"
  std::string name;  // "2K", "vt", "4 pieces", "to 1/4 of the prompt"
  CrossCells cells;
  Estimate full_minus_real = {};  // mean difference of right answers, Tango's interval
  double p_full_real = 1;
  double p_full_oracle = 1;
  double p_oracle_real = 1;
  double p_full_real_holm = 1;
  double p_oracle_real_holm = 1;
};

struct CrossTable {
  std::string full;  // names of the arms
  std::string oracle;
  std::string real;
  int64_t left_out = 0;                 // samples that one of the three has not answered yet
  std::vector<CrossGroup> groups = {};  // all, then lengths, tasks, evidence counts, spans
};

struct CrossArm {
  std::string name;
  const Results* results = nullptr;  // owned by the caller
};

// Samples are matched by id and hash. Error (kUsage): nothing is shared.
[[nodiscard]] Result<CrossTable> cross_table(const CrossArm& full, const CrossArm& oracle,
                                             const CrossArm& real);

}  // namespace fathom

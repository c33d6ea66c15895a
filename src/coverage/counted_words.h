// Tasks that ask for the most frequent words (CWE, FWE): can the answer still be told from the
// occurrences that were read? (spec A4, "estimated vs true counts")
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attention/selection_log.h"
#include "base/span.h"

namespace fathom {

struct CountedWord {
  std::vector<TokenSpan> places;  // every occurrence in the prompt
  bool wanted = false;            // the answer names it
};

// Means over looks. A look has seen an occurrence whose tokens it reads all of.
struct CountedReading {
  int layer = 0;
  int64_t looks = 0;
  double seen = 0;         // share of all occurrences
  double seen_wanted = 0;  // share of the wanted words' occurrences
  // Spearman's correlation of seen with true counts; none where all counts are equal in every look.
  std::optional<double> rank_correlation = std::nullopt;
  // Seen count of the rarest wanted word less that of the most frequent other one, in occurrences;
  // the true one is gap().
  double gap = 0;
  double told_apart = 0;  // share of looks whose gap is above 0
  bool operator==(const CountedReading&) const = default;
};

// In the full text. Without other words: the rarest wanted word's count.
[[nodiscard]] double gap(std::span<const CountedWord> words);

// By masked layer. O(looks · tokens of all occurrences).
[[nodiscard]] std::vector<CountedReading> counted_words(const SelectionLog& log,
                                                        std::span<const CountedWord> words);

}  // namespace fathom

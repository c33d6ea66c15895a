// Compares the server's count of prompt tokens with fathom's: a short count means that the prompt
// was cut, a constant difference that the dataset was made with another tokenizer or template (R4).
// The rule is in docs/design/running.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

enum class CountResult {
  kUnchecked,  // one of the counts is not known
  kMatches,    // equal, but for what a template may add or joints may merge
  kShort,
  kLong,
};

struct TokenCounts {
  int64_t expected = 0;   // 0: unknown
  int64_t reported = -1;  // -1: not reported
  bool operator==(const TokenCounts&) const = default;
};

// Single-threaded.
class CountCheck {
 public:
  // `raw`: the exact text was sent, so that counts must agree; false: the server's own template
  // puts text around it.
  explicit CountCheck(bool raw) : raw_(raw) {}

  [[nodiscard]] CountResult check(const TokenCounts& counts) const;
  // From here on counts are expected to keep the ratio that `first` show (their median): another
  // tokenizer was accepted. A count that falls 10 % and the slack below it is still short; no count
  // is long any more.
  void accept_ratio(const std::vector<TokenCounts>& first);
  [[nodiscard]] double ratio() const { return ratio_; }

 private:
  bool raw_;
  double ratio_ = 1;
  bool accepted_ = false;
};

// The error text for first replies that all disagree: names both counts of the first one, the
// likely causes and the remedy.
[[nodiscard]] std::string count_mismatch_text(const std::vector<TokenCounts>& counts);

}  // namespace fathom

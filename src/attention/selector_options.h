// How a sparse arm chooses and when it masks; all of it stands in the run record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// Formulas and sources: each selector's own file.
enum class SelectorKind {
  kFull,       // masks nothing
  kStreaming,  // sinks and the most recent tokens
  kRandom,
  kQuest,
  kSnapKv,
  kH2o,
  kTova,
  kMoba,  // block means
  kBm25,
  kKeyNorm,
  kVerticalSlash,
  kMassOracle,      // blocks with most attention mass: reads every key
  kEvidence,        // the always-kept set and the evidence, nothing else
  kEvidenceRandom,  // and random blocks up to the budget
  kForced,          // `base`'s choice with the evidence put in for its lowest
  kKnockout,        // `base`'s choice (kFull: everything) without the evidence
  kExternal,        // a server's own: how it reads is not fathom's to say
};
[[nodiscard]] std::string_view to_text(SelectorKind kind);  // "full", "streaming", "quest" …
[[nodiscard]] Result<SelectorKind> selector_from_text(std::string_view text);

enum class SelectorScope {
  kDecode,          // only generated tokens read sparsely
  kQuestionDecode,  // from the end of the context on
  kPrefill,         // every token
};
[[nodiscard]] std::string_view to_text(SelectorScope scope);  // "decode", "question", "prefill"
[[nodiscard]] Result<SelectorScope> scope_from_text(std::string_view text);

// Whose scores count together, and how many sets a layer has.
enum class HeadSharing {
  kQueryHead,  // a set per query head; reading costs the union over a group
  kKvUnion,    // chosen per query head, read by the whole group: may exceed the budget
  kKvSum,      // scores summed over the group, one choice per kv head
  kLayer,      // scores summed over all heads, one choice
};
[[nodiscard]] std::string_view to_text(HeadSharing sharing);  // "query-head", "kv-union" …
[[nodiscard]] Result<HeadSharing> sharing_from_text(std::string_view text);

struct SelectorOptions {
  SelectorKind kind = SelectorKind::kFull;
  SelectorKind base = SelectorKind::kFull;  // of kForced and kKnockout
  int64_t budget = 0;                       // tokens a query may read, its own included
  int64_t block = 32;                       // tokens; 1: single tokens
  int64_t sinks = 4;                        // always kept: the first tokens …
  int64_t window = 32;                      // … and the last, the query's own among them
  SelectorScope scope = SelectorScope::kQuestionDecode;
  HeadSharing sharing = HeadSharing::kKvSum;
  std::vector<int> dense_layers = {};  // mask nothing; ascending
  int dense_every = 0;                 // layers 0, n, 2n … mask nothing; 0: none
  bool sliding_layers = false;         // mask sliding-window layers too
  uint64_t seed = 0;                   // of kRandom and kEvidenceRandom
  int64_t observed = 32;               // queries that SnapKV and vertical-slash look at
  int64_t pooling = 7;                 // SnapKV's kernel, odd
  bool operator==(const SelectorOptions&) const = default;
};
[[nodiscard]] bool is_dense(const SelectorOptions& options, int layer);

}  // namespace fathom

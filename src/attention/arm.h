// Arms of a paired comparison: ways to attend, by name (spec A1; docs/sparse-attention.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attention/selector_options.h"
#include "base/result.h"
#include "io/json.h"

namespace fathom {

struct AttentionArm {
  // "full", "oracle", "quest-256", "random-256-s3", "knockout-quest-256"; with layers left alone
  // "quest-256-every4", "quest-256-dense0+1", "quest-256-dense0-3+8".
  std::string name;
  SelectorOptions options = {};
  // The address or model that answers for this arm; empty: fathom's own engine. Of `options` only
  // the kind counts then: kFull, kEvidence or kExternal.
  std::string server = {};
  // The arm of the same study whose wrong answers alone this one is asked; empty: every sample.
  std::string only_failed = {};
  bool operator==(const AttentionArm&) const = default;
};

// What the command line asks for.
struct ArmList {
  std::vector<std::string> kinds;  // "full", "quest", "forced:quest", "knockout" (of full) …
  std::vector<int64_t> budgets;    // tokens; every kind that has a budget gets each
  int64_t seeds = 5;               // of kinds that draw
  SelectorOptions options = {};    // the rest
};

// One arm a kind, budget and seed, in that order. Errors (kUsage): an unknown kind, a kind that
// needs a budget without one, two arms of one name, options that no selector takes.
[[nodiscard]] Result<std::vector<AttentionArm>> arms_of(const ArmList& list);

[[nodiscard]] Json arm_json(const AttentionArm& arm);
// Errors: kInput naming the reader's place.
[[nodiscard]] Result<AttentionArm> arm_from_json(const JsonReader& reader);

}  // namespace fathom

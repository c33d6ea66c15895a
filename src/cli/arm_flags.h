// The flags of a study of arms: fathom run SUITE --model model.gguf --arms full,oracle,quest.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "attention/arm.h"
#include "base/result.h"

namespace fathom {

// What a study keeps of each answer beside its score (docs/formats/arms.md).
enum class ArmRecord {
  kCoverage,    // coverage.jsonl
  kSelections,  // and selections.jsonl.zst: what each query read
  kDeep,        // and deep/ of full attention: keys and queries (docs/formats/recording.md)
};

struct ArmFlags {
  std::string arms;
  std::string budgets;
  std::string dense_layers;
  std::string scope;
  std::string sharing;
  std::string only_failed;
  bool noise_floor = false;
  ArmRecord record = ArmRecord::kSelections;
  ArmList list;
};

void add_arm_flags(CLI::App& command, ArmFlags& flags);
// Those of selectors alone, for commands that run no model.
void add_selector_flags(CLI::App& command, ArmFlags& flags);
// Empty where --arms is not given. Errors: kUsage naming the flag.
[[nodiscard]] Result<std::vector<AttentionArm>> arms_of(const ArmFlags& flags);

}  // namespace fathom

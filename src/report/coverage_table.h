// What arms kept of the evidence, for people and for programs (spec A4).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coverage/coverage.h"
#include "io/json.h"
#include "report/terminal_table.h"

namespace fathom {

// An arm and the coverage of its samples.
struct CoveredArm {
  std::string name;
  std::vector<SampleCoverage> samples;
};

// A row an arm with its early, middle and late layers below it, then what its scores rank and where
// its chains break. Lines within the style's width; UTF-8. Untrusted names are made safe.
[[nodiscard]] std::string coverage_table(std::span<const CoveredArm> arms, const TableStyle& style);

// Of a mean over samples: docs/formats/arms.md, "arms-summary.json".
[[nodiscard]] Json coverage_json(const SampleCoverage& coverage);
// {"first", "last", "joint", …}: neighbouring layers taken together.
[[nodiscard]] Json layer_group_json(const LayerGroup& group);
// {"arm", "samples", "read_share", "coverage", "breaks", "groups"}: docs/sparse-attention.md.
[[nodiscard]] Json covered_arm_json(const CoveredArm& arm);

}  // namespace fathom

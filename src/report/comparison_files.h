// Comparisons as files: comparison.json, comparison.csv, comparison.md
// (docs/formats/comparison.md).
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "io/json.h"
#include "results/comparison.h"

namespace fathom {

[[nodiscard]] Json comparison_json(std::span<const Comparison> comparisons);
[[nodiscard]] std::string comparison_csv(std::span<const Comparison> comparisons);
[[nodiscard]] std::string comparison_markdown(std::span<const Comparison> comparisons);

// Into `folder`, which is made where it is missing.
[[nodiscard]] Result<void> write_comparison_files(const std::string& folder,
                                                  std::span<const Comparison> comparisons);

}  // namespace fathom

// coverage.jsonl of an arm: one line a sample (docs/formats/arms.md, "coverage.jsonl").
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "coverage/coverage.h"
#include "io/json.h"

namespace fathom {

// One line, without its newline.
[[nodiscard]] std::string coverage_line(const SampleCoverage& coverage);
// Of several lines about one sample the last counts; in order of first appearance. A missing file
// holds none. Errors: kIo; kInput "FILE:LINE: …".
[[nodiscard]] Result<std::vector<SampleCoverage>> read_coverage(const std::string& path);

// The object "ranking" of a line.
[[nodiscard]] Json ranking_json(const CandidateRanking& ranking);

// Means over samples; layers by their number. 0 where there are none.
[[nodiscard]] SampleCoverage mean_coverage(const std::vector<SampleCoverage>& samples);

}  // namespace fathom

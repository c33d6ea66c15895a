// What a run and its report need to know of every sample, without the prompts: one line a sample in
// FOLDER/samples.jsonl, so that a run of 100,000 long samples resumes and reports at once. File
// form: docs/formats/run.md.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "results/sample_facts.h"
#include "run/source.h"
#include "task/sample.h"

namespace fathom {

struct SampleLine {
  SampleFacts facts;
  SampleTokens tokens;
  bool operator==(const SampleLine&) const = default;
};

[[nodiscard]] SampleLine line_of(const Sample& sample);
[[nodiscard]] SampleInfo info_of(const SampleLine& line);

[[nodiscard]] Result<void> write_sample_index(const std::string& path,
                                              const std::vector<SampleLine>& lines);
// Errors: kIo; kInput "FILE:LINE: …".
[[nodiscard]] Result<std::vector<SampleLine>> read_sample_index(const std::string& path);

}  // namespace fathom

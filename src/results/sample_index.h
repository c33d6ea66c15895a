// What a run and its report need to know of every sample, without the prompts: one line a sample in
// FOLDER/samples.jsonl, so that a run of 100,000 long samples resumes and reports at once. File
// form: docs/formats/run.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "results/sample_facts.h"
#include "run/source.h"
#include "suite/dataset.h"
#include "task/sample.h"

namespace fathom {

struct SampleLine {
  SampleFacts facts;
  SampleTokens tokens;
  bool operator==(const SampleLine&) const = default;
};

[[nodiscard]] SampleLine line_of(const Sample& sample);
[[nodiscard]] SampleInfo info_of(const SampleLine& line);

// Where the sample of line `line` of an index, counted from 0, stands in the dataset.
[[nodiscard]] size_t place_in_dataset(const SampleFacts& facts, size_t line);

// The lines with these ids, in their order, each with its place in the dataset.
[[nodiscard]] std::vector<SampleLine> only_samples(std::vector<SampleLine> lines,
                                                   const std::unordered_set<std::string>& ids);

[[nodiscard]] Result<void> write_sample_index(const std::string& path,
                                              const std::vector<SampleLine>& lines);
// Errors: kIo; kInput "FILE:LINE: …". Lines of an older fathom, without what grading knows beyond
// the references ("expects"), are read too: answers are then graded by their references alone.
[[nodiscard]] Result<std::vector<SampleLine>> read_sample_index(const std::string& path);

// Whether a file is there that is not of an older fathom: its first line has all that is written
// today, or is damaged, which reading it will say. O(1).
[[nodiscard]] bool is_current_sample_index(const std::string& path);

// Puts back the lines of the index at `path`, where there is one, for samples that are made
// differently today: they are what was answered. Returns how many.
[[nodiscard]] size_t keep_answered_samples(const std::string& path, std::vector<SampleLine>& lines);

// Writes the index of a dataset whose samples can be read or made without a model, over an older
// one as keep_answered_samples() has it. `progress` is called with samples done and their number.
// Returns how many samples keep their older line. Errors: those of the dataset and its sources.
[[nodiscard]] Result<size_t> remake_sample_index(
    const std::string& path, const Dataset& dataset,
    const std::function<void(int64_t, int64_t)>& progress);

}  // namespace fathom

// From a sample to what is sent to a model.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/span.h"
#include "model/model.h"
#include "run/settings.h"
#include "task/sample.h"

namespace fathom {

// Of the prompt as it is sent under `policy`: the answer prefix counts unless it is dropped.
[[nodiscard]] int64_t expected_prompt_tokens(const SampleTokens& tokens, PrefixPolicy policy);
// Where the evidence stands in the prompt with its answer prefix, in its own order; no distractors.
[[nodiscard]] std::vector<TokenSpan> evidence_places(const Sample& sample);
[[nodiscard]] int64_t output_ceiling(const SampleTokens& tokens, const RunSettings& settings);

// The request's texts share the sample's memory. `number`: which of the k attempts; each has its
// own decoding seed.
[[nodiscard]] Request make_request(const std::shared_ptr<const Sample>& sample, int64_t number,
                                   const RunSettings& settings);

// The leading bytes that two prompts share.
[[nodiscard]] size_t shared_bytes(const std::string& left, const std::string& right);

}  // namespace fathom

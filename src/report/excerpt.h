// The parts of a prompt that a reader of a result wants to see: the text around each piece of
// evidence, and the end of the prompt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/span.h"
#include "task/sample.h"

namespace fathom {

struct ExcerptMark {
  ByteSpan bytes;  // in ExcerptPart::text
  std::string role;
  bool distractor = false;
  bool answer = false;  // the answer's own text inside the evidence
  bool operator==(const ExcerptMark&) const = default;
};

struct ExcerptPart {
  uint64_t offset = 0;  // of its first byte in Sample::full_text()
  std::string text;     // valid UTF-8; cut on character borders
  std::vector<ExcerptMark> marks = {};
  bool operator==(const ExcerptPart&) const = default;
};

struct ExcerptLimits {
  uint64_t around_bytes = 200;  // kept on each side of a piece of evidence
  uint64_t end_bytes = 300;  // kept of the end of the prompt (the question and the answer prefix)
  uint64_t total_bytes = 4000;  // of all parts; evidence comes first, distractors last
};

// Parts in the order of the prompt, without overlap. Invalid UTF-8 becomes U+FFFD, and the marks
// still point at the same text.
[[nodiscard]] std::vector<ExcerptPart> excerpt_of(const Sample& sample,
                                                  const ExcerptLimits& limits = {});

}  // namespace fathom

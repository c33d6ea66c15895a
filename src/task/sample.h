// One test input: the prompt, what the right answer is, and where in the prompt that answer rests.
// A sample is a pure function of (suite version, task, parameters, length, tokenizer, template,
// seed, index): spec G3. File form: docs/formats/dataset.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/span.h"
#include "task/metric.h"
#include "task/parameters.h"
#include "task/variant.h"

namespace fathom {

// Byte spans count from the start of Sample::full_text(); token spans from the start of its
// encoding.
struct Evidence {
  std::string role;  // "needle", "hop", "list", "gold document", "common word", "distractor" …
  int order = 0;     // place in a chain or among the references, from 0
  bool distractor = false;  // resembles evidence, but the answer does not rest on it
  ByteSpan bytes;
  TokenSpan tokens;
  ByteSpan answer_bytes;  // the answer's own text inside `bytes`; empty where there is none
  double depth = 0;       // start of the evidence in the context: 0 = first byte, 1 = end

  bool operator==(const Evidence&) const = default;
};

struct SampleTokens {
  int64_t prompt = 0;   // of full_text(), with BOS and everything the template adds
  int64_t reserve = 0;  // kept free for the answer
  int64_t total = 0;  // what the length counts (see LengthCounts): equals Sample::length, or misses
                      // it by `off_by`
  int64_t prefix = 0;   // of prompt, those that go when the answer prefix is dropped
  int64_t context = 0;  // of prompt, those of the context (haystack with evidence)
  bool operator==(const SampleTokens&) const = default;
};

enum class MessageRole { kSystem, kUser, kAssistant };
[[nodiscard]] const char* to_text(MessageRole role);

// A chat message is a span of Sample::prompt: the template put its own text around it.
struct SampleMessage {
  MessageRole role = MessageRole::kUser;
  ByteSpan bytes;
  bool operator==(const SampleMessage&) const = default;
};

struct Sample {
  std::string id;    // "niah_single_1:4096:0", or "niah_single_1[keys=4]:4096:0" where parameters
                     // differ from the task's own
  std::string task;  // name in the suite: "niah_single_1"
  std::string cell;  // task with its swept parameters: "niah_single_1[keys=4]"; equals task where
                     // nothing is swept
  SampleVariant variant;  // control or robustness variant; ordinary where it is neither
  Parameters parameters;  // all of them, defaults included
  int64_t length = 0;     // target, tokens; 0: none, the sample is as long as its text (a control)
  int64_t index = 0;      // same index = same needles, question and order at every length
  uint64_t seed = 0;

  std::string prompt;         // exact text before the answer prefix, chat template included
  std::string answer_prefix;  // the start of the answer, given to the model after the template's
                              // assistant header
  std::vector<SampleMessage> messages;  // the chat messages inside `prompt`; one user message over
                                        // all of it where there is no template
  ByteSpan context;                     // haystack with evidence, in full_text()
  std::string question;                 // the question alone, for people

  std::vector<std::string> references;
  Metric metric = Metric::kStringMatchAll;
  std::vector<Evidence> evidence;
  SampleTokens tokens;
  int64_t off_by = 0;  // total - length; not 0 only where no filler of that size exists; 0 where
                       // there is no target
  std::vector<std::string> notes;  // e.g. "haystack text repeated 3 times"
  std::string haystack;  // identity of the shared prefix or source text: samples with equal values
                         // are one cluster

  [[nodiscard]] std::string full_text() const { return prompt + answer_prefix; }
  // Hash of everything above that a model or grader can see.
  [[nodiscard]] std::string hash() const;

  bool operator==(const Sample&) const = default;
};

}  // namespace fathom

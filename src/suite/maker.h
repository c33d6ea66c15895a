// Makes the samples of a suite: each a pure function of (suite version, task, parameters, length,
// tokenizer, template, wording, corpora, seed, index) (G3).
//
//   TRY(const auto maker, SampleMaker::create(suite, tokenizer, corpora, ChatWrapper::none()));
//   TRY(const Sample sample, maker.make(suite.tasks[0], 4096, 0));
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "corpus/corpora.h"
#include "suite/prompt.h"
#include "suite/suite.h"
#include "task/sample.h"
#include "task/wording.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// Thread-safe; cheap to copy.
class SampleMaker {
 public:
  // Checks all tasks and parameters of the suite and loads its wording. Errors: kUsage and kInput,
  // naming the task and what is wrong.
  [[nodiscard]] static Result<SampleMaker> create(const Suite& suite,
                                                  std::shared_ptr<const Tokenizer> tokenizer,
                                                  Corpora corpora, ChatWrapper wrapper);

  // Errors: kInput where the length cannot hold the task (the message names the smallest that can)
  // or a corpus is missing; kInternal where the finished bytes do not count to what was fitted.
  // Of a control the length is not read: its sample is as long as its text.
  [[nodiscard]] Result<Sample> make(const SuiteTask& task, int64_t length, int64_t index) const;

  [[nodiscard]] const Wording& wording() const;
  // Those of Suite::variant_wordings, by name.
  [[nodiscard]] const std::map<std::string, Wording>& variant_wordings() const;

 private:
  struct Parts;
  explicit SampleMaker(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

}  // namespace fathom

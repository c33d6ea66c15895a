// What tests of samples share: makers over fathom's own text, and the checks that hold for every
// sample.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpora.h"
#include "suite/fake_tokenizer.h"
#include "suite/maker.h"
#include "task/task.h"

namespace fathom {

inline std::shared_ptr<const Tokenizer> words_tokenizer() {
  return std::make_shared<FakeTokenizer>(FakeTokenizer::Kind::kWords);
}

inline const Corpora& own_corpora() {
  static const Corpora corpora = *load_corpora({});
  return corpora;
}

inline SampleMaker maker_for(const Suite& suite, std::shared_ptr<const Tokenizer> tokenizer,
                             const ChatWrapper& wrapper = ChatWrapper::none(),
                             const Corpora& corpora = own_corpora()) {
  auto maker = SampleMaker::create(suite, std::move(tokenizer), corpora, wrapper);
  EXPECT_TRUE(maker.has_value()) << maker.error().message;
  return std::move(*maker);
}

inline SuiteTask row(const std::string& name,
                     std::map<std::string, ParameterValue> parameters = {}) {
  SuiteTask task;
  task.name = name;
  task.cell = name;
  task.parameters = std::move(parameters);
  return task;
}

inline std::vector<std::string> tasks_without_files() {
  std::vector<std::string> names;
  for (const Task* task : tasks()) {
    if (task->info().corpus.empty()) names.push_back(task->info().name);
  }
  return names;
}

// All that must hold of any sample, checked by counting again.
inline void check_sample(const Sample& sample, const Tokenizer& tokenizer, bool add_special) {
  SCOPED_TRACE(sample.id);
  const std::string text = sample.full_text();
  const EncodeOptions options{.add_special = add_special, .parse_special = true};
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  tokenizer.encode_with_spans(text, options, ids, spans);
  EXPECT_EQ(ids.size(), sample.tokens.prompt);
  EXPECT_EQ(sample.tokens.total, sample.tokens.prompt + sample.tokens.reserve);
  EXPECT_EQ(sample.off_by, sample.tokens.total - sample.length);
  EXPECT_LE(std::abs(sample.off_by), 1);
  EXPECT_EQ(sample.tokens.prompt - sample.tokens.prefix,
            static_cast<int64_t>(tokenizer.count(sample.prompt, options)));
  EXPECT_FALSE(sample.references.empty());
  EXPECT_FALSE(sample.evidence.empty());
  EXPECT_LT(sample.context.begin, sample.context.end);
  uint64_t before = 0;
  for (const Evidence& evidence : sample.evidence) {
    EXPECT_LT(evidence.bytes.begin, evidence.bytes.end);
    EXPECT_GE(evidence.bytes.begin, sample.context.begin);
    EXPECT_LE(evidence.bytes.end, sample.context.end);
    EXPECT_GE(evidence.depth, 0);
    EXPECT_LE(evidence.depth, 1);
    if (evidence.role != "support") {
      EXPECT_GE(evidence.bytes.begin, before);
      before = evidence.bytes.begin;
    }
    ASSERT_LT(evidence.tokens.begin, evidence.tokens.end);
    ASSERT_LE(evidence.tokens.end, spans.size());
    EXPECT_LE(spans[evidence.tokens.begin].begin, evidence.bytes.begin);
    EXPECT_GT(spans[evidence.tokens.begin].end, evidence.bytes.begin);
    EXPECT_LT(spans[evidence.tokens.end - 1].begin, evidence.bytes.end);
    EXPECT_GE(spans[evidence.tokens.end - 1].end, evidence.bytes.end);
  }
}

// What is asked and where, without what changes with the length.
inline std::vector<std::string> content_of(const Sample& sample) {
  std::vector<std::string> content = {sample.question};
  content.insert(content.end(), sample.references.begin(), sample.references.end());
  const std::string text = sample.full_text();
  if (sample.task == "cwe" || sample.task == "fwe") return content;
  for (const Evidence& each : sample.evidence) {
    std::string part = text.substr(each.bytes.begin, each.bytes.end - each.bytes.begin);
    // A document's number says how many stand before it.
    if (each.role == "gold document") part = part.substr(part.find('\n'));
    content.push_back(each.role + std::to_string(each.order) + part);
  }
  return content;
}

inline Sample made(const SampleMaker& maker, const SuiteTask& task, int64_t length, int64_t index) {
  auto sample = maker.make(task, length, index);
  EXPECT_TRUE(sample.has_value()) << sample.error().message;
  return sample ? std::move(*sample) : Sample{};
}

}  // namespace fathom

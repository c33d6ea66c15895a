// G1, G3, G4, T1: samples of every task with exact length, reproducible, with their evidence.
#include "suite/maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/threads.h"
#include "corpus/corpora.h"
#include "suite/fake_tokenizer.h"
#include "task/task.h"

namespace fathom {
namespace {

std::shared_ptr<const Tokenizer> words_tokenizer() {
  return std::make_shared<FakeTokenizer>(FakeTokenizer::Kind::kWords);
}

const Corpora& own_corpora() {
  static const Corpora corpora = *load_corpora({});
  return corpora;
}

SampleMaker maker_for(const Suite& suite, std::shared_ptr<const Tokenizer> tokenizer,
                      const ChatWrapper& wrapper = ChatWrapper::none(),
                      const Corpora& corpora = own_corpora()) {
  auto maker = SampleMaker::create(suite, std::move(tokenizer), corpora, wrapper);
  EXPECT_TRUE(maker.has_value()) << maker.error().message;
  return std::move(*maker);
}

SuiteTask row(const std::string& name, std::map<std::string, ParameterValue> parameters = {}) {
  SuiteTask task;
  task.name = name;
  task.cell = name;
  task.parameters = std::move(parameters);
  return task;
}

std::vector<std::string> tasks_without_files() {
  std::vector<std::string> names;
  for (const Task* task : tasks()) {
    if (task->info().corpus.empty()) names.push_back(task->info().name);
  }
  return names;
}

// All that must hold of any sample, checked by counting again.
void check_sample(const Sample& sample, const Tokenizer& tokenizer, bool add_special) {
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
std::vector<std::string> content_of(const Sample& sample) {
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

TEST(Maker, EveryTaskIsExactAtEveryLength_G1) {
  const auto tokenizer = words_tokenizer();
  const SampleMaker maker = maker_for({}, tokenizer);
  for (const std::string& task : tasks_without_files()) {
    for (const int64_t length : {1024, 1777, 2048, 4095, 4096, 8192}) {
      for (int64_t index = 0; index < 3; ++index) {
        const auto sample = maker.make(row(task), length, index);
        ASSERT_TRUE(sample.has_value()) << sample.error().message;
        EXPECT_EQ(sample->off_by, 0) << sample->id;
        check_sample(*sample, *tokenizer, true);
      }
    }
  }
}

TEST(Maker, OneIndexKeepsItsContentAtEveryLength_G3) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const std::string& task : tasks_without_files()) {
    for (int64_t index = 0; index < 3; ++index) {
      const auto small = maker.make(row(task), 2048, index);
      const auto large = maker.make(row(task), 6000, index);
      ASSERT_TRUE(small && large);
      EXPECT_EQ(content_of(*small), content_of(*large)) << small->id;
    }
  }
}

TEST(Maker, AnyThreadAndOrderGivesTheSameBytes_G3) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::string> names = tasks_without_files();
  std::vector<std::string> alone(names.size() * 2);
  std::vector<std::string> together(alone.size());
  const auto hash_at = [&](size_t i) {
    return maker.make(row(names[i / 2]), 2048, static_cast<int64_t>(i % 2))->hash();
  };
  for (size_t i = alone.size(); i > 0; --i) alone[i - 1] = hash_at(i - 1);
  parallel_for(alone.size(), 4, [&](size_t i) { together[i] = hash_at(i); });
  EXPECT_EQ(alone, together);
  EXPECT_EQ(std::set<std::string>(alone.begin(), alone.end()).size(), alone.size());
}

TEST(Maker, NoLayoutComesTwice_G5) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const std::string& task : tasks_without_files()) {
    std::set<std::vector<uint64_t>> layouts;
    for (int64_t index = 0; index < 8; ++index) {
      const auto sample = maker.make(row(task), 4096, index);
      ASSERT_TRUE(sample.has_value());
      std::vector<uint64_t> layout;
      for (const Evidence& each : sample->evidence) layout.push_back(each.bytes.begin);
      layouts.insert(std::move(layout));
    }
    EXPECT_EQ(layouts.size(), 8U) << task;
  }
}

}  // namespace
}  // namespace fathom

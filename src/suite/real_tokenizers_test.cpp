// G1, G2, G4 on the vocabularies that `./dev setup` fetches; skipped, by name, where they are
// missing.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/threads.h"
#include "io/file.h"
#include "suite/maker.h"
#include "task/task.h"

namespace fathom {
namespace {

const char* const kVocabularies[] = {"llama3_1", "qwen3", "gemma3",
                                     "llama2",   "gpt4o", "deepseek_v3"};

std::shared_ptr<const Tokenizer> vocabulary(const std::string& name) {
  const std::string path = std::string(FATHOM_DEPS_DIR) + "/tokenizers/" + name + "/tokenizer.json";
  if (!file_exists(path)) return nullptr;
  auto tokenizer = load_tokenizer(path);
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  return tokenizer ? *tokenizer : nullptr;
}

Corpora corpora_with_books() {
  const std::string books = std::string(FATHOM_DEPS_DIR) + "/books";
  return *load_corpora(is_directory(books) ? std::map<std::string, std::string>{{"essay", books}}
                                           : std::map<std::string, std::string>{});
}

std::vector<std::string> all_tasks() {
  std::vector<std::string> names;
  for (const Task* task : tasks()) {
    if (task->info().corpus.empty()) names.push_back(task->info().name);
  }
  return names;
}

void check(const Sample& sample, const Tokenizer& tokenizer) {
  const std::string text = sample.full_text();
  const EncodeOptions options{.add_special = true, .parse_special = true};
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  tokenizer.encode_with_spans(text, options, ids, spans);
  EXPECT_EQ(static_cast<int64_t>(ids.size()), sample.tokens.prompt) << sample.id;
  EXPECT_EQ(static_cast<int64_t>(tokenizer.count(sample.prompt, options)),
            sample.tokens.prompt - sample.tokens.prefix)
      << sample.id;
  // A word list hardly longer than its fixed part has few words to choose from.
  const bool tight = sample.task == "cwe" && sample.length <= 1024;
  EXPECT_LE(std::abs(sample.tokens.total - sample.length), tight ? 1 : 0) << sample.id;
  EXPECT_EQ(sample.off_by, sample.tokens.total - sample.length);
  for (const Evidence& each : sample.evidence) {
    ASSERT_LT(each.tokens.begin, each.tokens.end) << sample.id;
    EXPECT_LE(spans[each.tokens.begin].begin, each.bytes.begin) << sample.id;
    EXPECT_GE(spans[each.tokens.end - 1].end, each.bytes.end) << sample.id;
    EXPECT_TRUE(each.tokens.begin == 0 || spans[each.tokens.begin - 1].end <= each.bytes.begin)
        << sample.id;
  }
}

void check_lengths(const std::vector<int64_t>& lengths, int64_t samples) {
  int checked = 0;
  for (const char* name : kVocabularies) {
    SCOPED_TRACE(name);
    const auto tokenizer = vocabulary(name);
    if (tokenizer == nullptr) continue;
    ++checked;
    const auto maker =
        SampleMaker::create({}, tokenizer, corpora_with_books(), ChatWrapper::none());
    ASSERT_TRUE(maker.has_value());
    for (const std::string& task : all_tasks()) {
      SuiteTask row;
      row.name = task;
      row.cell = task;
      for (const int64_t length : lengths) {
        for (int64_t index = 0; index < samples; ++index) {
          const auto sample = maker->make(row, length, index);
          if (!sample && length < 2048) {  // too short for this task
            EXPECT_EQ(sample.error().code, ErrorCode::kInput);
            continue;
          }
          ASSERT_TRUE(sample.has_value()) << sample.error().message;
          check(*sample, *tokenizer);
        }
      }
    }
  }
  if (checked == 0) GTEST_SKIP() << "no tokenizers in " << FATHOM_DEPS_DIR << "; run ./dev setup";
}

TEST(RealTokenizers, EverySampleIsExact_G1) { check_lengths({512, 2048}, 1); }

TEST(RealTokenizersSlow, EverySampleIsExactAtManyLengths_G1) {
  check_lengths({513, 777, 1000, 1023, 2049, 3333, 4096, 8191, 16384, 32768}, 3);
}

TEST(RealTokenizersSlow, LongSamplesAreExact_G1) { check_lengths({131072}, 1); }

}  // namespace
}  // namespace fathom

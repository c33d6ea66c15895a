// G1: the fitter against tokenizers whose counts add, and against one whose counts never do.
#include "suite/fit.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "base/random.h"
#include "suite/fake_tokenizer.h"

namespace fathom {
namespace {

// Lines of words drawn from a seed; closers are sentences of the given sizes in letters.
class TestContext : public GrowingContext {
 public:
  TestContext(uint64_t seed, std::vector<size_t> closers, size_t least, size_t most)
      : seed_(seed), closer_letters_(std::move(closers)), least_(least), most_(most) {}

  size_t least_units() const override { return least_; }
  size_t most_units() const override { return most_; }
  void append_unit(size_t unit, std::string& out) const override {
    Random random(RandomKey(seed_).with(unit), "line");
    out += '\n';
    for (uint64_t words = 1 + random.below(8); words > 0; --words) {
      out += std::string(1 + random.below(9), static_cast<char>('a' + random.below(26)));
      out += words > 1 ? " " : ".";
    }
  }
  size_t closers() const override { return closer_letters_.size(); }
  void append_closer(size_t closer, size_t, std::string& out) const override {
    (out += ' ') += std::string(closer_letters_[closer], static_cast<char>('a' + closer % 26));
  }
  Result<BuiltContext> build(const ContextSize& size, double) const override {
    ++builds;
    BuiltContext built;
    built.text = "Start.";
    for (size_t unit = 0; unit < size.units; ++unit) append_unit(unit, built.text);
    for (const size_t closer : size.closers) append_closer(closer, size.units, built.text);
    return built;
  }
  mutable int builds = 0;

 private:
  uint64_t seed_;
  std::vector<size_t> closer_letters_;
  size_t least_;
  size_t most_;
};

std::vector<size_t> many_closers() {
  std::vector<size_t> letters;
  for (size_t i = 0; i < 60; ++i) letters.push_back(1 + i % 12);
  return letters;
}

PromptFrame test_frame() {
  return make_frame("Read this text.\n\n", "\n\nWhat is it?", "Answer:", ChatWrapper::none());
}

FitRequest request_for(const Tokenizer& tokenizer, const PromptFrame& frame,
                       const GrowingContext& context, int64_t length) {
  return {tokenizer,
          frame,
          context,
          {.add_special = true, .parse_special = true},
          LengthCounts::kPromptAndReserve,
          length,
          32};
}

TEST(ClosersThatSum, AgreesWithTryingAllSubsets) {
  Random random(RandomKey(7), "costs");
  for (int round = 0; round < 200; ++round) {
    std::vector<int64_t> costs(1 + random.below(9));
    for (int64_t& cost : costs) cost = random.between(0, 12);
    for (int64_t total = 1; total <= 40; ++total) {
      size_t fewest = SIZE_MAX;
      for (uint32_t subset = 1; subset < (1U << costs.size()); ++subset) {
        int64_t sum = 0;
        size_t size = 0;
        bool free = false;  // a closer that costs nothing is of no use
        for (size_t i = 0; i < costs.size(); ++i) {
          if ((subset >> i & 1) == 0) continue;
          sum += costs[i];
          ++size;
          free = free || costs[i] == 0;
        }
        if (sum == total && !free) fewest = std::min(fewest, size);
      }
      const std::vector<size_t> chosen = closers_that_sum(costs, total);
      ASSERT_EQ(chosen.empty(), fewest == SIZE_MAX) << total;
      if (chosen.empty()) continue;
      int64_t sum = 0;
      for (const size_t i : chosen) sum += costs[i];
      EXPECT_EQ(sum, total);
      EXPECT_EQ(chosen.size(), fewest);
      EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
      EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()).size(), chosen.size());
    }
  }
}

TEST(FitLength, EveryLengthIsHitWhereCountsAdd_G1) {
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords);
  const PromptFrame frame = test_frame();
  const TestContext context(3, many_closers(), 0, SIZE_MAX);
  for (int64_t length = 90; length < 400; ++length) {
    const auto fit = fit_length(request_for(tokenizer, frame, context, length));
    ASSERT_TRUE(fit.has_value()) << fit.error().message;
    EXPECT_EQ(fit->total, length);
    EXPECT_EQ(static_cast<int64_t>(tokenizer.count(fit->text, {.add_special = true})) + 32, length);
    EXPECT_LE(fit->encodes, 4);
  }
}

TEST(FitLength, TokensThatMergeAcrossEveryJointAreHitToo_G1) {
  const PromptFrame frame = test_frame();
  int misses = 0;
  int fits = 0;
  for (const size_t piece : {2, 3, 5}) {
    const FakeTokenizer tokenizer(FakeTokenizer::Kind::kMerging, piece);
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const TestContext context(seed, many_closers(), 0, SIZE_MAX);
      for (const int64_t length : {200, 333, 1024, 4096}) {
        const auto fit = fit_length(request_for(tokenizer, frame, context, length));
        ASSERT_TRUE(fit.has_value()) << fit.error().message;
        EXPECT_EQ(static_cast<int64_t>(tokenizer.count(fit->text, {.add_special = true})) + 32,
                  fit->total);
        EXPECT_LE(std::abs(fit->total - length), 1);
        misses += fit->total == length ? 0 : 1;
        ++fits;
      }
    }
  }
  EXPECT_LE(misses, fits / 20);
}

// Small enough to try every text that the fitter may build: it must find a length whenever one of
// them has it.
TEST(FitLength, FindsWhatTryingAllTextsFinds_G1) {
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords, 3);
  const PromptFrame frame = test_frame();
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const TestContext context(seed, {3, 3, 7, 12}, 0, 6);
    std::set<int64_t> possible;
    for (size_t units = 0; units <= 6; ++units) {
      for (uint32_t subset = 0; subset < 16; ++subset) {
        ContextSize size{units, {}};
        for (size_t i = 0; i < 4; ++i) {
          if ((subset >> i & 1) != 0) size.closers.push_back(i);
        }
        const std::string text =
            frame.head + context.build(size, 4)->text + frame.tail + frame.answer_prefix;
        possible.insert(static_cast<int64_t>(tokenizer.count(text, {.add_special = true})) + 32);
      }
    }
    for (int64_t length = *possible.begin() - 3; length <= *possible.rbegin() + 3; ++length) {
      const auto fit = fit_length(request_for(tokenizer, frame, context, length));
      if (possible.contains(length)) {
        ASSERT_TRUE(fit.has_value()) << length << ": " << fit.error().message;
        EXPECT_EQ(fit->total, length);
      } else if (fit.has_value()) {
        EXPECT_EQ(std::abs(fit->total - length), 1);
      }
    }
  }
}

TEST(FitLength, WhatCannotBeIsRefusedWithTheReason_Q1) {
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords);
  const PromptFrame frame = test_frame();
  const TestContext big(1, many_closers(), 40, SIZE_MAX);
  const auto short_fit = fit_length(request_for(tokenizer, frame, big, 100));
  ASSERT_FALSE(short_fit.has_value());
  EXPECT_EQ(short_fit.error().code, ErrorCode::kInput);
  const std::string smallest = std::to_string(
      tokenizer.count(frame.head + big.build({40, {}}, 4)->text + frame.tail + frame.answer_prefix,
                      {.add_special = true}) +
      32);
  EXPECT_NE(short_fit.error().message.find("smallest length that can is " + smallest),
            std::string::npos)
      << short_fit.error().message;

  const TestContext little(1, {}, 0, 5);
  const auto long_fit = fit_length(request_for(tokenizer, frame, little, 5000));
  ASSERT_FALSE(long_fit.has_value());
  EXPECT_NE(long_fit.error().message.find("not enough text"), std::string::npos)
      << long_fit.error().message;
  EXPECT_FALSE(fit_length(request_for(tokenizer, frame, little, 0)).has_value());
  EXPECT_FALSE(fit_length(request_for(tokenizer, frame, little, -5)).has_value());
}

TEST(FitLength, EndsSoonWhereNothingHelps_G1) {
  const PromptFrame frame = test_frame();
  for (const auto kind : {FakeTokenizer::Kind::kMerging, FakeTokenizer::Kind::kChaotic}) {
    const FakeTokenizer tokenizer(kind);
    for (int64_t length = 150; length < 200; ++length) {
      const bool closers = length % 2 == 0;
      const TestContext context(5, closers ? many_closers() : std::vector<size_t>(), 0, SIZE_MAX);
      const auto fit = fit_length(request_for(tokenizer, frame, context, length));
      if (fit) {
        EXPECT_LE(std::abs(fit->total - length), 1);
      } else {
        EXPECT_EQ(fit.error().code, ErrorCode::kInput);
      }
      EXPECT_LE(context.builds, 80);
    }
  }
}

TEST(FitLength, CountsWhatItIsAskedToCount_G1) {
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords);
  const PromptFrame frame = test_frame();
  const TestContext context(3, many_closers(), 0, SIZE_MAX);
  FitRequest request = request_for(tokenizer, frame, context, 500);
  request.counts = LengthCounts::kPrompt;
  EXPECT_EQ(fit_length(request)->prompt_tokens, 500);
  request.counts = LengthCounts::kContext;
  const auto fit = fit_length(request);
  ASSERT_TRUE(fit.has_value()) << fit.error().message;
  EXPECT_EQ(fit->context_tokens, 500);
  EXPECT_EQ(fit->total, 500);
  EXPECT_GT(fit->prompt_tokens, 500);
}

}  // namespace
}  // namespace fathom

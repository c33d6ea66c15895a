// G1, G3, G5, G8, G9: samples of every task with exact length, reproducible, at the depths that are
// asked for.
#include "suite/maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/threads.h"
#include "suite/sample_checks.h"

namespace fathom {
namespace {

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

// Chi-square over ten bins; 33.7 is passed by chance once in 10,000 times (9 degrees of freedom).
void expect_uniform(const std::vector<double>& depths) {
  std::vector<double> bins(10, 0);
  for (const double depth : depths) bins[std::min<size_t>(9, static_cast<size_t>(depth * 10))] += 1;
  const double expected = static_cast<double>(depths.size()) / 10;
  double chi_square = 0;
  for (const double bin : bins) chi_square += (bin - expected) * (bin - expected) / expected;
  EXPECT_LT(chi_square, 33.7);
}

TEST(Maker, DepthsAreUniform_G5) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const char* name : {"niah_single_1", "niah_multikey_3", "qa_encyclopaedia_1hop"}) {
    SCOPED_TRACE(name);
    std::vector<double> depths;
    for (int64_t index = 0; index < 300; ++index) {
      const Sample sample = made(maker, row(name), 8192, index);
      depths.push_back(sample.evidence.front().depth);
    }
    expect_uniform(depths);
  }
}

TEST(Maker, DepthCanBeSet_G5) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::string name = "niah_single_1";
  for (const double depth : {0.0, 0.25, 0.5, 1.0}) {
    const Sample sample =
        made(maker, row(name, {{"depth", std::string("fixed")}, {"depth_value", depth}}), 8192, 3);
    EXPECT_NEAR(sample.evidence.front().depth, depth, 0.02);
  }
  for (int64_t index = 0; index < 11; ++index) {
    const Sample sample = made(maker, row(name, {{"depth", std::string("grid")}}), 8192, index);
    EXPECT_NEAR(sample.evidence.front().depth, static_cast<double>(index) / 10, 0.02);
  }
  for (const int64_t length : {4096, 8192}) {
    const std::map<std::string, ParameterValue> start = {{"depth", std::string("from_start")},
                                                         {"depth_value", 1000.0}};
    const Sample first = made(maker, row(name, start), length, 3);
    const auto context_start = static_cast<double>(words_tokenizer()->count(
        first.prompt.substr(0, first.context.begin), {.add_special = true}));
    EXPECT_NEAR(static_cast<double>(first.evidence.front().tokens.begin) - context_start, 1000, 60);
    const std::map<std::string, ParameterValue> end = {{"depth", std::string("from_end")},
                                                       {"depth_value", 1000.0}};
    const Sample last = made(maker, row(name, end), length, 3);
    EXPECT_NEAR(static_cast<double>(last.tokens.prompt) -
                    static_cast<double>(last.evidence.front().tokens.end),
                1050, 90);
  }
  const Sample near = made(
      maker, row("niah_multivalue", {{"spread", 0.05}, {"depth", std::string("fixed")}}), 8192, 1);
  EXPECT_LT(near.evidence.back().depth - near.evidence.front().depth, 0.08);
}

TEST(Maker, ShortLengthsNameTheSmallestThatCan_G1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const std::string& name : tasks_without_files()) {
    const auto sample = maker.make(row(name), 40, 0);
    ASSERT_FALSE(sample.has_value()) << name;
    const std::string& message = sample.error().message;
    const std::string marker = "smallest length that can is ";
    const size_t at = message.find(marker);
    ASSERT_NE(at, std::string::npos) << message;
    const int64_t smallest = std::stoll(message.substr(at + marker.size()));
    const auto smaller = maker.make(row(name), smallest - 2, 0);
    EXPECT_FALSE(smaller.has_value()) << name;
    EXPECT_TRUE(maker.make(row(name), smallest, 0).has_value()) << name << " " << smallest;
  }
}

TEST(Maker, TheTemplateIsInsideTheLength_G9) {
  Suite suite;
  suite.answer_prefix = false;
  const auto tokenizer = words_tokenizer();
  const ChatWrapper wrapper{"<system>Be short.</system><user>\n",
                            "</user>\n<answer>\n",
                            {{MessageRole::kSystem, {8, 17}}},
                            false};
  const SampleMaker plain = maker_for(suite, tokenizer, wrapper);
  suite.answer_prefix = true;
  const SampleMaker prefixed = maker_for(suite, tokenizer, wrapper);
  for (const std::string& name : tasks_without_files()) {
    const Sample sample = made(plain, row(name), 2048, 0);
    EXPECT_EQ(sample.tokens.total, 2048);
    EXPECT_EQ(sample.answer_prefix, "");
    EXPECT_EQ(sample.tokens.prefix, 0);
    EXPECT_TRUE(sample.prompt.starts_with(wrapper.before));
    EXPECT_TRUE(sample.prompt.ends_with(wrapper.after));
    ASSERT_EQ(sample.messages.size(), 2U);
    const ByteSpan user = sample.messages[1].bytes;
    EXPECT_EQ(user.begin, wrapper.before.size());
    EXPECT_EQ(user.end, sample.prompt.size() - wrapper.after.size());
    check_sample(sample, *tokenizer, false);

    const Sample with = made(prefixed, row(name), 2048, 0);
    EXPECT_GT(with.tokens.prefix, 0);
    EXPECT_FALSE(with.answer_prefix.starts_with(" "));
    check_sample(with, *tokenizer, false);
  }
}

TEST(Maker, TokenizersThatMergeAnywhereStillFit_G1) {
  const auto tokenizer = std::make_shared<FakeTokenizer>(FakeTokenizer::Kind::kMerging, 3);
  const SampleMaker maker = maker_for({}, tokenizer);
  for (const std::string& task : tasks_without_files()) {
    for (const int64_t length : {2048, 5000}) {
      const Sample sample = made(maker, row(task), length, 0);
      EXPECT_LE(std::abs(sample.off_by), 1) << sample.id;
      const int64_t counted = static_cast<int64_t>(
          tokenizer->count(sample.full_text(), {.add_special = true, .parse_special = true}));
      EXPECT_EQ(counted, sample.tokens.prompt);
    }
  }
}

TEST(Maker, EveryWordingIsExactAndAsksTheSame_S8) {
  std::set<std::string> prompts;
  for (const std::string& wording : Wording::names()) {
    Suite suite;
    suite.wording = wording;
    const auto tokenizer = words_tokenizer();
    const SampleMaker maker = maker_for(suite, tokenizer);
    const SampleMaker plain = maker_for({}, tokenizer);
    for (const std::string& task : tasks_without_files()) {
      const Sample sample = made(maker, row(task), 4096, 1);
      EXPECT_EQ(sample.tokens.total, 4096) << sample.id;
      check_sample(sample, *tokenizer, true);
      EXPECT_EQ(sample.references, made(plain, row(task), 4096, 1).references);
      prompts.insert(sample.prompt);
    }
  }
  EXPECT_EQ(prompts.size(), Wording::names().size() * tasks_without_files().size());
}

TEST(Maker, OneAnswerIsAskedForInTheSingular_G9) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const Sample one = made(maker, row("niah_single_1"), 2048, 0);
  EXPECT_THAT(one.question, testing::StartsWith("What is the special magic number for "));
  EXPECT_THAT(one.answer_prefix, testing::EndsWith(" is"));
  const Sample many = made(maker, row("niah_multivalue"), 2048, 0);
  EXPECT_THAT(many.question, testing::StartsWith("What are all the special magic numbers for "));
  EXPECT_THAT(many.answer_prefix, testing::EndsWith(" are"));
  const Sample variable = made(maker, row("vt", {{"hops", int64_t{0}}}), 2048, 0);
  EXPECT_THAT(variable.question, testing::StartsWith("Which variable is "));
  EXPECT_EQ(variable.references.size(), 1U);
}

TEST(Maker, EveryParameterChangesTheSample_G8) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::pair<std::string, std::map<std::string, ParameterValue>>> cases = {
      {"niah_single_1", {{"keys", int64_t{5}}}},
      {"niah_single_1", {{"values", int64_t{3}}}},
      {"niah_single_1", {{"queries", int64_t{3}}}},
      {"niah_single_1", {{"haystack", std::string("essay")}}},
      {"niah_single_1", {{"haystack", std::string("needle")}}},
      {"niah_single_1", {{"key_type", std::string("uuids")}}},
      {"niah_single_1", {{"value_type", std::string("words")}}},
      {"vt", {{"chains", int64_t{4}}}},
      {"vt", {{"hops", int64_t{9}}}},
      {"vt", {{"demonstration", false}}},
      {"vt", {{"haystack", std::string("essay")}}},
      {"cwe", {{"num_cw", int64_t{5}}}},
      {"cwe", {{"freq_cw", int64_t{12}}}},
      {"cwe", {{"freq_ucw", int64_t{1}}}},
      {"cwe", {{"num_fewshot", int64_t{0}}}},
      {"cwe", {{"num_fewshot", int64_t{2}}}},
      {"fwe", {{"alpha", 1.5}}},
      {"fwe", {{"coded_wordlen", int64_t{9}}}},
      {"fwe", {{"vocab_size", int64_t{12}}}},
      {"fwe", {{"answers", int64_t{1}}}},
      {"qa_encyclopaedia_2hop", {{"related", false}}},
      {"set_intersection", {{"lists", int64_t{6}}}},
      {"set_intersection", {{"common", int64_t{1}}}},
      {"set_intersection", {{"words", int64_t{30}}}},
      {"set_intersection", {{"near", int64_t{0}}}},
  };
  for (const auto& [task, parameters] : cases) {
    SCOPED_TRACE(task + " " + parameters.begin()->first);
    const Sample sample = made(maker, row(task, parameters), 8192, 0);
    EXPECT_EQ(sample.tokens.total, 8192);
    EXPECT_EQ(sample.parameters.all().find(parameters.begin()->first)->second,
              parameters.begin()->second);
    EXPECT_NE(sample.full_text(), made(maker, row(task), 8192, 0).full_text());
    EXPECT_FALSE(sample.evidence.empty());
  }
}

TEST(Maker, ContradictionsAreRefused_Q1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::pair<std::string, std::map<std::string, ParameterValue>>> cases = {
      {"cwe", {{"freq_cw", int64_t{3}}, {"freq_ucw", int64_t{3}}}},
      {"fwe", {{"vocab_size", int64_t{3}}}},
      {"set_intersection", {{"common", int64_t{10}}, {"near", int64_t{10}}}},
      {"niah_single_1", {{"keys", int64_t{0}}}},
      {"niah_single_1", {{"needles", int64_t{1}}}},
      {"niah_single_1", {{"depth", std::string("middle")}}},
  };
  for (const auto& [task, parameters] : cases) {
    const auto sample = maker.make(row(task, parameters), 8192, 0);
    ASSERT_FALSE(sample.has_value()) << task;
    EXPECT_EQ(sample.error().code, ErrorCode::kInput);
    EXPECT_NE(sample.error().message.find(task), std::string::npos) << sample.error().message;
  }
  EXPECT_FALSE(maker.make(row("no_such_task"), 8192, 0).has_value());
}

// Samples of this generator version for seed 42. Where one of these must change, datasets made
// before can no longer be remade: raise kGeneratorVersion with it.
TEST(Maker, GoldenSamples_G3) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::pair<std::string, std::string>> golden = {
      {"niah_single_1", "6c07604dfa33273ffc90d59294669519"},
      {"niah_multikey_3", "fe16478da91f1f5703129f9c796879ad"},
      {"vt", "d56371973fb3552c1618a53334891dde"},
      {"fwe", "41fd24adb1030bd651a10d7eaac41e6a"},
  };
  for (const auto& [task, hash] : golden) {
    EXPECT_EQ(made(maker, row(task), 2048, 7).hash(), hash) << task;
  }
}

}  // namespace
}  // namespace fathom

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

std::vector<uint64_t> places_of(const std::string& text, const std::string& part) {
  std::vector<uint64_t> places;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    places.push_back(at);
  }
  return places;
}

Sample made(const SampleMaker& maker, const SuiteTask& task, int64_t length, int64_t index) {
  auto sample = maker.make(task, length, index);
  EXPECT_TRUE(sample.has_value()) << sample.error().message;
  return sample ? std::move(*sample) : Sample{};
}

TEST(Maker, NeedlesStandOnlyWhereTheEvidenceSays_G4) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const Task* task : tasks()) {
    if (task->info().family != "niah") continue;
    for (int64_t index = 0; index < 5; ++index) {
      const Sample sample = made(maker, row(task->info().name), 4096, index);
      const std::string text = sample.full_text();
      size_t next = 0;
      for (const std::string& reference : sample.references) {
        const auto places = places_of(text, reference);
        ASSERT_EQ(places.size(), 1U) << sample.id;
        const auto evidence =
            std::find_if(sample.evidence.begin(), sample.evidence.end(), [&](const Evidence& each) {
              return !each.distractor && each.order == static_cast<int>(next);
            });
        ASSERT_NE(evidence, sample.evidence.end());
        EXPECT_EQ(evidence->answer_bytes.begin, places[0]);
        EXPECT_EQ(evidence->answer_bytes.end, places[0] + reference.size());
        ++next;
      }
      EXPECT_EQ(std::set<std::string>(sample.references.begin(), sample.references.end()).size(),
                sample.references.size());
    }
  }
}

TEST(Maker, ChainsEndInTheirValueAndOthersDoNot_T1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const char* haystack : {"noise", "essay"}) {
    const SuiteTask task = row(
        "vt", {{"chains", int64_t{3}}, {"hops", int64_t{5}}, {"haystack", std::string(haystack)}});
    for (int64_t index = 0; index < 5; ++index) {
      const Sample sample = made(maker, task, 4096, index);
      const std::string text = sample.full_text();
      // Runs the statements of the context as a program.
      std::map<std::string, std::string> values;
      std::vector<std::string> asked;
      const size_t question = sample.question.rfind("value ");
      const std::string value = sample.question.substr(question + 6, 5);
      for (const Evidence& each : sample.evidence) {
        std::string line = text.substr(each.bytes.begin, each.bytes.end - each.bytes.begin);
        if (line.back() == '.') line.pop_back();
        const size_t equals = line.find(" = ");
        const std::string name = line.substr(4, equals - 4);
        std::string right = line.substr(equals + 3);
        if (right.starts_with("VAR ")) right = values[right.substr(4)];
        EXPECT_FALSE(values.contains(name)) << sample.id;
        EXPECT_EQ(right.size(), 5U) << line;
        values[name] = right;
        if (right == value) asked.push_back(name);
      }
      EXPECT_EQ(values.size(), 18U);
      EXPECT_EQ(asked, sample.references) << sample.id;
    }
  }
}

std::map<std::string, int> word_counts(std::string_view text, bool numbered) {
  std::map<std::string, int> counts;
  size_t at = 0;
  bool word = !numbered;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (word) ++counts[std::string(text.substr(at, end - at))];
    if (numbered) word = !word;
    at = end + 1;
  }
  return counts;
}

TEST(Maker, CommonWordsAreTheMostCommon_T1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::tuple<int64_t, int, int>> cases = {
      {1500, 6, 1}, {8192, 30, 3}, {20000, 30, 3}};
  for (const auto& [length, common, other] : cases) {
    const Sample sample = made(maker, row("cwe"), length, 1);
    const std::string text = sample.full_text();
    const auto counts =
        word_counts(std::string_view(text).substr(sample.context.begin,
                                                  sample.context.end - sample.context.begin),
                    true);
    const std::set<std::string> answers(sample.references.begin(), sample.references.end());
    EXPECT_EQ(answers.size(), 10U);
    for (const auto& [word, count] : counts) {
      if (answers.contains(word)) {
        EXPECT_EQ(count, common);
        continue;
      }
      EXPECT_LE(count, other);
      for (const std::string& answer : answers) {
        EXPECT_EQ(word.find(answer), std::string::npos) << word << " holds " << answer;
      }
    }
    EXPECT_EQ(sample.evidence.size(), static_cast<size_t>(10 * common));
    for (const Evidence& each : sample.evidence) {
      EXPECT_EQ(text.substr(each.bytes.begin, each.bytes.end - each.bytes.begin),
                sample.references[each.order]);
    }
  }
}

TEST(Maker, FrequentWordsHaveNoTies_T1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const double alpha : {1.3, 2.0, 3.5}) {
    for (const int64_t length : {1024, 4096, 20000}) {
      const auto result = maker.make(row("fwe", {{"alpha", alpha}}), length, 2);
      if (!result) {  // few different words: the law needs more text before its ranks part
        EXPECT_NE(result.error().message.find("smallest length"), std::string::npos);
        continue;
      }
      const std::string text = result->full_text();
      auto counts =
          word_counts(std::string_view(text).substr(result->context.begin,
                                                    result->context.end - result->context.begin),
                      false);
      const int noise = counts["..."];
      counts.erase("...");
      std::vector<int> answers;
      for (const std::string& reference : result->references) {
        answers.push_back(counts[reference]);
        counts.erase(reference);
      }
      EXPECT_GT(noise, answers[0]);
      EXPECT_GT(answers[0], answers[1]);
      EXPECT_GT(answers[1], answers[2]);
      for (const auto& [word, count] : counts) EXPECT_LT(count, answers[2]) << word;
    }
  }
}

TEST(Maker, AnswersStandInTheirDocuments_T1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const char* name : {"qa_encyclopaedia_1hop", "qa_encyclopaedia_2hop"}) {
    std::set<std::string> questions;
    for (int64_t index = 0; index < 20; ++index) {
      const Sample sample = made(maker, row(name), 4096, index);
      questions.insert(sample.question);
      const std::string text = sample.full_text();
      bool answered = false;
      for (const Evidence& each : sample.evidence) {
        if (each.answer_bytes.end == 0) continue;
        answered = true;
        EXPECT_EQ(
            text.substr(each.answer_bytes.begin, each.answer_bytes.end - each.answer_bytes.begin),
            sample.references[0]);
      }
      EXPECT_TRUE(answered);
      for (const uint64_t place : places_of(text, sample.references[0])) {
        const bool inside =
            std::any_of(sample.evidence.begin(), sample.evidence.end(), [&](const Evidence& each) {
              return each.bytes.begin <= place && place < each.bytes.end;
            });
        EXPECT_TRUE(inside || place > sample.context.end) << sample.id;
      }
    }
    EXPECT_EQ(questions.size(), 20U);
  }
}

TEST(Maker, FileTasksSayWhichFileTheyNeed_T1) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const std::vector<std::pair<std::string, std::string>> cases = {{"qa_1", "squad"},
                                                                  {"qa_2", "hotpotqa"}};
  for (const auto& [task, corpus] : cases) {
    const auto sample = maker.make(row(task), 4096, 0);
    ASSERT_FALSE(sample.has_value());
    EXPECT_EQ(sample.error().code, ErrorCode::kInput);
    EXPECT_NE(sample.error().message.find(corpus), std::string::npos) << sample.error().message;
    EXPECT_NE(sample.error().message.find("qa_encyclopaedia"), std::string::npos);
  }
}

TEST(Maker, ListsShareExactlyTheirReferences_T2) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  const SuiteTask task = row("set_intersection", {{"lists", int64_t{4}}, {"twins", true}});
  for (int64_t index = 0; index < 6; ++index) {
    const Sample sample = made(maker, task, 2048, index);
    const std::string text = sample.full_text();
    std::map<std::string, int> lists_with;
    for (const Evidence& each : sample.evidence) {
      if (each.role != "list") continue;
      std::string list = text.substr(each.bytes.begin, each.bytes.end - each.bytes.begin);
      list = list.substr(list.find(": ") + 2);
      list.back() = ',';
      for (size_t at = 0; at < list.size();) {
        const size_t end = list.find(',', at);
        ++lists_with[list.substr(at, end - at)];
        at = end + 2;
      }
    }
    std::set<std::string> shared;
    for (const auto& [word, count] : lists_with) {
      EXPECT_LE(count, 4);
      if (count == 4) shared.insert(word);
    }
    EXPECT_EQ(shared, std::set<std::string>(sample.references.begin(), sample.references.end()));
  }
  const Sample one = made(maker, task, 2048, 4);
  const Sample twin = made(maker, task, 2048, 5);
  EXPECT_EQ(one.references, twin.references);
  EXPECT_NE(one.evidence.front().order, twin.evidence.front().order);
  EXPECT_NE(made(maker, task, 2048, 6).references, one.references);
}

TEST(Maker, DemonstrationsDifferAndShareNoAnswer_G9) {
  const SampleMaker maker = maker_for({}, words_tokenizer());
  for (const char* name : {"vt", "cwe"}) {
    std::set<std::string> shown;
    for (int64_t index = 0; index < 6; ++index) {
      const Sample sample = made(maker, row(name), 4096, index);
      const std::string before = sample.prompt.substr(0, sample.context.begin);
      ASSERT_GT(before.size(), 500U);
      for (const std::string& reference : sample.references) {
        EXPECT_EQ(before.find(" " + reference + " "), std::string::npos)
            << sample.id << " " << reference;
      }
      shown.insert(before.substr(0, 1500));
    }
    EXPECT_EQ(shown.size(), 6U);
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

TEST(Maker, SquadAndHotpotFilesMakeQaTasks_T1) {
  const char* folder = std::getenv("FATHOM_SHARED_DATA");
  if (folder == nullptr) {
    GTEST_SKIP() << "set FATHOM_SHARED_DATA to the folder of the licensed sample files";
  }
  const auto corpora = load_corpora(
      {{"squad", std::string(folder) + "/squad/dev-v2.0-cs224n-split.json"},
       {"hotpotqa", std::string(folder) + "/hotpot/hotpot_dev_distractor_sample100.json"}});
  ASSERT_TRUE(corpora.has_value()) << corpora.error().message;
  const auto tokenizer = words_tokenizer();
  const SampleMaker maker = maker_for({}, tokenizer, ChatWrapper::none(), *corpora);
  for (const char* task : {"qa_1", "qa_2"}) {
    std::vector<double> depths;
    for (int64_t index = 0; index < 60; ++index) {
      for (const int64_t length : {4096, 16384}) {
        const Sample sample = made(maker, row(task), length, index);
        EXPECT_EQ(sample.tokens.total, length) << sample.id;
        check_sample(sample, *tokenizer, true);
        const std::string text = sample.full_text();
        for (const Evidence& each : sample.evidence) {
          if (each.answer_bytes.end == 0) continue;
          EXPECT_THAT(sample.references, testing::Contains(text.substr(
                                             each.answer_bytes.begin,
                                             each.answer_bytes.end - each.answer_bytes.begin)));
        }
        if (length == 16384) depths.push_back(sample.evidence.front().depth);
      }
    }
    std::sort(depths.begin(), depths.end());
    EXPECT_LT(depths[10], 0.4);
    EXPECT_GT(depths[49], task == std::string("qa_1") ? 0.6 : 0.3);
  }
}

}  // namespace
}  // namespace fathom

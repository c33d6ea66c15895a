// Suite files: C1 (errors that name file, line, key and the nearest valid key), G6 (lengths), G8
// (sweeps).
#include "suite/suite.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "suite/fake_catalog.h"
#include "suite/suite_lengths.h"

namespace fathom {
namespace {

Result<Suite> parse(const std::string& yaml, const SuiteOverrides& overrides = {}) {
  return parse_suite(yaml, "s.yaml", overrides, fake_catalog());
}

std::string head(const std::string& rest) { return "name: s\nlengths: [4k]\nsamples: 10\n" + rest; }

std::vector<std::string> cells(const Suite& suite) {
  std::vector<std::string> names;
  for (const SuiteTask& task : suite.tasks) names.push_back(task.cell);
  return names;
}

TEST(Suite, ReadsEveryKey) {
  const auto suite = parse(R"(
name: mine
version: 3
description: what it is for
lengths: [4096, 8k, 16k..64k]
samples: 1_000
seed: 7
length_counts: prompt
wording: plain
template: none
answer_prefix: no
corpora:
  essay: /data/essays
tasks:
  - vt
  - niah_multikey_1:
      keys: 4
      spread: 0.5
      haystack: noise
      shuffle: false
      samples: 20
      lengths: 1k
)");
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(suite->name, "mine");
  EXPECT_EQ(suite->version, 3);
  EXPECT_EQ(suite->lengths, (std::vector<int64_t>{4096, 8192, 16384, 32768, 65536}));
  EXPECT_EQ(suite->samples, 1000);
  EXPECT_EQ(suite->seed, 7U);
  EXPECT_EQ(suite->length_counts, LengthCounts::kPrompt);
  EXPECT_EQ(suite->wording, "plain");
  EXPECT_EQ(suite->chat_template, "none");
  EXPECT_FALSE(suite->answer_prefix);
  EXPECT_EQ(suite->corpora.at("essay"), "/data/essays");
  ASSERT_EQ(suite->tasks.size(), 2U);
  const SuiteTask& task = suite->tasks[1];
  EXPECT_EQ(task.cell, "niah_multikey_1[haystack=noise,keys=4,shuffle=false,spread=0.5]");
  EXPECT_EQ(task.parameters.at("keys"), ParameterValue(int64_t{4}));
  EXPECT_EQ(task.parameters.at("spread"), ParameterValue(0.5));
  EXPECT_EQ(task.parameters.at("shuffle"), ParameterValue(false));
  EXPECT_EQ(task.samples, 20);
  EXPECT_EQ(task.lengths, std::vector<int64_t>{1024});
}

TEST(Suite, UnrollsSweepsInTheOrderWritten) {  // G8
  const auto suite =
      parse(head("tasks:\n  - niah_single_1: {keys: [1, 4, 8], haystack: [essay, noise]}\n"));
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(cells(*suite),
            (std::vector<std::string>{
                "niah_single_1[haystack=essay,keys=1]", "niah_single_1[haystack=noise,keys=1]",
                "niah_single_1[haystack=essay,keys=4]", "niah_single_1[haystack=noise,keys=4]",
                "niah_single_1[haystack=essay,keys=8]", "niah_single_1[haystack=noise,keys=8]"}));
  EXPECT_TRUE(suite->tasks[0].parameters.empty()) << "defaults are not parameters of the cell";
}

TEST(Suite, ParameterOfTheDefaultValueLeavesTheTasksName) {
  const auto suite = parse(head("tasks: [{niah_single_1: {keys: 1}}]\n"));
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(suite->tasks[0].cell, "niah_single_1");
}

TEST(Suite, FlagsReplaceWhatTheFileSays) {
  SuiteOverrides flags;
  flags.tasks = {"vt", "niah_single_1[keys=4]", "qa_1"};
  flags.lengths = {8192, 4096};
  flags.samples = 3;
  flags.seed = 99;
  flags.length_counts = LengthCounts::kContext;
  flags.chat_template = "model";
  flags.answer_prefix = false;
  flags.corpora = {{"squad", "dev.json"}};
  const auto suite = parse(
      head("tasks:\n  - niah_single_1: {keys: [1, 4], samples: 50, lengths: 1k}\n  - vt\n"), flags);
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(cells(*suite), (std::vector<std::string>{"vt", "niah_single_1[keys=4]", "qa_1"}));
  EXPECT_EQ(suite->lengths, (std::vector<int64_t>{4096, 8192}));
  EXPECT_TRUE(suite->tasks[1].lengths.empty());
  EXPECT_EQ(suite->tasks[1].samples, 0);
  EXPECT_EQ(suite->samples, 3);
  EXPECT_EQ(suite->seed, 99U);
  EXPECT_EQ(suite->length_counts, LengthCounts::kContext);
  EXPECT_EQ(suite->chat_template, "model");
  EXPECT_FALSE(suite->answer_prefix);
}

TEST(Suite, ReplacesTasksWhoseCorpusIsMissing) {
  const std::string yaml = head("tasks: [qa_1, vt]\nwithout: {squad: {qa_1: encyclopaedia_1}}\n");
  const auto without = parse(yaml);
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_EQ(cells(*without), (std::vector<std::string>{"encyclopaedia_1", "vt"}));
  ASSERT_EQ(without->notes.size(), 1U);
  EXPECT_NE(without->notes[0].find("squad"), std::string::npos);
  SuiteOverrides flags;
  flags.corpora = {{"squad", "dev.json"}};
  const auto with = parse(yaml, flags);
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_EQ(cells(*with), (std::vector<std::string>{"qa_1", "vt"}));
  EXPECT_TRUE(with->notes.empty());
}

TEST(Suite, ReplacementThatIsThereAlreadyStaysOnce) {
  const auto suite =
      parse(head("tasks: [qa_1, encyclopaedia_1]\nwithout: {squad: {qa_1: encyclopaedia_1}}\n"));
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(cells(*suite), std::vector<std::string>{"encyclopaedia_1"});
}

TEST(Suite, PathsCountFromTheFilesFolder) {
  const auto suite = parse_suite(head("tasks: [vt]\nwording: w.yaml\ntemplate: model\ncorpora: "
                                      "{essay: books, squad: /x/s.json}\n"),
                                 "some/folder/s.yaml", {}, fake_catalog());
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(suite->corpora.at("essay"), "some/folder/books");
  EXPECT_EQ(suite->corpora.at("squad"), "/x/s.json");
  EXPECT_EQ(suite->wording, "some/folder/w.yaml");
  EXPECT_EQ(suite->chat_template, "model");
}

TEST(Suite, EqualSuitesHaveEqualHashesHoweverWritten) {
  const auto a =
      parse("name: a\nsamples: 10\nlengths: 4k..16k\ntasks: [{vt: {hops: 2}}, niah_single_1]\n");
  const auto b = parse(
      "# other\ntasks:\n  - vt:\n      hops: 2\n  - niah_single_1:\nlengths: [16384, 4_096, "
      "8k]\nname: b\nsamples: 10\nseed: 42\n");
  const auto c =
      parse("name: a\nsamples: 10\nlengths: 4k..16k\ntasks: [{vt: {hops: 3}}, niah_single_1]\n");
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->hash(), b->hash());
  EXPECT_NE(a->hash(), c->hash());
}

TEST(Suite, EverySettingThatDecidesSamplesChangesTheHash) {
  const auto base = parse(head("tasks: [vt, niah_single_1]\n"));
  ASSERT_TRUE(base);
  std::set<std::string> hashes{base->hash()};
  const auto changed = [&](const std::function<void(Suite&)>& change) {
    Suite suite = *base;
    change(suite);
    return hashes.insert(suite.hash()).second;
  };
  EXPECT_TRUE(changed([](Suite& s) { s.version = 2; }));
  EXPECT_TRUE(changed([](Suite& s) { s.lengths = {8192}; }));
  EXPECT_TRUE(changed([](Suite& s) { s.samples = 11; }));
  EXPECT_TRUE(changed([](Suite& s) { s.seed = 1; }));
  EXPECT_TRUE(changed([](Suite& s) { s.length_counts = LengthCounts::kPrompt; }));
  EXPECT_TRUE(changed([](Suite& s) { s.answer_prefix = false; }));
  EXPECT_TRUE(changed([](Suite& s) { s.tasks.pop_back(); }));
  EXPECT_TRUE(changed([](Suite& s) { s.tasks[0].samples = 4; }));
  EXPECT_TRUE(changed([](Suite& s) { s.tasks[0].lengths = {4096}; }));
  EXPECT_TRUE(changed([](Suite& s) { s.tasks[0].parameters["hops"] = int64_t{2}; }));
  EXPECT_TRUE(changed([](Suite& s) { s.tasks[0].parameters["hops"] = 2.0; }));
}

TEST(Suite, SlotsRunByLengthThenTaskThenIndex) {
  const auto suite = parse(
      "name: s\nlengths: [8k, 4k]\nsamples: 2\ntasks: [vt, {niah_single_1: {samples: 1, lengths: "
      "[1k, 8k]}}]\n");
  ASSERT_TRUE(suite) << suite.error().message;
  std::vector<std::string> ids;
  for (const SampleSlot& slot : suite_slots(*suite)) ids.push_back(slot_id(*suite, slot));
  EXPECT_EQ(ids, (std::vector<std::string>{"niah_single_1:1024:0", "vt:4096:0", "vt:4096:1",
                                           "vt:8192:0", "vt:8192:1", "niah_single_1:8192:0"}));
}

struct LengthCase {
  const char* text;
  std::vector<int64_t> lengths;
};

class SuiteLengths : public testing::TestWithParam<LengthCase> {};

TEST_P(SuiteLengths, Parse) {  // G6
  const auto lengths = parse_lengths(GetParam().text);
  ASSERT_TRUE(lengths) << lengths.error().message;
  EXPECT_EQ(*lengths, GetParam().lengths);
}

INSTANTIATE_TEST_SUITE_P(Table, SuiteLengths,
                         testing::Values(LengthCase{"4096", {4096}}, LengthCase{"4k", {4096}},
                                         LengthCase{"4K", {4096}}, LengthCase{"1m", {1048576}},
                                         LengthCase{"4_096, 1k", {1024, 4096}},
                                         LengthCase{"4k..32k", {4096, 8192, 16384, 32768}},
                                         LengthCase{"512..1024+256", {512, 768, 1024}},
                                         LengthCase{"1000..8000", {1000, 2000, 4000, 8000}},
                                         LengthCase{"4k,4096,4k..4k", {4096}},
                                         LengthCase{"2m..4m", {2097152, 4194304}}));

TEST(SuiteLengthEdges, AroundBlocks) {  // G6
  const auto suite = parse(
      "name: s\nsamples: 1\ntasks: [vt]\nlengths: [1k, {edges: {block: 64, at: [4k, 8192]}}]\n");
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(suite->lengths, (std::vector<int64_t>{1024, 4095, 4096, 4097, 8191, 8192, 8193}));
}

struct BadLength {
  const char* text;
  const char* message;
};

class SuiteBadLengths : public testing::TestWithParam<BadLength> {};

TEST_P(SuiteBadLengths, AreRefused) {
  const auto lengths = parse_lengths(GetParam().text);
  ASSERT_FALSE(lengths);
  EXPECT_EQ(lengths.error().code, ErrorCode::kUsage);
  EXPECT_NE(lengths.error().message.find(GetParam().message), std::string::npos)
      << lengths.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, SuiteBadLengths,
    testing::Values(BadLength{"", "'' is not a length"}, BadLength{"4q", "'4q' is not a length"},
                    BadLength{"4k,,8k", "'' is not a length"}, BadLength{"-4k", "outside"},
                    BadLength{"0", "outside"}, BadLength{"100", "outside 128.."},
                    BadLength{"99999999999999999999", "outside"}, BadLength{"9999999m", "outside"},
                    BadLength{"8k..4k", "ends below its start"},
                    BadLength{"4k..12k", "does not reach 12288"}, BadLength{"4k..8k+0", "step"},
                    BadLength{"4k..8k+x", "step"}, BadLength{"128..1024m+1", "more than 10000"},
                    BadLength{"1.5k", "not a length"}));

struct BadSuite {
  const char* yaml;
  const char* message;
};

class SuiteErrors : public testing::TestWithParam<BadSuite> {};

TEST_P(SuiteErrors, NamePlaceAndRemedy) {  // C1, Q1
  const auto suite = parse(GetParam().yaml);
  ASSERT_FALSE(suite);
  EXPECT_EQ(suite.error().code, ErrorCode::kInput);
  EXPECT_EQ(suite.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SuiteErrors,
    testing::Values(
        BadSuite{"", "s.yaml: the file is empty; docs/formats/suite.md shows a suite"},
        BadSuite{"just text", "s.yaml:1:1: a suite must be a map (key: value), not 'just text'"},
        BadSuite{"- a\n- b", "s.yaml:1:1: a suite must be a map (key: value), not a list"},
        BadSuite{"name: s\nsample: 3\n",
                 "s.yaml:2:1: unknown key 'sample' in a suite; did you mean 'samples'?"},
        BadSuite{"name: s\nlenghts: 4k\n",
                 "s.yaml:2:1: unknown key 'lenghts' in a suite; did you mean 'lengths'?"},
        BadSuite{"xyzzyplugh: 1\n",
                 "s.yaml:1:1: unknown key 'xyzzyplugh' in a suite; valid keys: name, version, "
                 "description, tasks, "
                 "lengths, samples, seed, wording, template, answer_prefix, corpora, without, "
                 "length_counts, controls, variants"},
        BadSuite{"lengths: 4k\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:1:1: a suite needs the key 'name'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\n", "s.yaml:1:1: a suite needs the key 'tasks'"},
        BadSuite{"name: s\nname: t\n",
                 "s.yaml:2:1: key 'name' stands here a second time (first in line 1)"},
        BadSuite{"name: s\nlengths: 4k\nsamples: many\ntasks: [vt]\n",
                 "s.yaml:3:10: 'samples' must be an integer, not 'many'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 0\ntasks: [vt]\n",
                 "s.yaml:3:10: 'samples' must be between 1 and 10000000, not 0"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 99999999999999999999\ntasks: [vt]\n",
                 "s.yaml:3:10: 'samples' must be between 1 and 10000000, not 99999999999999999999"},
        BadSuite{"name: s\nlengths: 4k\nsamples: \"5\"\ntasks: [vt]\n",
                 "s.yaml:3:10: 'samples' must be an integer, not '5'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: [1]\ntasks: [vt]\n",
                 "s.yaml:3:10: 'samples' must be an integer, not a list"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\nseed: -1\ntasks: [vt]\n",
                 "s.yaml:4:7: 'seed' must be between 0 and 9223372036854775807, not -1"},
        BadSuite{"name: s\nlengths: []\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:2:10: 'lengths' is an empty list"},
        BadSuite{"name: s\nlengths:\nsamples: 1\ntasks: [vt]\n", "s.yaml:2:1: 'lengths' is empty"},
        BadSuite{"name: s\nlengths: [4k, 4x]\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:2:15: '4x' is not a length; write tokens (4096), k (4k) or m (1m), a list "
                 "or a range (4k..128k)"},
        BadSuite{"name: s\nlengths: {edges: {block: 64, at: 4100}}\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:2:34: 4100 is not a multiple of the block size 64; the nearest is 4096"},
        BadSuite{"name: s\nlengths: {edge: {block: 64}}\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:2:11: unknown key 'edge' in 'lengths'; did you mean 'edges'?"},
        BadSuite{"name: s\nlengths: {edges: {block: 64}}\nsamples: 1\ntasks: [vt]\n",
                 "s.yaml:2:18: 'edges' needs 'block' and 'at'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: vt\n",
                 "s.yaml:4:8: 'tasks' must be a list of tasks (- name), not 'vt'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: []\n",
                 "s.yaml:4:8: 'tasks' must be a list of tasks (- name), not an empty one"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [niah_singel_1]\n",
                 "s.yaml:4:9: unknown task 'niah_singel_1'; did you mean 'niah_single_1'?"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [summarise_it]\n",
                 "s.yaml:4:9: unknown task 'summarise_it'; `fathom tasks` lists them"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hop: 3}\n",
                 "s.yaml:5:10: unknown key 'hop' in task 'vt'; did you mean 'hops'?"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hops: 30}\n",
                 "s.yaml:5:16: 'hops' must be between 1 and 20, not 30"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hops: 1.5}\n",
                 "s.yaml:5:16: 'hops' must be an integer, not '1.5'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hops: []}\n",
                 "s.yaml:5:16: the list of 'hops' is empty"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hops: [2, 2]}\n",
                 "s.yaml:5:20: 'hops' takes '2' twice"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: 5\n",
                 "s.yaml:5:9: task 'vt' must be a map (key: value), not '5'"},
        BadSuite{
            "name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt: {hops: 2}\n    niah_single_1:\n",
            "s.yaml:5:5: a task entry holds one name; indent its settings below the name, or begin "
            "the next task with a dash"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - [vt]\n",
                 "s.yaml:5:5: a task must be a name, or a name with its settings (- vt: {hops: "
                 "4}), not a list"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - niah_single_1: {haystack: esay}\n",
                 "s.yaml:5:31: 'haystack' must be one of essay, noise, needle, not 'esay'; did you "
                 "mean 'essay'?"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - niah_single_1: {spread: wide}\n",
                 "s.yaml:5:29: 'spread' must be a number, not 'wide'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - niah_single_1: {spread: .inf}\n",
                 "s.yaml:5:29: 'spread' must be a number, not '.inf'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - niah_single_1: {shuffle: maybe}\n",
                 "s.yaml:5:30: 'shuffle' must be true or false, not 'maybe'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks:\n  - vt\n  - vt\n",
                 "s.yaml:6:5: 'vt' stands here a second time (first in line 5); list its lengths "
                 "and values together"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [vt]\nlength_counts: words\n",
                 "s.yaml:5:16: what a length counts must be prompt+reserve, prompt or context, not "
                 "'words'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [vt]\nanswer_prefix: perhaps\n",
                 "s.yaml:5:16: 'answer_prefix' must be true or false, not 'perhaps'"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [vt]\ncorpora: {squat: x}\n",
                 "s.yaml:5:11: unknown key 'squat' in 'corpora'; did you mean 'squad'?"},
        BadSuite{"name: s\nlengths: 4k\nsamples: 1\ntasks: [vt]\nwithout: {squad: {qa_1: qa_9}}\n",
                 "s.yaml:5:25: unknown task 'qa_9'; did you mean 'qa_1'?"},
        BadSuite{"name: &a s\nlengths: 4k\n",
                 "s.yaml:1:7: anchors (&name) are not allowed: write the value again"},
        BadSuite{"name: !!str s\nlengths: 4k\n",
                 "s.yaml:1:7: tags (tag:yaml.org,2002:str) are not allowed"},
        BadSuite{"name: [a\nlengths: 4k\n",
                 "s.yaml:2:8: not YAML: end of sequence flow not found"}));

TEST(SuiteErrors, MissingFilesAndNames) {
  const auto path = load_suite("no/such/suite.yaml", {}, fake_catalog());
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().code, ErrorCode::kIo);
  const auto name = load_suite("rulr", {}, fake_catalog());
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().message, "no suite 'rulr'; did you mean 'ruler'?");
  SuiteOverrides flags;
  flags.tasks = {"vtt"};
  const auto task = parse(head("tasks: [vt]\n"), flags);
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().code, ErrorCode::kUsage);
  EXPECT_EQ(task.error().message, "--tasks: unknown task 'vtt'; did you mean 'vt'?");
}

TEST(SuiteErrors, SweepsThatExplodeAreRefused) {
  std::string numbers = "1";
  for (int i = 2; i <= 100; ++i) numbers += fmt::format(", {}", i);
  std::string spreads = "0.0";
  for (int i = 1; i <= 150; ++i) spreads += fmt::format(", 0.{:03}", i);
  const auto suite = parse(head(
      fmt::format("tasks:\n  - niah_single_1: {{keys: [{}], spread: [{}]}}\n", numbers, spreads)));
  ASSERT_FALSE(suite);
  EXPECT_NE(suite.error().message.find("more than 10000 cells"), std::string::npos);
}

TEST(SuiteEmbedded, AllLoadWithTheRegisteredTasks) {
  const auto names = embedded_suites();
  EXPECT_EQ(names, (std::vector<std::string>{"demo", "regression", "ruler-own", "ruler", "smoke",
                                             "sparse-64k", "sparse-small"}));
  for (const std::string& name : names) {
    const auto suite = load_suite(name, {});
    EXPECT_TRUE(suite) << suite.error().message;
  }
}

TEST(SuiteEmbedded, RulerHasItsThirteenTasks) {  // T1
  SuiteOverrides flags;
  flags.corpora = {{"squad", "a"}, {"hotpotqa", "b"}};
  const auto suite = load_suite("ruler", flags);
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(cells(*suite), (std::vector<std::string>{
                               "niah_single_1", "niah_single_2", "niah_single_3", "niah_multikey_1",
                               "niah_multikey_2", "niah_multikey_3", "niah_multivalue",
                               "niah_multiquery", "vt", "cwe", "fwe", "qa_1", "qa_2"}));
  EXPECT_EQ(suite->lengths, (std::vector<int64_t>{4096, 8192, 16384, 32768, 65536, 131072}));
  const auto own = load_suite("ruler", {});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->tasks.size(), 13U);
  EXPECT_EQ(own->notes.size(), 2U);
}

TEST(SuiteEmbedded, DemoIsSmall) {
  const auto suite = load_suite("demo", {});
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_GE(suite->tasks.size(), 5U);
  EXPECT_GE(suite->lengths.size(), 3U);
  EXPECT_EQ(suite->lengths.back(), 2048);
}

}  // namespace
}  // namespace fathom

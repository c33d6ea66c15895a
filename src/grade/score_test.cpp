// J1: RULER's metrics to the last digit (tests/oracles/ruler_score_oracle.py), exact match and set
// match.
#include "grade/score.h"

#include <gtest/gtest.h>

#include <chrono>
#include <clocale>

#include "base/random.h"
#include "grade/official_score.h"
#include "grade/python_text.h"
#include "grade/ruler_score.h"
#include "grade/set_match.h"
#include "io/json.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

struct RulerCase {
  std::string name;
  std::string answer;
  std::vector<std::string> references;
  double all = 0;
  double part = 0;
  std::vector<bool> found;
  std::string graded;
};

struct RulerTask {
  Metric metric = Metric::kStringMatchAll;
  std::vector<size_t> rows;
  double score = 0;
  int64_t nulls = 0;
};

struct RulerCases {
  std::vector<RulerCase> cases;
  std::vector<RulerTask> tasks;
};

RulerCases ruler_cases() {
  RulerCases all;
  const std::string path = std::string(FATHOM_TEST_DATA) + "/grade/ruler_cases.jsonl";
  const auto read = for_each_line(path, [&](size_t, std::string_view line) -> Result<void> {
    TRY(const Json json, parse_json(line, path));
    if (json.contains("case")) {
      all.cases.push_back({json["case"], json["answer"], json["references"], json["all"],
                           json["part"], json["found"], json["graded"]});
    } else {
      const bool part = json["metric"] == "string_match_part";
      all.tasks.push_back({part ? Metric::kStringMatchPart : Metric::kStringMatchAll, json["rows"],
                           json["score"], json["nulls"]});
    }
    return {};
  });
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return all;
}

TEST(RulerScore, EqualsRulersScorerOnEveryCase) {
  const std::vector<RulerCase> cases = ruler_cases().cases;
  ASSERT_GE(cases.size(), 350U);
  for (const RulerCase& test : cases) {
    SCOPED_TRACE(test.name);
    const Score all = grade(Metric::kStringMatchAll, test.answer, test.references);
    EXPECT_EQ(all.official, test.all);
    EXPECT_EQ(all.found, test.found);
    EXPECT_EQ(all.graded_text, test.graded);
    EXPECT_EQ(all.empty, test.graded.empty());
    EXPECT_EQ(grade(Metric::kStringMatchPart, test.answer, test.references).official, test.part);
  }
}

TEST(RulerScore, EqualsRulersTaskScores) {
  const RulerCases all = ruler_cases();
  ASSERT_EQ(all.tasks.size(), 60U);
  for (size_t i = 0; i < all.tasks.size(); ++i) {
    const RulerTask& task = all.tasks[i];
    std::vector<double> official;
    int64_t nulls = 0;
    for (const size_t row : task.rows) {
      const RulerCase& one = all.cases[row];
      const Score score = grade(task.metric, one.answer, one.references);
      official.push_back(score.official);
      nulls += score.empty ? 1 : 0;
    }
    const RulerTaskScore found = ruler_task_score(official, nulls);
    EXPECT_EQ(found.score, task.score) << "task " << i;
    EXPECT_EQ(found.nulls, task.nulls) << "task " << i;
    EXPECT_EQ(found.total, static_cast<int64_t>(task.rows.size()));
  }
}

TEST(RulerScore, OfNothingIsZero) {
  EXPECT_EQ(ruler_task_score({}, 0), (RulerTaskScore{.score = 0, .nulls = 0, .total = 0}));
}

// A plain second reading of the rules for ASCII text.
OfficialScore plain_string_match_all(const std::string& answer,
                                     const std::vector<std::string>& references) {
  const auto is_space = [](char c) { return (c >= 9 && c <= 13) || (c >= 28 && c <= 32); };
  const auto strip = [&](std::string text) {
    while (!text.empty() && is_space(text.back())) text.pop_back();
    while (!text.empty() && is_space(text.front())) text.erase(text.begin());
    return text;
  };
  const auto lower = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
  };
  OfficialScore score;
  score.graded_text = strip(answer);
  for (char& c : score.graded_text)
    if (c >= 0 && c < 32) c = '\n';
  score.graded_text = strip(score.graded_text);
  int found = 0;
  for (const std::string& reference : references) {
    score.found.push_back(lower(score.graded_text).find(lower(reference)) != std::string::npos);
    found += score.found.back() ? 1 : 0;
  }
  score.score = static_cast<double>(found) / static_cast<double>(references.size());
  return score;
}

TEST(RulerScore, EqualsAPlainReadingOnRandomText) {
  Random random(RandomKey(5), "answers");
  const auto text = [&](uint64_t longest) {
    std::string out(random.below(longest + 1), ' ');
    for (char& c : out)
      c = static_cast<char>(random.below(4) == 0 ? random.below(128) : 'a' + random.below(3));
    return out;
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const std::string answer = text(40);
    std::vector<std::string> references(1 + random.below(5));
    for (std::string& reference : references) reference = text(3);
    ASSERT_EQ(official_score(Metric::kStringMatchAll, answer, references),
              plain_string_match_all(answer, references))
        << testing::PrintToString(answer) << testing::PrintToString(references);
  }
}

TEST(RulerScore, SurvivesEveryBytes) {
  Random random(RandomKey(6), "bytes");
  for (int trial = 0; trial < 20000; ++trial) {
    std::string answer(random.below(60), ' ');
    for (char& c : answer) c = static_cast<char>(random.below(256));
    const Score score = grade(Metric::kStringMatchAll, answer, {"a", answer});
    EXPECT_GE(score.official, 0);
    EXPECT_LE(score.official, 1);
    EXPECT_EQ(score.found.size(), 2U);
  }
}

// Spec P: 100,000 answers of 1 kB. The limit is ten times the measured time: it catches quadratic
// mistakes, not slow machines.
TEST(RulerScore, IsFastOnManyAnswers) {
  std::string answer;
  while (answer.size() < 1000) answer += "The special magic number is 7654321, I think. ";
  const std::vector<std::string> references = {"1234567", "2345678", "3456789", "7654321"};
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (int i = 0; i < 100000; ++i)
    sum += grade(Metric::kStringMatchAll, answer, references).official;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(sum, 25000);
  RecordProperty("seconds", std::to_string(took.count()));
  std::string sigmas;
  while (sigmas.size() < 1000000) sigmas += "Σ'";
  EXPECT_EQ(grade(Metric::kStringMatchAll, sigmas, {"x"}).official, 0);
}

TEST(ExactMatch, ComparesTrimmedTexts) {
  EXPECT_EQ(grade(Metric::kExactMatch, " Paris\n", {"Paris"}).official, 1);
  EXPECT_EQ(grade(Metric::kExactMatch, "paris", {"Paris"}).official, 0);
  EXPECT_EQ(grade(Metric::kExactMatch, "Paris.", {"Paris"}).official, 0);
  EXPECT_EQ(grade(Metric::kExactMatch, "B", {"A", "B"}).found, (std::vector<bool>{false, true}));
  EXPECT_TRUE(grade(Metric::kExactMatch, "  ", {"A"}).empty);
}

TEST(SetMatch, ReadsListsAsModelsWriteThem) {
  const std::vector<std::string> wanted = {"apple", "Pear", "plum"};
  for (const std::string answer :
       {"apple, pear, plum", "Plum; Pear; Apple.", "1. apple\n2. pear\n3. plum",
        "- apple\n- pear\n- plum\n", "apple, pear and plum", "apple, pear, and plum",
        "* **apple**\n* **pear**\n* **plum**", "['apple', 'pear', 'plum']",
        "apple\npear\nplum\napple"}) {
    const SetMatch match = set_match(answer, wanted);
    EXPECT_TRUE(match.exact) << answer << testing::PrintToString(match.listed);
    EXPECT_EQ(match.f1, 1) << answer;
    EXPECT_EQ(grade(Metric::kSetMatch, answer, wanted).official, 1) << answer;
  }
}

TEST(SetMatch, CountsMissingAndExtraItems) {
  const SetMatch match = set_match("apple, fig, pear, kiwi", {"apple", "pear", "plum"});
  EXPECT_FALSE(match.exact);
  EXPECT_DOUBLE_EQ(match.precision, 0.5);
  EXPECT_DOUBLE_EQ(match.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(match.f1, 4.0 / 7);
  EXPECT_EQ(match.found, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(grade(Metric::kSetMatch, "apple", {"apple", "pear"}).official, 0);
  EXPECT_EQ(set_match("pineapple", {"apple"}).recall, 0);
  EXPECT_EQ(set_match("apple", {"apple", "Apple"}).exact, true);
}

TEST(SetMatch, KnowsTheEmptyAnswer) {
  EXPECT_TRUE(set_match("None.", {}).exact);
  EXPECT_TRUE(set_match("", {}).exact);
  EXPECT_FALSE(set_match("", {"apple"}).exact);
  EXPECT_FALSE(set_match("none", {"apple"}).exact);
  EXPECT_TRUE(set_match("none", {"none"}).exact);
}

TEST(Score, DoesNotDependOnTheLocale) {
  const Score before = grade(Metric::kStringMatchAll, "ISPARTA, İ", {"isparta", "ı"});
  const char* set = std::setlocale(LC_ALL, "tr_TR.UTF-8");
  EXPECT_EQ(grade(Metric::kStringMatchAll, "ISPARTA, İ", {"isparta", "ı"}), before);
  EXPECT_EQ(python_repr(99.5), "99.5");
  if (set != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace fathom

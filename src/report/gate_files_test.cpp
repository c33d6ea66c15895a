// S5, Q2: what a gate said, in each of its forms.
#include "report/gate_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/gate_table.h"
#include "report/terminal_text.h"
#include "runs/scored_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::scored_run;
using testing_run::ScoredAnswer;

constexpr char kThreeRules[] =
    "rules:\n  - macro: {at_least: 0.1}\n  - macro: {at_least: 0.5, name: \"<open> & 'half'\"}\n"
    "  - tasks: {at_least: 0.99}\n";

GateResult result_of(const std::string& head) {
  const auto policy = parse_policy("name: p\n" + head + kThreeRules, "p.yaml");
  EXPECT_TRUE(policy) << (policy ? "" : policy.error().message);
  const auto run = scored_run({.samples = 20}, [](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.index < 10 ? 1.0 : 0.0};
  });
  const auto result = check_gate(*policy, run.compared(), std::nullopt);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return *result;
}

TEST(GateFiles, JunitCountsWhatThePolicyCounts) {
  const std::string lenient = gate_junit(result_of(""));
  EXPECT_THAT(lenient, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(lenient, HasSubstr("name=\"&lt;open&gt; &amp; &apos;half&apos;\""));
  EXPECT_THAT(lenient, HasSubstr("<skipped message=\"unresolved: "));
  EXPECT_THAT(lenient, HasSubstr("<failure type=\"fail\""));
  EXPECT_THAT(lenient, Not(HasSubstr("<open>")));
  const std::string severe = gate_junit(result_of("unresolved: fail\n"));
  EXPECT_THAT(severe, HasSubstr("tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(severe, HasSubstr("<failure type=\"unresolved\""));
}

TEST(GateFiles, JsonHoldsTheNumbers) {
  const Json json = gate_json(result_of(""));
  EXPECT_EQ(json["status"], "fail");
  EXPECT_EQ(json["exit_code"], 100);
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["unresolved"], 1);
  EXPECT_EQ(json["baseline"], nullptr);
  ASSERT_EQ(json["rules"].size(), 3u);
  EXPECT_EQ(json["rules"][2]["checks"].size(), 3u);
  EXPECT_EQ(json["rules"][2]["checks"][0]["figure"]["value"], 0.5);
  EXPECT_EQ(json["rules"][2]["checks"][0]["at_least"], 0.99);
}

TEST(GateFiles, MarkdownAndTableNameTheRule) {
  const GateResult result = result_of("");
  EXPECT_THAT(gate_markdown(result), HasSubstr("❌ **fail** | each task ≥ 99 %"));
  EXPECT_THAT(gate_markdown(result), Not(HasSubstr("<open>")));
  for (const size_t width : {40u, 80u, 200u}) {
    const std::string text = gate_table(result, {.width = width});
    EXPECT_THAT(text, HasSubstr("FAIL  each task ≥ 99 %"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), width) << line;
  }
}

}  // namespace
}  // namespace fathom

// G9, S8: controls and robustness variants change one thing and keep the rest, index by index.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/threads.h"
#include "suite/audit.h"
#include "suite/manifest.h"
#include "suite/ordered_making.h"
#include "suite/sample_checks.h"
#include "suite/sample_json.h"
#include "suite/suite.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSuite = R"(
name: variants
lengths: [1k, 2k]
samples: 3
tasks: [niah_single_1, niah_multikey_1, vt, cwe, fwe, set_intersection, qa_encyclopaedia_1hop]
controls: [no-context, needles-only]
variants:
  wordings: [question_first]
  seeds: [43]
  entity_sets: 1
  instruction: [before, after, both]
)";

Suite suite_of(const std::string& yaml, const SuiteOverrides& overrides = {}) {
  auto suite = parse_suite(yaml, "variants.yaml", overrides);
  EXPECT_TRUE(suite.has_value()) << suite.error().message;
  return suite ? std::move(*suite) : Suite{};
}

const SuiteTask& row_of(const Suite& suite, const std::string& cell) {
  const auto found = std::find_if(suite.tasks.begin(), suite.tasks.end(),
                                  [&](const SuiteTask& row) { return row.cell == cell; });
  EXPECT_NE(found, suite.tasks.end()) << cell;
  return found == suite.tasks.end() ? suite.tasks.front() : *found;
}

std::vector<Sample> samples_of(const Suite& suite, int threads = 1) {
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  const std::vector<SampleSlot> slots = suite_slots(suite);
  std::vector<Sample> samples(slots.size());
  parallel_for(slots.size(), threads, [&](size_t i) {
    samples[i] = made(maker, suite.tasks[slots[i].task], slots[i].length, slots[i].index);
  });
  return samples;
}

class Samples : public SampleReader {
 public:
  explicit Samples(std::vector<Sample> samples) : samples_(std::move(samples)) {}
  Result<std::optional<Sample>> next() override {
    if (at_ == samples_.size()) return std::optional<Sample>();
    return std::optional<Sample>(samples_[at_++]);
  }
  Result<void> skip(int64_t count) override {
    at_ += static_cast<size_t>(count);
    return {};
  }

 private:
  std::vector<Sample> samples_;
  size_t at_ = 0;
};

std::string context_of(const Sample& sample) {
  return sample.full_text().substr(sample.context.begin, sample.context.end - sample.context.begin);
}

TEST(SuiteVariants, EachIsARowOfItsOwnBesideTheOrdinaryOnes_G9) {
  const Suite suite = suite_of(kSuite);
  // 7 tasks; 2 controls, 1 wording, 1 seed and 3 places of each; entities of all but the questions.
  EXPECT_EQ(suite.tasks.size(), 7U * (1 + 2 + 1 + 1 + 3) + 6);
  const SuiteTask& control = row_of(suite, "vt[control=no-context]");
  EXPECT_EQ(control.lengths, std::vector<int64_t>{0});
  EXPECT_EQ(control.control_of, 1024);
  EXPECT_EQ(control.variant.of, "vt");
  EXPECT_THAT(suite.notes, testing::ElementsAre(HasSubstr("qa_encyclopaedia_1hop")));
  std::set<std::string> ids;
  for (const SampleSlot& slot : suite_slots(suite)) ids.insert(slot_id(suite, slot));
  EXPECT_EQ(ids.size(), suite_slots(suite).size());
  EXPECT_EQ(suite_slots(suite).front().length, 0);  // the cheapest first
}

TEST(SuiteVariants, StandBehindSweptParameters) {
  const Suite suite = suite_of(
      "name: x\nlengths: [1k]\nsamples: 1\ncontrols: [needles-only]\n"
      "tasks: [{vt: {hops: [2, 4]}}]\n");
  EXPECT_EQ(row_of(suite, "vt[hops=2,control=needles-only]").variant.of, "vt[hops=2]");
  EXPECT_EQ(suite.tasks.size(), 4U);
}

TEST(SuiteVariants, TakeTheirOwnLengthsAndSamples) {
  const Suite suite = suite_of(
      "name: x\nlengths: [1k, 2k]\nsamples: 9\ntasks: [vt]\ncontrols: [no-context]\n"
      "variants: {seeds: [1, 2], lengths: 2k, samples: 4}\n");
  EXPECT_EQ(row_of(suite, "vt[seed=2]").lengths, std::vector<int64_t>{2048});
  EXPECT_EQ(suite_slots(suite).size(), 9U * 3 + 2 * 4);
}

TEST(SuiteVariants, FlagsPutOtherControlsInPlace) {
  SuiteOverrides overrides;
  overrides.tasks = {"vt"};
  overrides.lengths = {4096};
  overrides.controls = std::vector<std::string>{};
  EXPECT_EQ(suite_of(kSuite, overrides).tasks.size(), 7U);
  overrides.controls = std::vector<std::string>{"needles-only"};
  const Suite suite = suite_of(kSuite, overrides);
  EXPECT_EQ(row_of(suite, "vt[control=needles-only]").control_of, 4096);
  overrides.controls = std::vector<std::string>{"needle-only"};
  const auto wrong = parse_suite(kSuite, "variants.yaml", overrides);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error().message, HasSubstr("--controls: a control is no-context or "
                                               "needles-only, not 'needle-only'; did you mean"));
}

TEST(SuiteVariants, RefuseWhatCannotBe) {
  const std::string head = "name: x\nlengths: [1k]\nsamples: 1\ntasks: [vt]\n";
  const std::pair<const char*, const char*> cases[] = {
      {"controls: [no-kontext]", "did you mean 'no-context'?"},
      {"controls: no-context", "'controls' must be a list of 1 to 100 values"},
      {"controls: [no-context, no-context]", "a second time"},
      {"variants: {seeds: [42]}", "the seed '42' is the suite's own"},
      {"variants: {seeds: [1, 1]}", "a second time"},
      {"variants: {seeds: [-1]}", "a seed"},
      {"variants: {wordings: [fathom]}", "the wording 'fathom' is the suite's own"},
      {"variants: {wordings: ['a=b']}", "without brackets"},
      {"variants: {wordings: []}", "must be a list"},
      {"variants: {instruction: [above]}", "an instruction stands before, after, both"},
      {"variants: {entity_sets: 0}", "entity_sets"},
      {"variants: {place: beside}", "moves the evidence to beside-question"},
      {"variants: {hops: some}", "'hops'"},
      {"variants: {entity_set: 2}", "did you mean 'entity_sets'?"},
      {"wording: question_first\nvariants: {instruction: [before]}", "moves the sentences"},
  };
  for (const auto& [text, message] : cases) {
    const auto suite = parse_suite(head + text + "\n", "x.yaml", {});
    ASSERT_FALSE(suite.has_value()) << text;
    EXPECT_THAT(suite.error().message, HasSubstr(message)) << text;
    EXPECT_THAT(suite.error().message, HasSubstr("x.yaml")) << text;
  }
}

TEST(SuiteVariants, AreInTheManifestAndTheIdentity) {
  const Suite suite = suite_of(kSuite);
  const auto back = suite_from_json(suite_to_json(suite), "manifest.json");
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(*back, suite);
  EXPECT_EQ(back->hash(), suite.hash());
  SuiteOverrides plain;
  plain.controls = std::vector<std::string>{};
  EXPECT_NE(suite_of(kSuite, plain).hash(), suite.hash());
  Recipe recipe{.suite = suite, .variant_wordings = {{"question_first", {"question_first", "1"}}}};
  Recipe other = recipe;
  other.variant_wordings["question_first"].hash = "2";
  EXPECT_NE(recipe.hash(), other.hash());
  EXPECT_THAT(recipe_differences(recipe, other),
              testing::ElementsAre(HasSubstr("wording question_first")));
}

TEST(SuiteVariants, ChangeOneThingAndKeepTheRest_S8) {
  const Suite suite = suite_of(kSuite);
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  for (const SuiteTask& row : suite.tasks) {
    if (row.variant.ordinary()) continue;
    const Sample base = made(maker, row_of(suite, row.variant.of), 2048, 1);
    const Sample sample = made(maker, row, 2048, 1);
    SCOPED_TRACE(sample.id);
    EXPECT_EQ(sample.variant, row.variant);
    EXPECT_EQ(sample.task, base.task);
    EXPECT_NE(sample.full_text(), base.full_text());
    EXPECT_NE(sample.hash(), base.hash());
    const VariantAxis axis = row.variant.axis;
    const bool same_content = axis != VariantAxis::kSeed && axis != VariantAxis::kEntities;
    EXPECT_EQ(sample.references == base.references, same_content);
    if (axis != VariantAxis::kControl) check_sample(sample, *words_tokenizer(), true);
    EXPECT_EQ(sample.seed, axis == VariantAxis::kSeed ? 43U : 42U);
    if (axis == VariantAxis::kEntities || axis == VariantAxis::kInstruction) {
      EXPECT_EQ(sample.haystack, base.haystack);
      // Of coded words more stand in the room that a shorter instruction leaves.
      EXPECT_TRUE(sample.task == "fwe" || sample.evidence.size() == base.evidence.size());
    }
    const auto back = sample_from_json(sample_to_json(sample), "samples.jsonl:1");
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, sample);
  }
}

TEST(SuiteVariants, ControlsHoldTheEvidenceAloneOrNothing_G9) {
  const Suite suite = suite_of(kSuite);
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  for (const SuiteTask& row : suite.tasks) {
    if (!row.variant.is_control()) continue;
    const Sample sample = made(maker, row, 0, 2);
    const Sample base = made(maker, row_of(suite, row.variant.of), 1024, 2);
    SCOPED_TRACE(sample.id);
    EXPECT_EQ(sample.length, 0);
    EXPECT_EQ(sample.off_by, 0);
    EXPECT_EQ(sample.haystack, "");
    EXPECT_EQ(sample.references, base.references);
    EXPECT_EQ(sample.question, base.question);
    EXPECT_LT(sample.tokens.prompt, base.tokens.prompt);
    EXPECT_EQ(sample.tokens.prompt, static_cast<int64_t>(words_tokenizer()->count(
                                        sample.full_text(), {.add_special = true})));
    EXPECT_EQ(made(maker, row, 8192, 2), sample);  // the length says nothing of it
    if (row.variant.control() == kNoContext) {
      EXPECT_TRUE(sample.evidence.empty());
      EXPECT_EQ(context_of(sample), "(The text is left out.)");
      if (sample.task == "qa_encyclopaedia_1hop") continue;
      for (const std::string& reference : sample.references)
        EXPECT_THAT(sample.full_text(), Not(HasSubstr(reference)));
      continue;
    }
    ASSERT_EQ(content_of(sample), content_of(base));
    if (sample.task == "cwe" || sample.task == "fwe") continue;
    // Evidence and what stands between its pieces is all there is.
    size_t covered = 0;
    for (const Evidence& each : sample.evidence) {
      const bool part =
          std::any_of(sample.evidence.begin(), sample.evidence.end(), [&](const Evidence& outer) {
            return outer.bytes != each.bytes && outer.bytes.begin <= each.bytes.begin &&
                   each.bytes.end <= outer.bytes.end;
          });
      if (!part) covered += each.bytes.end - each.bytes.begin + 1;
    }
    EXPECT_GE(covered + 1, context_of(sample).size());
  }
}

TEST(SuiteVariants, EntitySetsKeepFillerAndPlaces_S8) {
  const Suite suite = suite_of(
      "name: x\nlengths: [2k]\nsamples: 1\ntasks: [niah_single_1, vt]\n"
      "variants: {entity_sets: 2}\n");
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  for (const std::string task : {"niah_single_1", "vt"}) {
    const Sample base = made(maker, row_of(suite, task), 2048, 0);
    const Sample one = made(maker, row_of(suite, task + "[entities=1]"), 2048, 0);
    const Sample two = made(maker, row_of(suite, task + "[entities=2]"), 2048, 0);
    EXPECT_NE(one.references, two.references);
    for (size_t i = 0; i < base.evidence.size(); ++i) {
      EXPECT_NEAR(one.evidence[i].depth, base.evidence[i].depth, 0.02);
      EXPECT_NEAR(two.evidence[i].depth, base.evidence[i].depth, 0.02);
    }
  }
}

TEST(SuiteVariants, AnyThreadCountGivesTheSameBytes_G3) {
  const Suite suite = suite_of(kSuite);
  EXPECT_EQ(samples_of(suite, 1), samples_of(suite, 4));
}

TEST(SuiteVariants, PassTheAudit_G11) {
  const Suite suite = suite_of(kSuite);
  Samples reader(samples_of(suite));
  const auto result = audit_samples(reader, *words_tokenizer(), {});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->passed()) << audit_to_text(*result);
}

TEST(SuiteVariants, TheAuditFindsAControlThatIsNone_G11) {
  const Suite suite = suite_of(kSuite);
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  Sample without = made(maker, row_of(suite, "niah_single_1[control=no-context]"), 0, 0);
  Sample other = made(maker, row_of(suite, "vt[control=needles-only]"), 0, 0);
  const Sample ordinary = made(maker, row_of(suite, "vt"), 1024, 0);
  without.references.front() = "question";  // stands in the prompt
  without.prompt += " question";
  other.question = "another one";
  other.length = 512;
  Samples reader({ordinary, without, other});
  const auto result = audit_samples(reader, *words_tokenizer(), {});
  ASSERT_TRUE(result.has_value());
  const std::string text = audit_to_text(*result);
  EXPECT_THAT(text, HasSubstr("stands in a prompt without its context"));
  EXPECT_THAT(text, HasSubstr("a control has no length, and this sample has 512"));
  EXPECT_THAT(text, HasSubstr("another question or other references"));
}

// Every task's prompt has its moved forms, so that "before" never stands for the usual place.
TEST(SuiteVariants, InstructionPacksMoveEveryPrompt_S8) {
  const Wording usual = *Wording::load("fathom");
  const Wording before = *Wording::load("instruction_before");
  const Wording after = *Wording::load("instruction_after");
  const Wording both = *Wording::load("instruction_both");
  for (const Task* task : tasks()) {
    for (const WordingSpec& spec : task->info().texts) {
      const auto& names = spec.placeholders;
      if (std::find(names.begin(), names.end(), "context") == names.end()) continue;
      for (const int64_t count : {1, 2}) {
        SCOPED_TRACE(spec.key);
        const auto parts = [&](const Wording& pack) {
          return pack.around_context(spec.key, {}, count);
        };
        EXPECT_EQ(parts(after).first, "");
        EXPECT_LT(parts(before).second.size(), 30U);
        EXPECT_GT(parts(both).first.size(), 60U);
        EXPECT_GT(parts(both).second.size(), 60U);
        EXPECT_NE(parts(both), parts(usual));
      }
    }
  }
}

TEST(SuiteVariants, NoTaskHasAParameterOfAnAxisName) {
  for (const Task* task : tasks()) {
    for (const ParameterSpec& spec : task->info().parameters)
      EXPECT_FALSE(variant_axis_from_text(spec.name).has_value())
          << task->info().name << " " << spec.name;
  }
}

TEST(SuiteVariants, EvidenceBesideTheQuestionLeavesFillerAndDistractors_A7) {
  const Suite suite = suite_of(
      "name: x\nlengths: [1k, 2k]\nsamples: 1\n"
      "tasks: [niah_multikey_1, niah_multivalue, vt, set_intersection, qa_encyclopaedia_2hop, "
      "cwe]\n"
      "variants: {place: beside-question}\n");
  EXPECT_THAT(suite.notes, testing::Contains(HasSubstr("place: the evidence of cwe")));
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  int moved = 0;
  for (const SuiteTask& row : suite.tasks) {
    if (row.variant.axis != VariantAxis::kPlace) continue;
    ++moved;
    for (int64_t index = 0; index < 4; ++index) {
      const Sample base = made(maker, row_of(suite, row.variant.of), 2048, index);
      const Sample sample = made(maker, row, 2048, index);
      SCOPED_TRACE(sample.id);
      check_sample(sample, *words_tokenizer(), true);
      EXPECT_EQ(sample.references, base.references);
      EXPECT_EQ(sample.question, base.question);
      EXPECT_EQ(sample.haystack, base.haystack);
      ASSERT_EQ(sample.evidence.size(), base.evidence.size());
      // Nothing but evidence, in its own order, and a closing sentence or two behind the first.
      uint64_t first = sample.context.end;
      size_t bytes = 0;
      for (const Evidence& each : sample.evidence) {
        if (each.distractor || each.role == "support") continue;
        first = std::min(first, each.bytes.begin);
        bytes += each.bytes.end - each.bytes.begin + 2;
      }
      EXPECT_LE(sample.context.end - first, bytes + 400);
      // The words that are no answer stand in the lists themselves.
      if (row.name == "set_intersection") continue;
      for (const Evidence& each : sample.evidence)
        if (each.distractor) {
          EXPECT_LT(each.bytes.begin, first);
        }
    }
  }
  EXPECT_EQ(moved, 5);
}

TEST(SuiteVariants, ProbesAskForOneHopInTheSameContext_A7) {
  const Suite suite = suite_of(
      "name: x\nlengths: [1k]\nsamples: 1\n"
      "tasks: [{vt: {hops: 2, chains: 2}}, niah_single_1]\nvariants: {hops: true}\n");
  const SampleMaker maker = maker_for(suite, words_tokenizer());
  std::vector<std::string> values;
  for (const SuiteTask& row : suite.tasks) {
    if (row.variant.axis != VariantAxis::kHop) continue;
    values.push_back(row.variant.value);
    const auto hop = static_cast<size_t>(std::stoi(row.variant.value));
    const Sample base = made(maker, row_of(suite, row.variant.of), 1024, 3);
    const Sample sample = made(maker, row, 1024, 3);
    SCOPED_TRACE(sample.id);
    check_sample(sample, *words_tokenizer(), true);
    ASSERT_EQ(sample.references.size(), 1U);
    EXPECT_THAT(base.question, HasSubstr(sample.references.front()));  // the chain's value
    EXPECT_THAT(sample.question, HasSubstr(base.references[hop]));     // the variable at that hop
    EXPECT_THAT(sample.answer_prefix, HasSubstr(base.references[hop]));
    size_t needed = 0;
    for (const Evidence& each : sample.evidence) needed += each.distractor ? 0 : 1;
    EXPECT_EQ(needed, hop + 1);
    ASSERT_EQ(sample.evidence.size(), base.evidence.size());
  }
  EXPECT_EQ(values, (std::vector<std::string>{"0", "1", "2"}));
}

}  // namespace
}  // namespace fathom

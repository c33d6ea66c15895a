// The audit (G11): a clean dataset passes, and each planted fault is named.
#include "suite/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "suite/evidence_tokens.h"
#include "suite/fake_tokenizer.h"

namespace fathom {
namespace {

constexpr int64_t kReserve = 32;

const FakeTokenizer& tokenizer() {
  static const FakeTokenizer made(FakeTokenizer::Kind::kWords);
  return made;
}

void count(Sample& sample) {
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  tokenizer().encode_with_spans(sample.full_text(), {.add_special = true, .parse_special = true},
                                ids, spans);
  sample.tokens.prompt = static_cast<int64_t>(ids.size());
  sample.tokens.reserve = kReserve;
  sample.tokens.total = sample.length = sample.tokens.prompt + kReserve;
  for (Evidence& each : sample.evidence) each.tokens = tokens_touching(spans, each.bytes);
}

// A needle at a random place among filler.
Sample needle(int64_t index, const std::string& cell = "niah_single_1", int lines = 200) {
  Random random(RandomKey(1).with(static_cast<uint64_t>(index)).with(static_cast<uint64_t>(lines)),
                "place");
  const std::string value = std::to_string(1'000'000 + 37 * index);
  const std::string sentence = fmt::format("The magic number for key{} is: {}.\n", index, value);
  const auto at = random.below(static_cast<uint64_t>(lines));
  std::string context;
  Sample sample;
  for (uint64_t line = 0; line < static_cast<uint64_t>(lines); ++line) {
    if (line == at) {
      Evidence evidence;
      evidence.role = "needle";
      evidence.bytes = {context.size(), context.size() + sentence.size() - 1};
      evidence.answer_bytes = {context.size() + sentence.size() - 2 - value.size(),
                               context.size() + sentence.size() - 2};
      sample.evidence.push_back(evidence);
      context += sentence;
    }
    context += "The grass is green and the sky is blue.\n";
  }
  const std::string before = "Remember the number.\n";
  sample.task = "niah_single_1";
  sample.cell = cell;
  sample.index = index;
  sample.references = {value};
  sample.question = "What is the number for key" + std::to_string(index) + "?";
  sample.prompt = before + context + sample.question;
  sample.answer_prefix = " The number is";
  sample.context = {before.size(), before.size() + context.size()};
  for (Evidence& each : sample.evidence) {
    each.depth = static_cast<double>(each.bytes.begin) / static_cast<double>(context.size());
    each.bytes = {each.bytes.begin + before.size(), each.bytes.end + before.size()};
    each.answer_bytes = {each.answer_bytes.begin + before.size(),
                         each.answer_bytes.end + before.size()};
  }
  count(sample);
  // One cell has one length here, whatever its samples count to.
  sample.length = int64_t{lines} * 13;
  sample.off_by = sample.tokens.total - sample.length;
  sample.id = fmt::format("{}:{}:{}", cell, sample.length, index);
  return sample;
}

class ListReader : public SampleReader {
 public:
  explicit ListReader(std::vector<Sample> samples) : samples_(std::move(samples)) {}
  Result<std::optional<Sample>> next() override {
    if (next_ == samples_.size()) return std::optional<Sample>();
    return std::optional<Sample>(samples_[next_++]);
  }
  Result<void> skip(int64_t) override { return {}; }

 private:
  std::vector<Sample> samples_;
  size_t next_ = 0;
};

AuditResult audit(std::vector<Sample> samples) {
  ListReader reader(std::move(samples));
  AuditOptions options;
  options.allowed_off_by = 10'000;  // the fixtures are not fitted
  auto result = audit_samples(reader, tokenizer(), options);
  EXPECT_TRUE(result);
  return *result;
}

std::vector<Sample> clean(int count, int lines = 200) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) samples.push_back(needle(i, "niah_single_1", lines));
  return samples;
}

bool found(const AuditResult& result, FindingKind kind, bool breach = true) {
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& each) {
    return each.kind == kind && each.breach == breach;
  });
}

TEST(Audit, CleanSamplesPass) {
  const AuditResult result = audit(clean(100));
  EXPECT_TRUE(result.passed()) << audit_to_text(result);
  EXPECT_EQ(result.samples, 100);
  ASSERT_EQ(result.cells.size(), 1U);
  const CellAudit& cell = result.cells[0];
  EXPECT_EQ(cell.samples, 100);
  EXPECT_GT(cell.depth_p, 0.001);
  EXPECT_NEAR(cell.depth_mean, 0.5, 0.12);
  EXPECT_GT(cell.distance_mean, 100);
  EXPECT_GE(cell.blocks_mean, 1);
  EXPECT_EQ(cell.reserve_min, kReserve);
  EXPECT_GT(cell.answer_tokens_max, 0);
}

struct Fault {
  const char* name;
  FindingKind kind;
  std::function<void(Sample&)> plant;
};

class AuditFaults : public testing::TestWithParam<Fault> {};

TEST_P(AuditFaults, AreBreaches) {
  std::vector<Sample> samples = clean(8);
  GetParam().plant(samples[3]);
  const AuditResult result = audit(samples);
  EXPECT_FALSE(result.passed());
  EXPECT_TRUE(found(result, GetParam().kind)) << audit_to_text(result);
}

// Puts `text` at the start of the context and mends all places, so that only the planted fault
// shows.
void insert(Sample& sample, const std::string& text) {
  const uint64_t at = sample.context.begin;
  sample.prompt.insert(at, text);
  sample.context.end += text.size();
  const auto size = static_cast<double>(sample.context.end - at);
  for (Evidence& each : sample.evidence) {
    each.bytes = {each.bytes.begin + text.size(), each.bytes.end + text.size()};
    each.answer_bytes = {each.answer_bytes.begin + text.size(),
                         each.answer_bytes.end + text.size()};
    each.depth = static_cast<double>(each.bytes.begin - at) / size;
  }
  const int64_t length = sample.length;
  count(sample);
  sample.length = length;
  sample.off_by = sample.tokens.total - length;
}

INSTANTIATE_TEST_SUITE_P(
    Table, AuditFaults,
    testing::Values(
        Fault{"token_count", FindingKind::kTokenCount, [](Sample& s) { ++s.tokens.prompt; }},
        Fault{"total", FindingKind::kLength, [](Sample& s) { ++s.tokens.total; }},
        Fault{"off_by", FindingKind::kLength, [](Sample& s) { ++s.off_by; }},
        Fault{"length", FindingKind::kLength, [](Sample& s) { s.length += 20'000; }},
        Fault{"evidence_tokens", FindingKind::kEvidenceSpan,
              [](Sample& s) { ++s.evidence[0].tokens.end; }},
        Fault{"evidence_bytes", FindingKind::kEvidenceSpan,
              [](Sample& s) { s.evidence[0].bytes.end = 1 << 30; }},
        Fault{"evidence_depth", FindingKind::kEvidenceSpan,
              [](Sample& s) { s.evidence[0].depth = s.evidence[0].depth > 0.5 ? 0.1 : 0.9; }},
        Fault{"answer_outside", FindingKind::kEvidenceSpan,
              [](Sample& s) {
                s.evidence[0].answer_bytes = {1, 3};
              }},
        Fault{"answer_missing", FindingKind::kAnswerMissing,
              [](Sample& s) { s.references = {"7654321"}; }},
        Fault{"no_evidence", FindingKind::kAnswerMissing, [](Sample& s) { s.evidence.clear(); }},
        Fault{"empty_reference", FindingKind::kAnswerMissing,
              [](Sample& s) { s.references.emplace_back(); }},
        Fault{"answer_elsewhere", FindingKind::kAnswerElsewhere,
              [](Sample& s) { insert(s, "It was " + s.references[0] + " again.\n"); }},
        Fault{"same_key", FindingKind::kCollision,
              [](Sample& s) {
                insert(s, fmt::format("The magic number for key{} is: 7777777.\n", s.index));
              }},
        Fault{"value_in_distractor", FindingKind::kCollision,
              [](Sample& s) {
                const std::string text =
                    "The magic number for other is: " + s.references[0] + ".\n";
                insert(s, text);
                Evidence other;
                other.role = "distractor";
                other.distractor = true;
                other.bytes = {s.context.begin, s.context.begin + text.size() - 1};
                s.evidence.push_back(other);
                const int64_t length = s.length;
                count(s);
                s.length = length;
              }},
        Fault{"reserve", FindingKind::kTruncationRisk,
              [](Sample& s) {
                s.tokens.reserve = 1;
                s.tokens.total = s.tokens.prompt + 1;
                s.off_by = s.tokens.total - s.length;
              }},
        Fault{"duplicate_id", FindingKind::kDuplicateId, [](Sample& s) { s.id = needle(4).id; }},
        Fault{"duplicate_prompt", FindingKind::kDuplicatePrompt,
              [](Sample& s) {
                const std::string id = s.id;
                s = needle(4);
                s.id = id;
              }}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Audit, ValueInsideALongerNumberIsNoAccident) {
  std::vector<Sample> samples = clean(4);
  insert(samples[1], "It was 9" + samples[1].references[0] + "9 again.\n");
  EXPECT_TRUE(audit(samples).passed());
}

TEST(Audit, TiesInFrequencyTasks) {
  const auto words = [](int rarest_answer) {
    Sample sample;
    sample.id = "fwe:1:0";
    sample.task = sample.cell = "fwe";
    sample.references = {"alpha", "beta"};
    std::string context;
    const auto add = [&](const std::string& word, int times) {
      for (int i = 0; i < times; ++i) {
        if (i < 1 && (word == "alpha" || word == "beta")) {
          Evidence evidence;
          evidence.role = "frequent word";
          evidence.bytes = {context.size(), context.size() + word.size()};
          sample.evidence.push_back(evidence);
        }
        context += word + " ";
      }
    };
    add("...", 50);
    add("alpha", 20);
    add("beta", rarest_answer);
    add("gamma", 9);
    sample.context = {0, context.size()};
    for (Evidence& each : sample.evidence) {
      each.depth = static_cast<double>(each.bytes.begin) / static_cast<double>(context.size());
    }
    sample.prompt = context + "Which?";
    count(sample);
    return sample;
  };
  EXPECT_TRUE(audit({words(10)}).passed()) << audit_to_text(audit({words(10)}));
  EXPECT_TRUE(found(audit({words(9)}), FindingKind::kTie));
}

TEST(Audit, FixedLayoutsAndDepthsAreSeen) {  // RULER's own fault
  std::vector<Sample> samples;
  for (int64_t i = 0; i < 40; ++i) {
    Sample sample = needle(7);
    sample.index = i;
    sample.id = fmt::format("niah_single_1:{}:{}", sample.length, i);
    sample.prompt += fmt::format(" ({:03})", i);
    const int64_t length = sample.length;
    count(sample);
    sample.length = length;
    sample.off_by = sample.tokens.total - length;
    samples.push_back(sample);
  }
  const AuditResult result = audit(samples);
  EXPECT_TRUE(found(result, FindingKind::kRepeatedLayout)) << audit_to_text(result);
  EXPECT_TRUE(found(result, FindingKind::kDepthDistribution));
}

TEST(Audit, ContentDriftAcrossLengths) {  // G3: the same index has the same content at every length
  std::vector<Sample> samples = clean(5, 100);
  const std::vector<Sample> longer = clean(5, 200);
  samples.insert(samples.end(), longer.begin(), longer.end());
  EXPECT_FALSE(found(audit(samples), FindingKind::kContentDrift));
  samples[7].question = "Something else?";
  EXPECT_TRUE(found(audit(samples), FindingKind::kContentDrift));
}

TEST(Audit, ManyFindingsAreCountedAndFewShown) {
  std::vector<Sample> samples = clean(60);
  for (Sample& sample : samples) ++sample.tokens.prompt;
  const AuditResult result = audit(samples);
  EXPECT_GE(result.breaches, 60);
  EXPECT_LE(result.findings.size(), 45U);
  const Json json = audit_to_json(result);
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["breaches"], result.breaches);
  EXPECT_NE(audit_to_text(result).find("more of these kinds"), std::string::npos);
}

}  // namespace
}  // namespace fathom

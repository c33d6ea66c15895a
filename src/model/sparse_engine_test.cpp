// The proofs that masks act (spec A3), on random models of several architectures and on two real
// ones: a budget that covers the context gives the bits of full attention, what is masked equals
// what is dropped, no weight falls on what is masked, and neither threads nor the order of samples
// change a bit.
#include "model/sparse_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model/random_gguf_test.h"

namespace fathom {
namespace {

const auto kQuiet = [](int64_t) {};

struct Ready {
  std::unique_ptr<LlamaEngine> model;
  std::unique_ptr<SparseEngine> engine;
};

Ready ready(const std::string& path, int threads = 1, bool exact = true, int64_t window = 1024) {
  Ready out;
  auto loaded = LlamaEngine::load(path, threads, [] { return false; });
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  if (!loaded) return out;
  out.model = std::move(*loaded);
  auto engine = SparseEngine::create(
      out.model->model(), {.window_tokens = window, .threads = threads, .exact_cache = exact},
      [] { return false; });
  EXPECT_TRUE(engine) << (engine ? "" : engine.error().message);
  if (engine) out.engine = std::move(*engine);
  return out;
}

std::vector<int32_t> random_tokens(int64_t count, uint64_t seed) {
  Random random(RandomKey(seed), "prompt");
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<int32_t>(random.below(256)));
  return tokens;
}

struct TestArm {
  std::string name;
  SelectorOptions options = {};
  std::vector<TokenSpan> evidence = {};
};

struct Computed {
  std::vector<std::vector<float>> logits;  // after the prompt and after each further token
  SelectionLog log;
};

constexpr int kSteps = 3;

std::vector<std::vector<float>> follow(SparseEngine& engine) {
  std::vector<std::vector<float>> logits;
  for (int step = 0;; ++step) {
    const std::span<const float> values = engine.logits();
    logits.emplace_back(values.begin(), values.end());
    if (step == kSteps) return logits;
    EXPECT_EQ(engine.append(17 + step), DecodeStatus::kDone);
  }
}

Computed computed(SparseEngine& engine, const TestArm& arm, const std::vector<int32_t>& tokens,
                  int64_t context) {
  Computed out;
  out.log.sample_id = "sample";
  const auto started =
      engine.start(arm.options, {.tokens = tokens, .context = context, .evidence = arm.evidence},
                   out.log, kQuiet);
  EXPECT_TRUE(started) << (started ? "" : started.error().message);
  if (!started || started->status != DecodeStatus::kDone) return out;
  out.logits = follow(engine);
  const auto finished = engine.finish();
  EXPECT_TRUE(finished) << arm.name << " " << arm.options.budget << ": "
                        << (finished ? "" : finished.error().message);
  return out;
}

double distance(const std::vector<std::vector<float>>& a,
                const std::vector<std::vector<float>>& b) {
  double most = a.size() == b.size() && !a.empty() ? 0 : INFINITY;
  for (size_t step = 0; step < std::min(a.size(), b.size()); ++step)
    for (size_t i = 0; i < a[step].size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(a[step][i]) - b[step][i]));
  return most;
}

TestArm arm_of(SelectorKind kind, int64_t budget) {
  TestArm arm{.name = std::string(to_text(kind))};
  arm.options.kind = kind;
  arm.options.budget = budget;
  arm.options.block = 16;
  arm.options.sliding_layers = true;
  arm.evidence = {{40, 56}, {120, 131}};
  return arm;
}

constexpr SelectorKind kKinds[] = {
    SelectorKind::kStreaming,  SelectorKind::kRandom,        SelectorKind::kQuest,
    SelectorKind::kSnapKv,     SelectorKind::kH2o,           SelectorKind::kTova,
    SelectorKind::kMoba,       SelectorKind::kBm25,          SelectorKind::kKeyNorm,
    SelectorKind::kMassOracle, SelectorKind::kVerticalSlash, SelectorKind::kEvidenceRandom};

class SparseEngineProofs : public testing::TestWithParam<RandomModel> {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "fathom_" + GetParam().architecture + "_" +
            std::to_string(GetParam().sliding_window) + ".gguf";
    ASSERT_TRUE(RandomGguf(GetParam()).write(path_));
  }
  std::string path_;
};

// A prompt whose last 30 tokens come after the context.
std::vector<int32_t> prompt_over(int64_t context, uint64_t seed) {
  return random_tokens(context + 30, seed);
}

void expect_a_whole_budget_is_full(SparseEngine& engine, int64_t context,
                                   std::span<const SelectorKind> kinds) {
  const std::vector<int32_t> tokens = prompt_over(context, 1);
  const Computed full = computed(engine, arm_of(SelectorKind::kFull, 0), tokens, context);
  for (const SelectorKind kind : kinds) {
    const Computed whole = computed(engine, arm_of(kind, 100'000), tokens, context);
    EXPECT_EQ(distance(full.logits, whole.logits), 0) << to_text(kind);
    const Computed some = computed(engine, arm_of(kind, 64), tokens, context);
    EXPECT_GT(distance(full.logits, some.logits), 1e-3) << to_text(kind) << ": no mask acted";
  }
  const Computed again = computed(engine, arm_of(SelectorKind::kFull, 0), tokens, context);
  EXPECT_EQ(distance(full.logits, again.logits), 0);  // the noise floor
}

void expect_masked_is_dropped(SparseEngine& engine, int64_t context) {
  const std::vector<int32_t> tokens = prompt_over(context, 2);
  TestArm arm = arm_of(SelectorKind::kKnockout, 0);
  arm.options.base = SelectorKind::kFull;
  arm.evidence = {{48, 80}, {112, 128}};  // whole blocks of 16
  const Computed masked = computed(engine, arm, tokens, context);
  const Prefill dropped =
      engine.start_without({.tokens = tokens, .context = context}, arm.evidence);
  ASSERT_EQ(dropped.status, DecodeStatus::kDone);
  EXPECT_EQ(distance(masked.logits, follow(engine)), 0);
  const Computed full = computed(engine, arm_of(SelectorKind::kFull, 0), tokens, context);
  EXPECT_GT(distance(masked.logits, full.logits), 1e-3);
}

void expect_threads_and_order_change_nothing(const std::string& path, int64_t context) {
  const std::vector<int32_t> one = prompt_over(context, 3);
  const std::vector<int32_t> other = prompt_over(context + 50, 4);
  const Ready first = ready(path, 1);
  const Ready second = ready(path, 2);
  ASSERT_TRUE(first.engine && second.engine);
  for (const SelectorKind kind : {SelectorKind::kQuest, SelectorKind::kH2o}) {
    const Computed a = computed(*first.engine, arm_of(kind, 64), one, context);
    (void)computed(*second.engine, arm_of(SelectorKind::kStreaming, 64), other, context + 50);
    const Computed b = computed(*second.engine, arm_of(kind, 64), one, context);
    EXPECT_EQ(distance(a.logits, b.logits), 0) << to_text(kind);
    EXPECT_EQ(a.log, b.log) << to_text(kind);
  }
}

TEST_P(SparseEngineProofs, A3_BudgetOverTheContextIsFullBitForBit) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  expect_a_whole_budget_is_full(*at.engine, 200, kKinds);
}

TEST_P(SparseEngineProofs, A3_MaskedEqualsDroppedAndHasNoWeight) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  expect_masked_is_dropped(*at.engine, 200);
}

// Threads of llama.cpp spin at barriers: seconds where the cores are not free.
class SparseEngineThreadsSlow : public SparseEngineProofs {};

TEST_P(SparseEngineThreadsSlow, A3_ThreadsAndOrderChangeNothing) {
  expect_threads_and_order_change_nothing(path_, 200);
}

// The same on real weights, over a context that Gemma's sliding windows do not cover.
class SparseEngineRealModelsSlow : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path_))
      GTEST_SKIP() << path_ << " is not there; ./dev setup study fetches it";
  }
  static constexpr int64_t kContext = 600;
  std::string path_ = std::string(FATHOM_DEPS_DIR) + "/models/" + GetParam();
};

TEST_P(SparseEngineRealModelsSlow, A3_BudgetOverTheContextIsFullBitForBit) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  constexpr SelectorKind kSome[] = {SelectorKind::kStreaming, SelectorKind::kQuest,
                                    SelectorKind::kSnapKv,    SelectorKind::kBm25,
                                    SelectorKind::kH2o,       SelectorKind::kMassOracle};
  expect_a_whole_budget_is_full(*at.engine, kContext, kSome);
}

TEST_P(SparseEngineRealModelsSlow, A3_MaskedEqualsDroppedAndHasNoWeight) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  expect_masked_is_dropped(*at.engine, kContext);
}

TEST_P(SparseEngineRealModelsSlow, A3_ThreadsAndOrderChangeNothing) {
  expect_threads_and_order_change_nothing(path_, 100);
}

INSTANTIATE_TEST_SUITE_P(Models, SparseEngineRealModelsSlow,
                         testing::Values("smollm2.gguf", "gemma-3-270m.gguf"),
                         [](const auto& given) { return std::string(given.param).substr(0, 5); });

TEST_P(SparseEngineProofs, A2_ScopeDenseLayersAndLogs) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  const std::vector<int32_t> tokens = random_tokens(230, 5);
  const auto log_of = [&](auto change) {
    TestArm arm = arm_of(SelectorKind::kQuest, 64);
    change(arm.options);
    return computed(*at.engine, arm, tokens, 200).log;
  };
  const int layers = at.engine->layers();
  const auto expect_positions = [&](const SelectionLog& log, int64_t first) {
    ASSERT_FALSE(log.selections.empty());
    EXPECT_EQ(log.selections.front().position, first);
    EXPECT_EQ(log.selections.size(), static_cast<size_t>((230 + kSteps - first) * layers));
  };
  const SelectionLog question = log_of([](SelectorOptions&) {});
  expect_positions(question, 200);
  expect_positions(log_of([](SelectorOptions& o) { o.scope = SelectorScope::kDecode; }), 230);
  expect_positions(log_of([](SelectorOptions& o) { o.scope = SelectorScope::kPrefill; }), 0);
  const SelectionLog dense = log_of([](SelectorOptions& o) { o.dense_layers = {0}; });
  for (const LoggedSelection& each : dense.selections) EXPECT_EQ(each.dense, each.layer == 0);
  for (const LoggedSelection& each : question.selections) {
    EXPECT_FALSE(each.dense);
    if (each.everything) continue;
    EXPECT_LE(each.blocks.count(), 4 * GetParam().kv_heads);
    EXPECT_TRUE(each.blocks.contains(each.position / 16));
    EXPECT_LE(each.pairs, 64 * GetParam().kv_heads);
    EXPECT_GT(each.pairs_to_select, 0);
  }
}

TEST_P(SparseEngineProofs, A4_CandidatesHaveTheMassThatTheyWouldHaveUnmasked) {
  const Ready at = ready(path_);
  ASSERT_TRUE(at.engine);
  TestArm arm = arm_of(SelectorKind::kMassOracle, 64);
  arm.options.sharing = HeadSharing::kLayer;
  const SelectionLog log = computed(*at.engine, arm, random_tokens(230, 5), 200).log;
  int64_t told = 0;
  for (const LoggedSelection& each : log.selections) {
    if (each.position < 229 || each.everything) {
      EXPECT_TRUE(each.candidates.empty());
      continue;
    }
    ++told;
    ASSERT_FALSE(each.candidates.empty());
    double least_read = INFINITY;
    double most_unread = 0;
    for (const BlockCandidate& candidate : each.candidates) {
      ASSERT_TRUE(candidate.mass);
      // This selector's score is the attention summed over heads.
      EXPECT_NEAR(candidate.score, *candidate.mass * GetParam().heads, 1e-4);
      if (each.blocks.contains(candidate.block)) {
        least_read = std::min(least_read, candidate.score);
      } else {
        most_unread = std::max(most_unread, candidate.score);
      }
    }
    EXPECT_GE(least_read, most_unread);
  }
  EXPECT_GT(told, 0);
}

const RandomModel kModels[] = {
    {},
    {.architecture = "qwen2"},
    {.architecture = "qwen3", .heads = 6, .kv_heads = 2},
    {.architecture = "gemma2", .sliding_window = 64, .soft_cap = 50},
    {.architecture = "gemma3", .layers = 7, .kv_heads = 1, .sliding_window = 64}};

std::string name_of(const testing::TestParamInfo<RandomModel>& info) {
  return info.param.architecture;
}

INSTANTIATE_TEST_SUITE_P(Architectures, SparseEngineProofs, testing::ValuesIn(kModels), name_of);
INSTANTIATE_TEST_SUITE_P(Architectures, SparseEngineThreadsSlow,
                         testing::Values(kModels[0], kModels[4]), name_of);

}  // namespace
}  // namespace fathom

// A8: what a selector reads of a recording is what it reads in the engine, where both see the same:
// in the first layer, whose keys and queries no mask has changed.
#include <gtest/gtest.h>

#include "attention/replay.h"
#include "model/random_gguf_test.h"
#include "model/sparse_engine.h"

namespace fathom {
namespace {

constexpr int64_t kContext = 200;
constexpr int64_t kPrompt = 230;
constexpr int kSteps = 4;
constexpr int64_t kObserved = 40;

class RecordingEngine : public testing::TestWithParam<RandomModel> {
 protected:
  void SetUp() override {
    const std::string path = testing::TempDir() + "fathom_recording_" + GetParam().architecture;
    ASSERT_TRUE(RandomGguf(GetParam()).write(path + ".gguf"));
    auto loaded = LlamaEngine::load(path + ".gguf", 1, [] { return false; });
    ASSERT_TRUE(loaded) << loaded.error().message;
    model_ = std::move(*loaded);
    auto engine =
        SparseEngine::create(model_->model(), {.window_tokens = 512}, [] { return false; });
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = std::move(*engine);
    Random random(RandomKey(11), "prompt");
    for (int64_t i = 0; i < kPrompt; ++i)
      tokens_.push_back(static_cast<int32_t>(random.below(256)));
  }

  struct Made {
    SelectionLog log;
    std::vector<float> logits;
  };
  // The same tokens are written under every arm, so that the arms' inputs stay the same.
  Made run(const AttentionArm& arm, AttentionRecording* recording) {
    Made made;
    made.log.sample_id = "sample";
    made.log.arm = arm.name;
    const auto started = engine_->start(
        arm.options,
        {.tokens = tokens_, .context = kContext, .evidence = kEvidence, .recording = recording},
        made.log, [](int64_t) {});
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    for (int step = 0; step < kSteps; ++step) {
      const auto logits = engine_->logits();
      made.logits.insert(made.logits.end(), logits.begin(), logits.end());
      EXPECT_EQ(engine_->append(17 + step), DecodeStatus::kDone);
    }
    EXPECT_TRUE(engine_->finish());
    return made;
  }
  static AttentionArm arm_of(SelectorKind kind) {
    AttentionArm arm{.name = std::string(to_text(kind))};
    arm.options = {.kind = kind, .budget = 64, .block = 16, .sinks = 4, .window = 16};
    arm.options.observed = kObserved;
    return arm;
  }

  static constexpr TokenSpan kEvidence[] = {{40, 56}, {120, 131}};
  std::unique_ptr<LlamaEngine> model_;
  std::unique_ptr<SparseEngine> engine_;
  std::vector<int32_t> tokens_;
};

std::vector<LoggedSelection> of_the_first_layer(const SelectionLog& log) {
  std::vector<LoggedSelection> out;
  for (LoggedSelection each : log.selections) {
    if (each.layer != 0) continue;
    each.candidates.clear();  // their masses are sums of rounded products
    out.push_back(std::move(each));
  }
  return out;
}

TEST_P(RecordingEngine, A8_RecordingChangesNothingAndHoldsEverything) {
  const AttentionArm full{.name = "full", .options = {.observed = kObserved}};
  AttentionRecording recording;
  const Made plain = run(full, nullptr);
  const Made recorded = run(full, &recording);
  EXPECT_EQ(plain.logits, recorded.logits);
  EXPECT_EQ(plain.log, recorded.log);
  EXPECT_EQ(recording.positions(), kPrompt + kSteps);
  EXPECT_EQ(recording.first_query, kContext - kObserved);
  EXPECT_EQ(recording.queries(), kPrompt + kSteps - kContext + kObserved);
  ASSERT_EQ(recording.layers.size(), static_cast<size_t>(GetParam().layers));
  for (const LayerRecording& layer : recording.layers) {
    EXPECT_EQ(layer.keys.size(), recording.layers.front().keys.size());
    EXPECT_EQ(layer.first.size(), static_cast<size_t>(recording.queries()));
  }
  const auto again = recording_from_bytes(recording_bytes(recording), "memory");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, recording);
  if (GetParam().soft_cap > 0) {
    EXPECT_TRUE(recording.logit.capped);
    EXPECT_FLOAT_EQ(recording.logit.after * recording.logit.before, 1);
  } else {
    EXPECT_FALSE(recording.logit.capped);
  }
}

TEST_P(RecordingEngine, A8_ReplayedSelectionsAreTheEngines) {
  AttentionRecording recording;
  (void)run({.name = "full", .options = {.observed = kObserved}}, &recording);
  for (const SelectorKind kind :
       {SelectorKind::kStreaming, SelectorKind::kRandom, SelectorKind::kQuest, SelectorKind::kMoba,
        SelectorKind::kSnapKv, SelectorKind::kVerticalSlash, SelectorKind::kBm25,
        SelectorKind::kKeyNorm, SelectorKind::kMassOracle, SelectorKind::kTova,
        SelectorKind::kEvidence}) {
    const AttentionArm arm = arm_of(kind);
    const Made made = run(arm, nullptr);
    const auto replayed = replay(recording, arm);
    ASSERT_TRUE(replayed) << replayed.error().message;
    const auto in_engine = of_the_first_layer(made.log);
    ASSERT_EQ(in_engine.size(), static_cast<size_t>(kPrompt + kSteps - kContext));
    EXPECT_EQ(of_the_first_layer(*replayed), in_engine) << arm.name;
    EXPECT_EQ(replayed->selections.size(), made.log.selections.size()) << arm.name;
    EXPECT_EQ(replayed->context_tokens, made.log.context_tokens);
    EXPECT_EQ(replayed->prompt_tokens, made.log.prompt_tokens);
  }
}

TEST_P(RecordingEngine, A8_AFullArmWithDenseLayersIsRecordedWhole) {
  AttentionArm full{.name = "full", .options = {.observed = kObserved}};
  full.options.dense_layers = {0};
  AttentionRecording recording;
  const Made recorded = run(full, &recording);
  EXPECT_EQ(recorded.log, run(full, nullptr).log);
  EXPECT_FALSE(recording.layers.front().queries.empty());
}

TEST_P(RecordingEngine, A8_QueriesThatWereNotRecordedAreRefusedByName) {
  AttentionRecording recording;
  (void)run({.name = "full", .options = {.observed = kObserved}}, &recording);
  AttentionArm more = arm_of(SelectorKind::kSnapKv);
  more.options.observed = kObserved + 1;
  AttentionArm prefill = arm_of(SelectorKind::kQuest);
  prefill.options.scope = SelectorScope::kPrefill;
  for (const AttentionArm& arm : {arm_of(SelectorKind::kH2o), more, prefill}) {
    const auto refused = replay(recording, arm);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_TRUE(refused.error().message.starts_with(arm.name + " needs the queries from position"))
        << refused.error().message;
  }
  AttentionRecording none;
  SelectionLog log;
  const auto sparse = engine_->start(arm_of(SelectorKind::kQuest).options,
                                     {.tokens = tokens_, .context = kContext, .recording = &none},
                                     log, [](int64_t) {});
  EXPECT_FALSE(sparse);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, RecordingEngine,
    testing::Values(
        RandomModel{}, RandomModel{.architecture = "gemma2", .sliding_window = 64, .soft_cap = 50},
        RandomModel{.architecture = "gemma3", .layers = 7, .kv_heads = 1, .sliding_window = 64}),
    [](const auto& given) { return given.param.architecture; });

}  // namespace
}  // namespace fathom

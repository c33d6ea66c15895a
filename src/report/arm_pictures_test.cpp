// V2: which samples are pictured, and that a picture is what its log says.
#include "report/arm_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "attention/block_grid.h"
#include "attention/selection_log_file.h"
#include "base/random.h"
#include "io/jsonl.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FinishedArm arm(const std::string& name, SelectorKind kind, const std::string& right) {
  FinishedArm made;
  made.arm.name = name;
  made.arm.options.kind = kind;
  MadeRun run;
  for (size_t i = 0; i < right.size(); ++i)
    run.add("vt", 1024, static_cast<int64_t>(i), right[i] == '1' ? 1.0 : 0.0);
  made.run.results = run.results();
  return made;
}

TEST(PictureSamples, TakesALostOneOfEachSelectorThatTheEvidenceKeeps) {
  const std::vector<FinishedArm> arms = {arm("full", SelectorKind::kFull, "111101"),
                                         arm("oracle", SelectorKind::kEvidence, "011111"),
                                         arm("quest-256", SelectorKind::kQuest, "001111"),
                                         arm("moba-256", SelectorKind::kMoba, "011011"),
                                         arm("streaming-256", SelectorKind::kStreaming, "011111"),
                                         arm("knockout", SelectorKind::kKnockout, "000000")};
  // quest loses 0 to sparsity and 1 by itself; moba 3; streaming 0 alone; 2 is answered by all.
  EXPECT_THAT(picture_samples(arms),
              ElementsAre("vt:1024:1", "vt:1024:3", "vt:1024:0", "vt:1024:2"));
  EXPECT_TRUE(picture_samples(std::span(arms).subspan(1)).empty());
}

SelectionLog random_log(const std::string& sample, int64_t blocks, uint64_t seed) {
  Random random(RandomKey(seed), "picture");
  constexpr int64_t kBlock = 4;
  SelectionLog log{.sample_id = sample,
                   .arm = "quest",
                   .shape = {.query_heads = 2, .kv_heads = 1, .head_size = 8},
                   .layers = 3,
                   .block = kBlock,
                   .context_tokens = 5,
                   .prompt_tokens = blocks * kBlock - 2};
  for (int64_t step = 0; step < 5; ++step)
    for (int layer = 0; layer < 3; ++layer) {
      LoggedSelection& one = log.selections.emplace_back();
      one.layer = layer;
      one.position = blocks * kBlock - 3 + step;
      one.first = layer == 2 ? kBlock + 1 : 0;
      one.dense = layer == 1;
      if (one.dense) continue;
      const int64_t seen = one.position / kBlock + 1;
      one.blocks = BlockSet(seen);
      for (int64_t b = one.first / kBlock; b < seen; ++b)
        if (random.uniform() < 0.4) one.blocks.insert(b);
      one.pairs = static_cast<double>(positions_in(
          one.blocks, {.block = kBlock, .first = one.first, .position = one.position}));
    }
  return log;
}

// Written the other way round: for each column, over all queries and blocks.
int64_t slow_share(const SelectionLog& log, int layer, int64_t column, int64_t merged) {
  int64_t most = -1;
  for (int64_t b = column * merged; b < (column + 1) * merged; ++b) {
    double seen = 0;
    double read = 0;
    for (const LoggedSelection& one : log.selections) {
      if (one.layer != layer || b > one.position / log.block || b < one.first / log.block) continue;
      ++seen;
      if (one.everything || one.blocks.contains(b)) ++read;
    }
    if (seen == 0) continue;
    const auto percent = static_cast<int64_t>(std::lround(100 * read / seen));
    most = std::max(most, read > 0 && percent == 0 ? 1 : percent);
  }
  return most;
}

TEST(ArmPicture, IsWhatItsLogSays) {
  for (const int64_t blocks : {3, 40, 300, 1000}) {
    const SelectionLog log = random_log("vt:1024:0", blocks, static_cast<uint64_t>(blocks));
    const ArmPicture picture = picture_of(log);
    ASSERT_EQ(picture.layers.size(), 3U);
    EXPECT_EQ(picture.steps, 5);
    EXPECT_EQ(picture.end, blocks * 4 + 2);
    EXPECT_TRUE(picture.layers[1].dense);
    EXPECT_TRUE(picture.layers[1].shares.empty());
    for (const int layer : {0, 2}) {
      const std::vector<int64_t>& shares = picture.layers[static_cast<size_t>(layer)].shares;
      ASSERT_LE(static_cast<int64_t>(shares.size()), kMostPictureColumns);
      ASSERT_EQ(static_cast<int64_t>(shares.size()), (blocks + picture.merged) / picture.merged);
      for (size_t column = 0; column < shares.size(); ++column)
        EXPECT_EQ(shares[column],
                  slow_share(log, layer, static_cast<int64_t>(column), picture.merged))
            << blocks << " " << layer << " " << column;
    }
    EXPECT_EQ(picture.layers[2].shares[0] == -1, picture.merged == 1);
  }
}

class ReadPictures : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/arm_pictures";
    std::filesystem::create_directories(folder_);
    arms_ = {arm("full", SelectorKind::kFull, "1"), arm("quest-256", SelectorKind::kQuest, "0")};
    arms_[0].run.folder = folder_ + "/nothing";
    arms_[1].run.folder = folder_;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::vector<std::string>& lines) const {
    auto writer = LineWriter::create(folder_ + "/selections.jsonl.zst");
    ASSERT_TRUE(writer);
    for (const std::string& line : lines) ASSERT_TRUE(writer->write(line));
    ASSERT_TRUE(writer->finish());
  }
  std::string folder_;
  std::vector<FinishedArm> arms_;
};

TEST_F(ReadPictures, TakesTheLastLineOfASampleAndPassesOverOthers) {
  write({selection_log_line(random_log("vt:1024:0", 9, 1)), "{\"sample\": \"other\", broken",
         selection_log_line(random_log("vt:1024:0", 9, 2))});
  const auto pictures = read_pictures(arms_, {"vt:1024:0", "vt:1024:5"});
  ASSERT_TRUE(pictures) << pictures.error().message;
  ASSERT_EQ(pictures->size(), 1U);
  EXPECT_EQ(pictures->front().arm, 1U);
  EXPECT_EQ(pictures->front().layers[0].shares,
            picture_of(random_log("vt:1024:0", 9, 2)).layers[0].shares);
}

TEST_F(ReadPictures, NamesTheLineThatIsNoLog) {
  write({"{\"sample\": \"vt:1024:0\"}"});
  const auto pictures = read_pictures(arms_, {"vt:1024:0"});
  ASSERT_FALSE(pictures);
  EXPECT_THAT(pictures.error().message, HasSubstr("selections.jsonl.zst:1"));
}

}  // namespace
}  // namespace fathom

#include "io/jsonl.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/hash.h"
#include "base/random.h"
#include "io/file.h"

namespace fathom {
namespace {

class JsonlTest : public ::testing::TestWithParam<const char*> {
 protected:
  JsonlTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("fathom_jsonl_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~JsonlTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  static Result<std::vector<std::string>> read(const std::string& path) {
    std::vector<std::string> lines;
    TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
      lines.push_back(std::to_string(number) + ":" + std::string(text));
      return {};
    }));
    return lines;
  }

  std::filesystem::path folder_;
};

TEST_P(JsonlTest, LinesOfAnySizeComeBack) {
  const std::string file = path(GetParam());
  Random random(RandomKey(5), "lines");
  std::vector<std::string> expected;
  auto writer = LineWriter::create(file);
  ASSERT_TRUE(writer);
  for (size_t i = 0; i < 40; ++i) {
    const std::string line(1 + random.below(100'000), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(writer->write(line));
    expected.push_back(std::to_string(i + 1) + ":" + line);
  }
  EXPECT_FALSE(file_exists(file));  // nothing is seen before it is whole
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(read(file).value(), expected);
}

TEST_P(JsonlTest, SameLinesGiveSameBytes) {
  std::vector<std::string> hashes;
  for (const char* name : {"a", "b"}) {
    const std::string file = path(name + std::string(GetParam()));
    auto writer = LineWriter::create(file);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(writer->write("{\"i\":" + std::to_string(i) + "}"));
    ASSERT_TRUE(writer->finish());
    hashes.push_back(sha256_file(file).value());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_P(JsonlTest, AbandonedWriterLeavesNothing) {
  { ASSERT_TRUE(LineWriter::create(path(GetParam()))->write("x")); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

INSTANTIATE_TEST_SUITE_P(PlainAndCompressed, JsonlTest,
                         ::testing::Values("x.jsonl", "x.jsonl.zst"));

TEST_F(JsonlTest, BlankLinesAreSkippedAndCounted) {
  ASSERT_TRUE(write_file_atomic(path("x.jsonl"), "a\n\n  \r\nb\nlast"));
  EXPECT_EQ(read(path("x.jsonl")).value(), (std::vector<std::string>{"1:a", "4:b", "5:last"}));
}

TEST_F(JsonlTest, DamagedCompressedFilesAreErrors) {
  auto writer = LineWriter::create(path("x.jsonl.zst"));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(writer->write(std::to_string(i * 7919)));
  ASSERT_TRUE(writer->finish());
  const std::string bytes = read_file(path("x.jsonl.zst")).value();
  ASSERT_TRUE(
      write_file_atomic(path("cut.zst"), std::string_view(bytes).substr(0, bytes.size() / 2)));
  EXPECT_EQ(read(path("cut.zst")).error().code, ErrorCode::kInput);
  EXPECT_NE(read(path("cut.zst")).error().message.find("ends too early"), std::string::npos);
  ASSERT_TRUE(write_file_atomic(path("plain.zst"), "not compressed at all"));
  EXPECT_NE(read(path("plain.zst")).error().message.find("not readable as zstd"),
            std::string::npos);
}

}  // namespace
}  // namespace fathom

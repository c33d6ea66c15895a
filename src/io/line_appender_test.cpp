#include "io/line_appender.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/file.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  const auto read = for_each_line(path, [&](size_t, std::string_view line) -> Result<void> {
    lines.emplace_back(line);
    return {};
  });
  EXPECT_TRUE(read) << read.error().message;
  return lines;
}

class LineAppenderTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  std::string path_ = testing::TempDir() + "line_appender_test.jsonl.zst";
};

TEST_F(LineAppenderTest, IsWholeAfterEveryLineAndOverSeveralOpenings) {
  const std::string large(300'000, 'x');
  std::vector<std::string> written;
  for (int opening = 0; opening < 3; ++opening) {
    auto file = LineAppender::open(path_);
    ASSERT_TRUE(file) << file.error().message;
    for (const std::string& line : {std::string("{\"a\":1}"), large, std::string("{}")}) {
      ASSERT_TRUE(file->append(line));
      written.push_back(line);
      EXPECT_EQ(lines_of(path_), written);
    }
  }
}

TEST_F(LineAppenderTest, CutsATornFrameOffWhereverItWasTorn) {
  const auto write = [&](const char* line) {
    auto file = LineAppender::open(path_);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append(line));
  };
  write("first");
  const auto first = std::filesystem::file_size(path_);
  write("second, which is torn");
  const auto whole = read_file(path_);
  ASSERT_TRUE(whole);
  for (size_t size = first; size < whole->size(); ++size) {
    ASSERT_TRUE(write_file_atomic(path_, whole->substr(0, size)));
    write("third");
    EXPECT_EQ(lines_of(path_), (std::vector<std::string>{"first", "third"})) << size;
  }
}

TEST_F(LineAppenderTest, RefusesAnotherFile) {
  ASSERT_TRUE(write_file_atomic(path_, "{\"plain\": 1}\n"));
  const auto file = LineAppender::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kInput);
}

}  // namespace
}  // namespace fathom

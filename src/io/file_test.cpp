#include "io/file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace fathom {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("fathom_file_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(FileTest, WhatIsWrittenIsRead) {
  const std::string bytes("a\0b\xff\n", 5);
  ASSERT_TRUE(write_file_atomic(path("x"), bytes));
  EXPECT_EQ(read_file(path("x")).value(), bytes);
  EXPECT_EQ(MappedFile::open(path("x"))->bytes(), bytes);
  ASSERT_TRUE(write_file_atomic(path("x"), ""));
  EXPECT_EQ(MappedFile::open(path("x"))->bytes(), "");
}

TEST_F(FileTest, ErrorsNameThePath) {
  for (const auto& error :
       {read_file(path("no")).error(), MappedFile::open(path("no")).error(),
        write_file_atomic(path("no/x"), "").error(), AppendFile::open(path("no/x")).error()}) {
    EXPECT_EQ(error.code, ErrorCode::kIo);
    EXPECT_NE(error.message.find("no"), std::string::npos);
    EXPECT_NE(error.message.find("No such file"), std::string::npos);
  }
  EXPECT_NE(read_file(folder_.string()).error().message.find("is a folder"), std::string::npos);
}

// Q3: a kill in the middle of a write leaves half a line; the next process starts on a line of its
// own.
TEST_F(FileTest, TornLastLineIsCutOff) {
  struct Case {
    std::string before;
    std::string after;
  };
  const Case cases[] = {{"", "new\n"},
                        {"a\n", "a\nnew\n"},
                        {"a\nhal", "a\nnew\n"},
                        {"hal", "new\n"},
                        {"a\n" + std::string(10'000, 'x'), "a\nnew\n"}};
  for (const Case& row : cases) {
    ASSERT_TRUE(write_file_atomic(path("log"), row.before));
    ASSERT_TRUE(AppendFile::open(path("log"))->append("new\n", true));
    EXPECT_EQ(read_file(path("log")).value(), row.after);
  }
}

}  // namespace
}  // namespace fathom

// The GGUF reader: good files, and every way a file can lie about its lengths. Q1.
#include "tokenizer/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

using testing::HasSubstr;

// Builds GGUF bytes.
class Bytes {
 public:
  template <typename T>
  Bytes& put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
    return *this;
  }
  Bytes& text(std::string_view text) {
    put<uint64_t>(text.size());
    bytes_ += text;
    return *this;
  }
  Bytes& key(std::string_view name, uint32_t type) { return text(name).put<uint32_t>(type); }
  [[nodiscard]] std::string file(uint64_t count, uint32_t version = 3) const {
    Bytes header;
    header.bytes_ = "GGUF";
    return header.put<uint32_t>(version).put<uint64_t>(0).put<uint64_t>(count).bytes_ + bytes_;
  }

 private:
  std::string bytes_;
};

std::string sample_file() {
  Bytes b;
  b.key("general.architecture", 8).text("llama");
  b.key("llama.context_length", 4).put<uint32_t>(8192);
  b.key("flag", 7).put<uint8_t>(1);
  b.key("real", 6).put<float>(0.5F);
  b.key("big", 10).put<uint64_t>(~uint64_t{0});
  b.key("negative", 11).put<int64_t>(-5);
  b.key("names", 9).put<uint32_t>(8).put<uint64_t>(3).text("a").text("").text("ccc");
  b.key("numbers", 9).put<uint32_t>(5).put<uint64_t>(2).put<int32_t>(7).put<int32_t>(-8);
  return b.file(8);
}

TEST(Gguf, ReadsEveryKindOfValue) {
  const std::string bytes = sample_file();
  const auto gguf = GgufFile::parse(bytes, "x.gguf");
  ASSERT_TRUE(gguf) << gguf.error().message;
  EXPECT_EQ(gguf->text("general.architecture"), "llama");
  EXPECT_EQ(gguf->context_length(), 8192);
  EXPECT_EQ(gguf->boolean("flag"), true);
  EXPECT_EQ(gguf->number("real"), 0.5);
  EXPECT_EQ(gguf->number("negative"), -5.0);
  EXPECT_EQ(gguf->integer("negative"), -5);
  EXPECT_EQ(gguf->integer("big"), std::nullopt);  // does not fit
  EXPECT_THAT(*gguf->texts("names"), testing::ElementsAre("a", "", "ccc"));
  EXPECT_THAT(*gguf->integers("numbers"), testing::ElementsAre(7, -8));
  EXPECT_THAT(*gguf->numbers("numbers"), testing::ElementsAre(7.0, -8.0));
  EXPECT_EQ(gguf->raw("numbers").size(), 8U);
  EXPECT_EQ(gguf->keys().size(), 8U);
  EXPECT_EQ(gguf->text("flag"), std::nullopt);
  EXPECT_EQ(gguf->integer("missing"), std::nullopt);
  EXPECT_FALSE(gguf->texts("numbers"));
  EXPECT_FALSE(gguf->integers("names"));
  EXPECT_THAT(gguf->texts("missing").error().message, HasSubstr("key 'missing' is missing"));
}

TEST(Gguf, EveryCutOffFileIsAnError) {
  const std::string bytes = sample_file();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);  // its own buffer, so that reading on is seen
    const auto gguf = GgufFile::parse(cut, "x.gguf");
    ASSERT_FALSE(gguf) << size;
    EXPECT_THAT(gguf.error().message, HasSubstr("x.gguf: byte"));
  }
}

TEST(Gguf, RefusesDamagedFilesByName) {
  struct Case {
    const char* name;
    std::string bytes;
    const char* message;
  };
  const Case cases[] = {
      {"not GGUF", "GGML" + std::string(40, '\0'), "does not begin with 'GGUF'"},
      {"version 1", Bytes().file(0, 1), "GGUF version 1 is not supported"},
      {"unknown type", Bytes().key("k", 99).file(1), "key 'k': unknown value type 99"},
      {"array of arrays", Bytes().key("k", 9).put<uint32_t>(9).put<uint64_t>(1).file(1),
       "array of arrays"},
      {"huge array", Bytes().key("k", 9).put<uint32_t>(4).put<uint64_t>(~uint64_t{0}).file(1),
       "ends inside 'k'"},
      {"huge text", Bytes().key("k", 8).put<uint64_t>(~uint64_t{0}).file(1), "ends inside 'k'"},
      {"huge count", Bytes().key("k", 7).put<uint8_t>(0).file(~uint64_t{0}),
       "ends inside 'metadata key'"},
      {"same key twice", Bytes().key("k", 7).put<uint8_t>(0).key("k", 7).put<uint8_t>(0).file(2),
       "'k' occurs twice"},
      {"empty key", Bytes().key("", 7).put<uint8_t>(0).file(1), "metadata key of 0 bytes"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto gguf = GgufFile::parse(c.bytes, "x.gguf");
    ASSERT_FALSE(gguf);
    EXPECT_EQ(gguf.error().code, ErrorCode::kInput);
    EXPECT_THAT(gguf.error().message, HasSubstr(c.message));
  }
}

TEST(Gguf, MissingFileIsAnIoError) {
  const auto gguf = GgufFile::open("/nonexistent/model.gguf");
  ASSERT_FALSE(gguf);
  EXPECT_EQ(gguf.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace fathom

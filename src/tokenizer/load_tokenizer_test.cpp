// Loading: which file is what, and the one clear error for each bad input. G2, Q1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/file.h"
#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

using testing::HasSubstr;

class Folder {
 public:
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fathom_tokenizer_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
    return path_ + "/" + name;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A whole tokenizer.json around one section.
std::string json_with(const std::string& section) {
  return R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]})" +
         section + "}";
}

TEST(LoadTokenizer, EachBadFileHasItsOneError) {
  struct Case {
    const char* name;
    std::string bytes;
    const char* message;
  };
  const std::string model = R"({"model": )";
  const Case cases[] = {
      {"empty", "", "the file is empty"},
      {"text", "hello world\n", "not a known tokenizer file"},
      {"broken JSON", R"({"model": {"type": "BPE", "vocab": {)", "not valid JSON"},
      {"JSON that is no tokenizer", R"({"a": 1})", "it has no 'model'"},
      {"model is a number", model + "3}", "model: must be an object"},
      {"unknown model", model + R"({"type": "Magic", "vocab": {}}})",
       "the model 'Magic' is not supported"},
      {"no vocabulary", model + R"({"type": "BPE", "merges": []}})", "model: 'vocab' is missing"},
      {"empty vocabulary", model + R"({"type": "BPE", "vocab": {}, "merges": []}})",
       "model.vocab: is empty"},
      {"vocabulary is a list", model + R"({"type": "BPE", "vocab": [], "merges": []}})",
       "model.vocab: must be an object"},
      {"id is a text", model + R"({"type": "BPE", "vocab": {"a": "x"}, "merges": []}})",
       "the id of 'a' must be an integer"},
      {"id is huge", model + R"({"type": "BPE", "vocab": {"a": 4000000000}, "merges": []}})",
       "the id of 'a' must be an integer"},
      {"id twice", model + R"({"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []}})",
       "have the same id 0"},
      {"no merges", model + R"({"type": "BPE", "vocab": {"a": 0}}})", "model: 'merges' is missing"},
      {"merge of three", model + R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a a a"]}})",
       "model.merges[0]: must be two tokens"},
      {"merge of a stranger", model + R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a c"]}})",
       "model.merges[0]: 'c' is not in the vocabulary"},
      {"merge into a stranger",
       model + R"({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [["a", "b"]]}})",
       "model.merges[0]: 'ab' is not in the vocabulary"},
      {"dropout", model + R"({"type": "BPE", "dropout": 0.1, "vocab": {"a": 0}, "merges": []}})",
       "dropout makes ids random"},
      {"word suffix",
       model + R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"a": 0}, "merges": []}})",
       "'end_of_word_suffix' is not supported"},
      {"unknown token",
       model + R"({"type": "BPE", "unk_token": "?", "vocab": {"a": 0}, "merges": []}})",
       "model.unk_token: '?' is not in the vocabulary"},
      {"Unigram without unk_id", model + R"({"type": "Unigram", "vocab": [["a", -1]]}})",
       "model: 'unk_id' is missing"},
      {"Unigram with a bad unk_id",
       model + R"({"type": "Unigram", "unk_id": 7, "vocab": [["a", -1]]}})",
       "model.unk_id: must be an id of the vocabulary"},
      {"Unigram with a bad piece", model + R"({"type": "Unigram", "unk_id": 0, "vocab": [["a"]]}})",
       "model.vocab[0]: must be [piece, score]"},
      {"WordPiece without unk_token", model + R"({"type": "WordPiece", "vocab": {"a": 0}}})",
       "'unk_token' is missing"},
      {"unknown normalizer", json_with(R"(, "normalizer": {"type": "Rot13"})"),
       "normalizer: the normalizer 'Rot13' is not supported"},
      {"normalizer in a sequence",
       json_with(
           R"(, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "X"}]})"),
       "normalizer.normalizers[1]: the normalizer 'X'"},
      {"normalizer without a type", json_with(R"(, "normalizer": {})"),
       "normalizer: 'type' is missing"},
      {"bad regular expression",
       json_with(
           R"x(, "normalizer": {"type": "Replace", "pattern": {"Regex": "(("}, "content": ""})x"),
       "does not compile"},
      {"bad character map",
       json_with(R"(, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "////fw=="})"),
       "precompiled character map"},
      {"character map that is not base64",
       json_with(R"(, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "?"})"),
       "not valid base64"},
      {"unknown pre-tokenizer", json_with(R"(, "pre_tokenizer": {"type": "UnicodeScripts"})"),
       "the pre-tokenizer 'UnicodeScripts' is not supported"},
      {"unknown behavior",
       json_with(
           R"(, "pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Explode"})"),
       "unknown behavior 'Explode'"},
      {"split after bytes",
       json_with(
           R"(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, {"type": "Whitespace"}]})"),
       "'Whitespace' after ByteLevel"},
      {"bad byte-level split",
       json_with(
           R"x(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": "("},
                    "behavior": "Isolated"}, {"type": "ByteLevel", "use_regex": false, "add_prefix_space": false}]})x"),
       "model: "},
      {"metaspace of nothing",
       json_with(R"(, "pre_tokenizer": {"type": "Metaspace", "replacement": ""})"),
       "'replacement' must be a character"},
      {"unknown post-processor", json_with(R"(, "post_processor": {"type": "Stamp"})"),
       "the post-processor 'Stamp'"},
      {"template without text",
       json_with(
           R"(, "post_processor": {"type": "TemplateProcessing", "single": [], "special_tokens": {}})"),
       "a template without the text"},
      {"template with a strange id",
       json_with(
           R"(, "post_processor": {"type": "BertProcessing", "sep": ["x", 99], "cls": ["y", 0]})"),
       "id 99 is not in the vocabulary"},
      {"unknown decoder", json_with(R"(, "decoder": {"type": "CTC"})"),
       "the decoder 'CTC' is not supported"},
      {"huge added token",
       json_with(R"(, "added_tokens": [{"id": 3, "content": ")" + std::string(5000, 'x') +
                 R"("}])"),
       "an added token of 5000 bytes"},
      {"added token without content", json_with(R"(, "added_tokens": [{"id": 3}])"),
       "added_tokens[0]: 'content' is missing"},
      {"rank file of unknown size", "YQ== 0\nYg== 1\n",
       "a rank file of 2 ranks is none of the known vocabularies"},
      {"rank file with a bad line", "YQ== 0\n!! 1\n", ":2: must be 'BASE64 RANK'"},
      {"rank file with a rank twice", "YQ== 0\nYg== 0\n", "rank 0 occurs twice"},
      {"tekken without ranks",
       R"({"config": {"pattern": "a", "default_vocab_size": 5, "default_num_special_tokens": 2}, "vocab": [{"rank": 0}]})",
       "vocab[0]: must have 'rank' and 'token_bytes'"},
      {"tekken with impossible sizes",
       R"({"config": {"pattern": "a", "default_vocab_size": 1, "default_num_special_tokens": 2}, "vocab": []})",
       "do not fit together"},
      {"protobuf that ends early", "\x0A\x7F\x0A\x01", "not a SentencePiece model, or damaged"},
      {"protobuf with an empty piece", std::string("\x0A\x00", 2), "piece 0: its text is empty"},
      {"protobuf without an unknown piece",
       "\x0A\x03\x0A\x01"
       "a",
       "the model has no unknown piece"},
      {"GGUF without a vocabulary", std::string("GGUF\x03\0\0\0", 8) + std::string(16, '\0'),
       "'tokenizer.ggml.model' is missing"},
      {"GGUF cut off", std::string("GGUF\x03\0\0\0", 8), "the file ends inside"},
  };
  const Folder folder;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string path = folder.write("file", c.bytes);
    const auto tokenizer = load_tokenizer(path);
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(tokenizer.error().code, ErrorCode::kInput);
    EXPECT_THAT(tokenizer.error().message, testing::StartsWith(path));
    EXPECT_THAT(tokenizer.error().message, HasSubstr(c.message));
  }
}

TEST(LoadTokenizer, MissingFilesAndFolders) {
  const Folder folder;
  const auto missing = load_tokenizer(folder.path() + "/none.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  const auto empty = load_tokenizer(folder.path());
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("the folder holds no tokenizer.json"));
  folder.write("tokenizer.json", json_with(""));
  const auto found = load_tokenizer(folder.path());
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)->count("ab", {}), 1U);
}

TEST(LoadTokenizer, RankFileWithItsPatternBesideIt) {
  const Folder folder;
  std::string ranks;  // the 26 letters, then two joins
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  const char* base64 =
      "YQ== Yg== Yw== ZA== ZQ== Zg== Zw== aA== aQ== ag== aw== bA== bQ== bg== bw== cA== cQ== cg== "
      "cw== dA== dQ== dg== dw== eA== eQ== eg==";
  for (size_t i = 0; i < letters.size(); ++i)
    ranks += std::string(base64 + 5 * i, 4) + " " + std::to_string(i) + "\n";
  ranks += "YWI= 26\nYWJj 27\nIA== 28\n";  // ab, abc, blank
  const std::string path = folder.write("own.tiktoken", ranks);
  folder.write("own.tiktoken.pattern", "[a-z]+| \n");
  const auto tokenizer = load_tokenizer(path);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  std::vector<TokenId> ids;
  (*tokenizer)->encode("abcd ab", {}, ids);
  EXPECT_THAT(ids, testing::ElementsAre(27, 3, 28, 26));
  EXPECT_EQ((*tokenizer)->decode(ids, false), "abcd ab");
}

TEST(LoadTokenizer, NotesWhatTheFileAsksForAndIsNotApplied) {
  const auto tokenizer = load_tokenizer(FATHOM_TEST_DATA "/tokenizer/unigram_whole.json");
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_THAT((*tokenizer)->info().notes,
              testing::ElementsAre("the file's truncation is not applied",
                                   "the file's padding is not applied"));
  EXPECT_EQ((*tokenizer)->info().kind, "Unigram");
  EXPECT_EQ((*tokenizer)->info().hash.size(), 32U);
}

TEST(LoadTokenizer, InvalidTextIsReplacedAndSpansStayInTheOriginal) {
  const auto tokenizer = load_tokenizer(FATHOM_TEST_DATA "/tokenizer/byte_level.json");
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  const std::pair<std::string, std::string> cases[] = {
      {"a\xFF z", "a\uFFFD z"},
      {"\xE2\x82", "\uFFFD"},
      {"\xF0\x9F\x98 x", "\uFFFD x"},
      {"\xC3(", "\uFFFD("},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {std::string("a\0b", 3), std::string("a\0b", 3)}};
  for (const auto& [broken, repaired] : cases) {
    std::vector<TokenId> expected;
    (*tokenizer)->encode(repaired, {}, expected);
    std::vector<TokenId> ids;
    std::vector<ByteSpan> spans;
    (*tokenizer)->encode_with_spans(broken, {}, ids, spans);
    EXPECT_EQ(ids, expected);
    EXPECT_EQ((*tokenizer)->count(broken, {}), expected.size());
    ASSERT_EQ(spans.size(), ids.size());
    EXPECT_EQ(spans.front().begin, 0U);
    EXPECT_EQ(spans.back().end, broken.size());
  }
}

}  // namespace
}  // namespace fathom

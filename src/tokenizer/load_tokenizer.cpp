#include <simdjson.h>

#include <array>

#include "io/file.h"
#include "tokenizer/gguf_vocabulary.h"
#include "tokenizer/huggingface.h"
#include "tokenizer/rank_files.h"
#include "tokenizer/sentencepiece_file.h"
#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

using LoadedTokenizer = Result<std::shared_ptr<const Tokenizer>>;

LoadedTokenizer load_json(std::string_view bytes, const std::string& path) {
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (const auto error = parser.parse(bytes.data(), bytes.size()).get(document);
      error != simdjson::SUCCESS) {
    return fail(ErrorCode::kInput, "{}: not valid JSON: {}; fetch the file again", path,
                simdjson::error_message(error));
  }
  const JsonPlace top(document, path, "");
  if (top.find("model")) return load_huggingface(top, bytes);
  if (top.find("config") && top.find("vocab")) return load_tekken(top, bytes);
  return top.error(
      "is no tokenizer: it has no 'model'; give a tokenizer.json or the folder that holds it");
}

LoadedTokenizer load_file(const std::string& path) {
  TRY(const MappedFile file, MappedFile::open(path));
  const std::string_view bytes = file.bytes();
  if (bytes.empty()) return fail(ErrorCode::kInput, "{}: the file is empty; fetch it again", path);
  if (bytes.starts_with("GGUF")) {
    TRY(const GgufFile gguf, GgufFile::parse(bytes, path));
    return load_gguf_vocabulary(gguf);
  }
  const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && bytes[first] == '{') return load_json(bytes, path);
  if (looks_like_rank_file(bytes)) return load_rank_file(bytes, path);
  if (bytes[0] == 0x0A) return load_sentencepiece(bytes, path);  // the tag of a first piece
  return fail(ErrorCode::kInput,
              "{}: not a known tokenizer file (tokenizer.json, tekken.json, *.tiktoken, "
              "SentencePiece *.model, *.gguf)",
              path);
}

}  // namespace

LoadedTokenizer load_tokenizer(const std::string& path) {
  if (!is_directory(path)) return load_file(path);
  static constexpr std::array kNames = {"tokenizer.json", "tekken.json", "tokenizer.model"};
  for (const char* name : kNames) {
    const std::string inside = path + "/" + name;
    if (file_exists(inside)) return load_file(inside);
  }
  return fail(ErrorCode::kInput,
              "{}: the folder holds no tokenizer.json, tekken.json or tokenizer.model", path);
}

}  // namespace fathom

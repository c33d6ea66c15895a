// Text to token ids and back, exactly as the model's own tokenizer does it.
//
//   TRY(const auto tokenizer, load_tokenizer("tokenizer.json"));
//   size_t n = tokenizer->count("some text", {.add_special = true});
//
// One Tokenizer is one vocabulary with its whole pipeline: added tokens, normalizer, pre-tokenizer,
// model, post-processor. The truth for Hugging Face files is PyPI `tokenizers`, id by id; for GGUF
// vocabularies llama.cpp; for rank files tiktoken.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/span.h"

namespace fathom {

using TokenId = uint32_t;

struct EncodeOptions {
  bool add_special = false;  // let the post-processor add its tokens (BOS, EOS, CLS …)
  bool parse_special =
      true;  // special tokens written in the text become their ids; false: they are plain text
};

struct TokenizerInfo {
  std::string kind;            // "byte-level BPE", "BPE with byte fallback", "Unigram", "WordPiece"
  std::string source;          // path it was loaded from
  std::string hash;            // hash of what decides the ids; equal hashes tokenize equally
  size_t vocabulary_size = 0;  // highest id + 1
  std::vector<std::string> slow_paths;  // what runs on a general engine instead of hand-written
                                        // code, e.g. "split by PCRE2: PATTERN"
  std::vector<std::string> notes;       // what the file asks for and is left out on purpose, e.g.
                                        // "truncation to 512 tokens is not applied"
};

// Thread-safe: all const methods may run on any number of threads (caches are per thread).
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // O(n) in bytes, also on adversarial input. Invalid UTF-8 is treated as U+FFFD, each maximal
  // invalid part one of them.
  virtual void encode(std::string_view text, const EncodeOptions& options,
                      std::vector<TokenId>& ids) const = 0;  // appends
  // The number of ids encode() would append, faster.
  [[nodiscard]] virtual size_t count(std::string_view text, const EncodeOptions& options) const = 0;
  // As encode(), and for each id the bytes of `text` it came from, in order. Ids that the
  // post-processor adds have an empty span at their place. Where one character gives several ids
  // (byte pieces), each carries the whole character's span or its own byte.
  virtual void encode_with_spans(std::string_view text, const EncodeOptions& options,
                                 std::vector<TokenId>& ids, std::vector<ByteSpan>& spans) const = 0;
  // Text of the ids, as the reference's decode() gives it. Unknown ids decode to nothing.
  [[nodiscard]] virtual std::string decode(const std::vector<TokenId>& ids,
                                           bool skip_special) const = 0;
  // The token's own spelling in the vocabulary (empty for gaps).
  [[nodiscard]] virtual std::string token_text(TokenId id) const = 0;
  [[nodiscard]] virtual const TokenizerInfo& info() const = 0;
};

// Loads tokenizer.json, a folder that holds one, a tiktoken rank file (*.tiktoken), a SentencePiece
// model (*.model) or the vocabulary of a
// *.gguf, told apart by content. Errors: kIo; kInput naming the file, the place and what is
// unsupported.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_tokenizer(const std::string& path);

}  // namespace fathom

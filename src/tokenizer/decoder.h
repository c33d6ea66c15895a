// Decoders: token spellings back to text, step by step, as Hugging Face chains them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

// Thread-safe. Linear in the tokens' bytes.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual void apply(std::vector<std::string>& tokens) const = 0;  // the text is the tokens joined
};

[[nodiscard]] std::unique_ptr<Decoder>
make_decoder_byte_level();  // the byte alphabet undone, invalid UTF-8 to U+FFFD
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_bytes();  // joined, invalid UTF-8 to U+FFFD
[[nodiscard]] std::unique_ptr<Decoder>
make_decoder_byte_fallback();  // runs of <0xHH> to text; invalid: U+FFFD a byte
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_fuse();
[[nodiscard]] std::unique_ptr<Decoder>
make_decoder_blanks();  // a blank between tokens: files without a decoder
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_strip(char32_t content, size_t start,
                                                          size_t stop);
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_replace(std::string pattern,
                                                            std::string content);
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_metaspace(std::string replacement,
                                                              bool drop_first);
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_word_piece(std::string prefix, bool cleanup);
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_suffix(std::string suffix);  // BPEDecoder

// SentencePiece: the mark at the start of the text falls away; `every`: of each piece, until one
// shows.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder_first_mark(bool every);

}  // namespace fathom

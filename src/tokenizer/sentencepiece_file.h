// SentencePiece *.model files: a protobuf message with pieces, trainer settings and normalizer
// settings. Internal to the loader; others call load_tokenizer() (tokenizer.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tokenizer/tokenizer.h"

namespace fathom {

// The file is untrusted: every length is checked. BPE and Unigram models; others are refused by
// name. Errors: kInput.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_sentencepiece(std::string_view bytes,
                                                                          const std::string& path);

}  // namespace fathom

// The vocabulary inside a GGUF file as a Tokenizer that gives llama.cpp's ids.
// Internal to the loader; others call load_tokenizer() (tokenizer.h).
#pragma once

#include <memory>

#include "tokenizer/gguf.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// Errors: kInput naming the key and what is unsupported.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_gguf_vocabulary(const GgufFile& gguf);

}  // namespace fathom

// Vocabularies given as byte strings with ranks: tiktoken's *.tiktoken and Mistral's tekken.json.
// Internal to the loader; others call load_tokenizer() (tokenizer.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tokenizer/json_place.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// Whether `bytes` starts as a rank file does: "BASE64 NUMBER".
[[nodiscard]] bool looks_like_rank_file(std::string_view bytes);

// The file does not say how text is split: it is known for the published vocabularies by their
// number of ranks; for others a file "PATH.pattern" beside it must hold the regular expression.
// Errors: kInput.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_rank_file(std::string_view bytes,
                                                                      const std::string& path);

// `top` is the whole tekken.json, `bytes` its text. Errors: kInput.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_tekken(const JsonPlace& top,
                                                                   std::string_view bytes);

}  // namespace fathom

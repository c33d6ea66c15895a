// The split patterns behind `tokenizer.ggml.pre`, and what else llama.cpp ties to that name.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

struct GgufPreTokenizer {
  std::vector<SplitStage> stages;
  bool ignore_merges = false;
  bool add_bos = false;
};

// nullopt: a name that cannot be reproduced exactly. "" is what files without the key use.
[[nodiscard]] std::optional<GgufPreTokenizer> gguf_pre_tokenizer(std::string_view name);

}  // namespace fathom

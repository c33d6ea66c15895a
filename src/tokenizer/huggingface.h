// Hugging Face tokenizer.json: each part of the file becomes the part of a Pipeline that does the
// same. Internal to the loader; others call load_tokenizer() (tokenizer.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/json_place.h"
#include "tokenizer/pipeline.h"

namespace fathom {

// One step of a pre_tokenizer, with two ways to run it where there are two.
struct PreTokenizerStep {
  std::optional<std::string>
      pattern;  // a split into matches and what lies between: the model can do it itself
  std::unique_ptr<PreTokenizer> general;  // null where `pattern` is set
};

struct PreTokenizerPlan {
  std::vector<PreTokenizerStep> steps;
  bool byte_level = false;  // ends with ByteLevel: the model sees bytes
};

struct HuggingFaceModel {
  std::string kind;
  std::unique_ptr<SegmentEncoder> encoder;
  std::vector<std::unique_ptr<PreTokenizer>>
      pre_tokenizers;                  // those that the encoder does not do itself
  std::vector<std::string> spellings;  // by id
};

// `top` is the whole file, `bytes` its text. Errors: kInput with the place in the file and what is
// unsupported there.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_huggingface(const JsonPlace& top,
                                                                        std::string_view bytes);

// The sections of the file. A missing section gives an empty list.
[[nodiscard]] Result<std::vector<std::unique_ptr<Normalizer>>> read_normalizers(
    const JsonPlace& top);
[[nodiscard]] Result<PreTokenizerPlan> read_pre_tokenizers(const JsonPlace& top);
[[nodiscard]] Result<HuggingFaceModel> read_model(const JsonPlace& top, PreTokenizerPlan plan);
[[nodiscard]] Result<void> read_post_processor(const JsonPlace& top, Pipeline& pipeline);
[[nodiscard]] Result<std::vector<std::unique_ptr<Decoder>>> read_decoders(const JsonPlace& top);

}  // namespace fathom

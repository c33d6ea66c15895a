// Normalizers: what a tokenizer does to the text between added tokens before it is split.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "text/normal_forms.h"
#include "tokenizer/characters_map.h"
#include "tokenizer/mapped_text.h"

namespace fathom {

// Thread-safe. Linear in the text.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(MappedText& text) const = 0;
};

struct BertNormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
  bool keep_control_space =
      false;  // llama.cpp: vertical tab and the like are white space, not controls
};

[[nodiscard]] std::unique_ptr<Normalizer> make_normal_form(NormalForm form);
[[nodiscard]] std::unique_ptr<Normalizer> make_lower_case();
[[nodiscard]] std::unique_ptr<Normalizer> make_strip_accents();  // drops every mark
[[nodiscard]] std::unique_ptr<Normalizer> make_strip(bool left, bool right);
[[nodiscard]] std::unique_ptr<Normalizer> make_prepend(std::string prefix);  // not to empty text
[[nodiscard]] std::unique_ptr<Normalizer> make_replace_text(std::string pattern,
                                                            std::string content);
[[nodiscard]] Result<std::unique_ptr<Normalizer>> make_replace_regex(const std::string& pattern,
                                                                     std::string content);
[[nodiscard]] std::unique_ptr<Normalizer>
make_nmt();  // control characters away, odd white space to blanks
[[nodiscard]] std::unique_ptr<Normalizer> make_bert_normalizer(BertNormalizerOptions options);

// As Hugging Face applies a precompiled map: a grapheme of up to five bytes as a whole by its
// shortest key, else character by character.
[[nodiscard]] std::unique_ptr<Normalizer> make_grapheme_map(CharactersMap map);

}  // namespace fathom

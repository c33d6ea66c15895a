// The whole pre-tokenizer of a byte-level model: its split stages one after the other.
//
//   WordSource::Cursor cursor;
//   while (size_t n = splitter.next(text, cursor, ends, 256)) ...  // ends of the next n words
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/split_scanner.h"
#include "tokenizer/word_source.h"

namespace fathom {

// Thread-safe.
class WordSplitter final : public WordSource {
 public:
  // Errors: kInput for a pattern that PCRE2 refuses or more than kMaxStages stages.
  [[nodiscard]] static Result<WordSplitter> create(const std::vector<SplitStage>& stages);

  size_t next(std::string_view text, Cursor& cursor, size_t* ends, size_t max) const override;
  // The stages that run on PCRE2, as TokenizerInfo::slow_paths names them.
  [[nodiscard]] const std::vector<std::string>& slow_paths() const { return slow_paths_; }

 private:
  std::vector<std::unique_ptr<SplitRule>> stages_;
  std::vector<std::string> slow_paths_;
};

}  // namespace fathom

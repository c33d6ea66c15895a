// Unicode normal forms (Unicode 15, utf8proc's tables) in linear time, with the changed spans told,
// so that offsets can follow.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fathom {

enum class NormalForm { kNfc, kNfd, kNfkc, kNfkd };

// Whose tables: characters newer than the tables are starters that stay as they are.
enum class UnicodeTables {
  kCurrent,
  kVersion9,  // Hugging Face tokenizers
};

// Calls change(begin, end, normal) for each span of `text` whose normal form differs from it, in
// order; text between is already normal. Spans are whole combining sequences. O(n log n) in the
// longest run of combining marks, else O(n); already normal text is only scanned. Requires: valid
// UTF-8.
void for_each_change(
    NormalForm form, std::string_view text,
    const std::function<void(size_t begin, size_t end, std::string_view normal)>& change,
    UnicodeTables tables = UnicodeTables::kCurrent);

[[nodiscard]] std::string normalize(NormalForm form, std::string_view text);

}  // namespace fathom

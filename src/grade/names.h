// The words of a prose text by which an answer can be traced to documents: its names and numbers,
// else its content words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Distinct, in lower case, sorted; function words ("the", "with") are left out. Names and numbers
// are the words with a capital letter or a digit. O(n log n) in bytes.
[[nodiscard]] std::vector<std::string> names_in(std::string_view text);
[[nodiscard]] std::vector<std::string> content_words_in(std::string_view text);

// The words that tell where an answer comes from: its names and numbers, or, where it has none, its
// content words; as they are written. Words of `known`, in lower case, tell nothing.
[[nodiscard]] std::vector<std::string> telling_terms(std::string_view answer,
                                                     const std::vector<std::string>& known);

[[nodiscard]] bool has_capital_or_digit(std::string_view word);

// How many of `terms` stand whole in `text`, case ignored.
[[nodiscard]] size_t held_by(std::string_view text, const std::vector<std::string>& terms);

}  // namespace fathom

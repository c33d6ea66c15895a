// GPT-2's byte alphabet: each of the 256 bytes written as one printable character, so that
// vocabularies can be JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fathom {

// The bytes that `spelling` stands for; nullopt where it holds a character outside the alphabet.
[[nodiscard]] std::optional<std::string> bytes_of_spelling(std::string_view spelling);

[[nodiscard]] std::string spelling_of_bytes(std::string_view bytes);

}  // namespace fathom

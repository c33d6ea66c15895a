// Base64 as tokenizer files use it (RFC 4648, standard alphabet).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fathom {

// nullopt where `text` is not base64 with whole, padded groups.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace fathom

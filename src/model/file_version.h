// The identity of a model file: SHA-256 of its bytes, remembered so that the second look is
// instant.
#pragma once

#include <string>

#include "base/result.h"

namespace fathom {

// 64 hex digits. Remembered by absolute path, size and modification time in
// $XDG_CACHE_HOME/fathom/file-hashes (else
// ~/.cache); without a writable cache it is computed each time. A split model
// (NAME-00001-of-00003.gguf) is the hash of its parts' hashes.
[[nodiscard]] Result<std::string> model_file_version(const std::string& path);

}  // namespace fathom

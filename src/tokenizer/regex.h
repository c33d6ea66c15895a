// Regular expressions of tokenizer files that have no hand-written code: PCRE2 with its JIT,
// Unicode classes on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

// Thread-safe.
class Regex {
 public:
  // Errors: kInput with PCRE2's message and the offset.
  [[nodiscard]] static Result<Regex> compile(const std::string& pattern);

  // Calls match(begin, end) for each non-overlapping match from the left; empty matches are passed
  // on. A pattern that exceeds PCRE2's match limit stops matching there. Requires: valid UTF-8.
  void find(std::string_view text,
            const std::function<void(size_t begin, size_t end)>& match) const;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

}  // namespace fathom

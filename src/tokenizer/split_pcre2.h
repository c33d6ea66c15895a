// Splitting by an arbitrary regular expression, for patterns that have no hand-written scanner.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "tokenizer/split_scanner.h"

namespace fathom {

// Compiles `pattern` with PCRE2 (UTF, Unicode properties, JIT where the machine has it). PCRE2's \s
// also takes U+180E, and its Unicode version is the library's; otherwise the published patterns
// mean the same there as in the reference engine. A match that fails on a resource limit counts as
// no match. Errors: kInput, naming the pattern and the place in it.
[[nodiscard]] Result<std::unique_ptr<SplitRule>> make_pcre2_rule(const std::string& pattern);

}  // namespace fathom

// One attempt as a line of the journal and back. File form: docs/formats/run.md.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "run/attempt.h"

namespace fathom {

// The first line of every journal file: which run it belongs to.
struct JournalHeader {
  int64_t version = 1;
  std::string run_id;
};
[[nodiscard]] std::string to_journal_line(const JournalHeader& header);

// One journal line, without its newline. Invalid UTF-8 in texts becomes U+FFFD.
[[nodiscard]] std::string to_journal_line(const Attempt& attempt);

// Thread-safe. `where` ("FILE:LINE") starts every error. Unknown keys are passed over; a missing or
// mistyped one is an error.
[[nodiscard]] Result<JournalHeader> journal_header(std::string_view line, const std::string& where);
[[nodiscard]] Result<Attempt> attempt_from_line(std::string_view line, const std::string& where);

}  // namespace fathom

// One attempt as a line of the journal and back. File form: docs/formats/run.md.
#pragma once

#include <memory>
#include <optional>
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

// Parses lines with one reused simdjson parser. Thread-compatible. `where` ("FILE:LINE") starts
// every error. Unknown keys are passed over; a missing or mistyped one is an error.
class JournalLineParser {
 public:
  JournalLineParser();
  JournalLineParser(JournalLineParser&&) noexcept;
  ~JournalLineParser();

  [[nodiscard]] Result<JournalHeader> header(std::string_view line, const std::string& where);
  [[nodiscard]] Result<Attempt> attempt(std::string_view line, const std::string& where);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom

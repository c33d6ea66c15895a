// The journal: one line per finished attempt, appended and on disk before the next attempt takes
// its slot (R2). A run folder holds attempts.jsonl, or one attempts-I-of-N.jsonl for each shard;
// readers take all of them together. File form and the rule for several lines about one attempt:
// docs/formats/run.md.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/file.h"
#include "run/attempt.h"
#include "run/settings.h"

namespace fathom {

// An error may pass another time: a resumed run asks again (RunLimits::retry_errors). Every other
// outcome is final.
[[nodiscard]] bool is_final(Outcome outcome);

// The journal files of a run folder, sorted by name; none where the folder has none.
[[nodiscard]] Result<std::vector<std::string>> journal_files(const std::string& folder);
[[nodiscard]] std::string journal_name(const RunShard& shard);

// Every attempt of one file in order; a torn last line is left out. `run_id`: what the file's first
// line must name; empty: any. Memory: some thousand lines. Errors: kIo; kInput naming file and
// line; what `visit` returns.
[[nodiscard]] Result<void> for_each_attempt(const std::string& path, const std::string& run_id,
                                            const std::function<Result<void>(Attempt&&)>& visit);

// The attempts that count, one per (sample, number), in file and line order: of several lines about
// one attempt the last final one, else the last.
[[nodiscard]] Result<std::vector<Attempt>> read_attempts(const std::string& folder);

// Appending side. Thread-compatible. One process at a time: the caller holds the journal's lock
// (run/folder_lock.h).
class Journal {
 public:
  // Creates the file with its first line, or checks that line and cuts off a torn last line.
  [[nodiscard]] static Result<Journal> open(const std::string& path, const std::string& run_id);
  // One write for all of them; on disk on return. After an error the journal is not used again; the
  // next open() repairs it.
  [[nodiscard]] Result<void> append(const std::vector<Attempt>& attempts);

 private:
  explicit Journal(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

}  // namespace fathom

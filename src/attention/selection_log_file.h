// Selection logs as JSONL, one line a sample and arm, that any engine can write
// (docs/formats/selection-log.md).
//
//   TRY_VOID(for_each_selection_log("quest.jsonl", [&](SelectionLog&& log) { … }));
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "attention/selection_log.h"
#include "base/result.h"

namespace fathom {

// One line, without its newline. Candidates whose score is not finite are left out.
[[nodiscard]] std::string selection_log_line(const SelectionLog& log);

// Any bytes: never crashes, and holds no more memory than kMostLogBytes beside the parsed line.
// Errors (kInput): "WHERE: key 'steps[3].looks[1].blocks' must be …", with what to write instead.
[[nodiscard]] Result<SelectionLog> selection_log_from_line(std::string_view line,
                                                           std::string_view where);

// Line by line, plain or zstd: memory holds one log. Ends at the first error, of the file
// ("FILE:LINE: …") or of `take`.
[[nodiscard]] Result<void> for_each_selection_log(
    const std::string& path, const std::function<Result<void>(SelectionLog&&)>& take);

inline constexpr int64_t kMostLogPositions = int64_t{1} << 24;
inline constexpr int64_t kMostLogBytes = int64_t{512} << 20;  // sets of blocks of one line

}  // namespace fathom

// Lines of a large file parsed on all cores and taken in their order.
//
//   ParsedLines<Attempt> lines(path, attempt_from_line, keep);
//   for each line: TRY_VOID(lines.add(number, text));
//   TRY_VOID(lines.finish());
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/threads.h"

namespace fathom {

// Holds one batch of lines at a time. Thread-compatible. `parse` gets the line and "FILE:LINE", on
// any thread; `take` gets the values in the lines' order, on the caller's. The first error in that
// order ends it, after everything before it was taken.
template <typename Value>
class ParsedLines {
 public:
  using Parse = std::function<Result<Value>(std::string_view, const std::string&)>;
  using Take = std::function<Result<void>(Value&&)>;

  ParsedLines(std::string path, Parse parse, Take take)
      : path_(std::move(path)), parse_(std::move(parse)), take_(std::move(take)) {}

  [[nodiscard]] Result<void> add(size_t number, std::string_view text) {
    if (used_ == lines_.size()) lines_.emplace_back();
    lines_[used_].number = number;
    lines_[used_].text.assign(text);
    bytes_ += text.size();
    ++used_;
    if (used_ < kBatchLines && bytes_ < kBatchBytes) return {};
    return finish();
  }

  // Takes what has been added so far.
  [[nodiscard]] Result<void> finish() {
    std::vector<std::optional<Result<Value>>> values(used_);
    parallel_for(used_, 0, [&](size_t i) {
      values[i] = parse_(lines_[i].text, fmt::format("{}:{}", path_, lines_[i].number));
    });
    used_ = 0;
    bytes_ = 0;
    for (std::optional<Result<Value>>& value : values) {
      if (!*value) return fail(std::move(*value).error());
      TRY_VOID(take_(std::move(**value)));
    }
    return {};
  }

 private:
  static constexpr size_t kBatchLines = 8192;
  static constexpr size_t kBatchBytes = size_t{64} << 20;
  struct Line {
    size_t number = 0;
    std::string text;
  };

  std::string path_;
  Parse parse_;
  Take take_;
  std::vector<Line> lines_;  // their memory is used again
  size_t used_ = 0;
  size_t bytes_ = 0;
};

}  // namespace fathom

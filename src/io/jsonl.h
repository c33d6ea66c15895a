// Files of one JSON object a line, plain or zstd-compressed (by the name's end: .zst), streamed:
// memory holds one line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

// Calls `line(number, text)` for each line (numbers from 1; blank lines skipped; text lives during
// the call) until one returns an error, which is returned. A torn last line (no newline) is passed
// on too: JSON parsing decides.
[[nodiscard]] Result<void> for_each_line(
    const std::string& path, const std::function<Result<void>(size_t, std::string_view)>& line);

// The same lines one at a time, for callers that pull. Thread-compatible.
class LineReader {
 public:
  [[nodiscard]] static Result<LineReader> open(const std::string& path);
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;
  ~LineReader();

  // False at the end. `line` lives until the next call.
  [[nodiscard]] Result<bool> next(std::string_view& line);
  [[nodiscard]] size_t number() const;  // of the line last given, from 1

 private:
  struct State;
  explicit LineReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Writes lines to a temporary neighbour; finish() syncs and renames it into place. Without finish()
// nothing is left behind. Compression is deterministic: the same lines give the same bytes.
class LineWriter {
 public:
  [[nodiscard]] static Result<LineWriter> create(const std::string& path);
  LineWriter(LineWriter&&) noexcept;
  LineWriter& operator=(LineWriter&&) noexcept;
  ~LineWriter();

  [[nodiscard]] Result<void> write(std::string_view line);  // without its newline
  [[nodiscard]] Result<void> finish();

 private:
  struct State;
  explicit LineWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fathom

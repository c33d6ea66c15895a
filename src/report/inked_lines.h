// Lines for a terminal, with colour only where it is wanted; paragraphs broken at its width.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fathom {

enum class LineInk { kNone, kGood, kOpen, kBad, kFaint, kStrong };

// Thread-compatible.
class InkedLines {
 public:
  explicit InkedLines(bool colour) : colour_(colour) {}
  void add(const std::string& text, LineInk ink = LineInk::kNone);
  void end_line();  // spaces at its end are dropped
  // A paragraph: made safe, broken at spaces; lines after the first begin with `indent` spaces.
  void paragraph(const std::string& text, size_t width, LineInk ink = LineInk::kNone,
                 size_t indent = 0);
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
  bool colour_;
};

// Breaks at spaces; a word longer than a line is cut.
[[nodiscard]] std::vector<std::string> broken_at_width(const std::string& text, size_t width);

}  // namespace fathom

// Adds lines to a zstd-compressed file of one JSON object a line, each as a frame of its own, so
// that the file is whole after every line and for_each_line() reads it at any time.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

// Thread-compatible. One writer a file.
class LineAppender {
 public:
  // Creates the file where it is missing. A torn last frame (a kill in the middle of a write) is
  // cut off first; reads the whole file for that. Errors: kIo; kInput where it is no zstd file.
  [[nodiscard]] static Result<LineAppender> open(const std::string& path);
  // Without its newline.
  [[nodiscard]] Result<void> append(std::string_view line);

 private:
  using FilePointer = std::unique_ptr<FILE, int (*)(FILE*)>;
  LineAppender(std::string path, FilePointer file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::string path_;
  FilePointer file_;
};

}  // namespace fathom

// Whole files in and out. Paths are UTF-8; errors name the path and what the system said.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

[[nodiscard]] Result<std::string> read_file(const std::string& path);

// Writes to a temporary neighbour, syncs it to disk and renames it into place: readers see the old
// or the new file, never half.
[[nodiscard]] Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

[[nodiscard]] Result<void> make_directories(const std::string& path);
[[nodiscard]] bool file_exists(const std::string& path);
[[nodiscard]] bool is_directory(const std::string& path);

// Read-only memory map of a whole file. Movable; views live as long as the map.
class MappedFile {
 public:
  [[nodiscard]] static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile(const char* data, size_t size) : data_(data), size_(size) {}
  const char* data_ = nullptr;
  size_t size_ = 0;
};

// An append-only file. Each append() is one write(2) of the whole record; with `sync` it has
// reached the disk on return. Thread-compatible: callers serialise.
class AppendFile {
 public:
  // Creates the file where it is missing. A torn last line (a kill in the middle of a write) is cut
  // off first.
  [[nodiscard]] static Result<AppendFile> open(const std::string& path);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] Result<void> append(std::string_view record, bool sync);

 private:
  AppendFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_ = -1;
  std::string path_;
};

}  // namespace fathom

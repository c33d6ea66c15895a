#include "io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace fathom {
namespace {

std::string reason() { return std::strerror(errno); }

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return fail(ErrorCode::kIo, "{}: cannot be written: {}", path, reason());
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// The length up to and including the last newline.
Result<off_t> whole_lines(int descriptor, off_t size, const std::string& path) {
  char buffer[4096];
  while (size > 0) {
    const off_t start = size > off_t{sizeof buffer} ? size - off_t{sizeof buffer} : 0;
    const ssize_t got = ::pread(descriptor, buffer, static_cast<size_t>(size - start), start);
    if (got != size - start) return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, reason());
    for (ssize_t i = got; i > 0; --i)
      if (buffer[i - 1] == '\n') return start + i;
    size = start;
  }
  return 0;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, reason());
  struct stat info {};
  if (::fstat(file.get(), &info) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, reason());
  if (S_ISDIR(info.st_mode)) return fail(ErrorCode::kIo, "{}: is a folder, a file is needed", path);
  std::string out;
  out.reserve(static_cast<size_t>(info.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got == 0) return out;
    if (got < 0 && errno != EINTR)
      return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, reason());
    if (got > 0) out.append(buffer, static_cast<size_t>(got));
  }
}

Result<void> write_file_atomic(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  {
    const Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0)
      return fail(ErrorCode::kIo, "{}: cannot be created: {}", temporary, reason());
    auto written = write_all(file.get(), bytes, temporary);
    if (written && ::fsync(file.get()) != 0)
      written = fail(ErrorCode::kIo, "{}: cannot be written: {}", temporary, reason());
    if (!written) {
      ::unlink(temporary.c_str());
      return written;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    auto error = fail(ErrorCode::kIo, "{}: cannot be replaced: {}", path, reason());
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

Result<void> make_directories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return fail(ErrorCode::kIo, "{}: the folder cannot be created: {}", path, error.message());
  return {};
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, reason());
  struct stat info {};
  if (::fstat(file.get(), &info) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, reason());
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kIo, "{}: is not a file", path);
  if (info.st_size == 0) return MappedFile(nullptr, 0);
  const auto size = static_cast<size_t>(info.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return fail(ErrorCode::kIo, "{}: cannot be mapped: {}", path, reason());
  return MappedFile(static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

Result<AppendFile> AppendFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return fail(ErrorCode::kIo, "{}: cannot be opened for appending: {}", path, reason());
  AppendFile file(descriptor, path);
  struct stat info {};
  if (::fstat(descriptor, &info) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, reason());
  TRY(const off_t kept, whole_lines(descriptor, info.st_size, path));
  if (kept != info.st_size && ::ftruncate(descriptor, kept) != 0)
    return fail(ErrorCode::kIo, "{}: its torn last line cannot be cut off: {}", path, reason());
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> AppendFile::append(std::string_view record, bool sync) {
  TRY_VOID(write_all(descriptor_, record, path_));
  if (sync && ::fdatasync(descriptor_) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be written: {}", path_, reason());
  return {};
}

}  // namespace fathom

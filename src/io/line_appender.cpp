#include "io/line_appender.h"

#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "io/file.h"

namespace fathom {
namespace {

constexpr int kCompressionLevel = 3;

// Bytes of the file's whole frames.
Result<size_t> whole_frames(std::string_view bytes, const std::string& path) {
  size_t whole = 0;
  while (whole < bytes.size()) {
    const size_t size = ZSTD_findFrameCompressedSize(bytes.data() + whole, bytes.size() - whole);
    if (ZSTD_isError(size) != 0) break;
    whole += size;
  }
  constexpr std::string_view kMagic("\x28\xb5\x2f\xfd", 4);
  const std::string_view rest = bytes.substr(whole).substr(0, kMagic.size());
  if (!kMagic.starts_with(rest))
    return fail(ErrorCode::kInput, "{}: not a zstd file from byte {} on; move it away", path,
                whole);
  return whole;
}

}  // namespace

Result<LineAppender> LineAppender::open(const std::string& path) {
  if (file_exists(path)) {
    TRY(const std::string bytes, read_file(path));
    TRY(const size_t whole, whole_frames(bytes, path));
    std::error_code error;
    if (whole != bytes.size()) std::filesystem::resize_file(path, whole, error);
    if (error)
      return fail(ErrorCode::kIo, "{}: its torn last line cannot be cut off: {}", path,
                  error.message());
  }
  FilePointer file(std::fopen(path.c_str(), "abe"), std::fclose);
  if (!file)
    return fail(ErrorCode::kIo, "{}: cannot be opened for appending: {}", path,
                std::strerror(errno));
  return LineAppender(path, std::move(file));
}

Result<void> LineAppender::append(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const size_t size =
      ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0)
    return fail(ErrorCode::kInternal, "{}: zstd: {}", path_, ZSTD_getErrorName(size));
  if (std::fwrite(frame.data(), 1, size, file_.get()) != size || std::fflush(file_.get()) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be written: {}", path_, std::strerror(errno));
  return {};
}

}  // namespace fathom

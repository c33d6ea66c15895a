#include "model/file_version.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/hash.h"
#include "io/file.h"

namespace fathom {
namespace {

std::optional<std::string> cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/')
    return std::string(xdg) + "/fathom/file-hashes";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.cache/fathom/file-hashes";
  return std::nullopt;
}

Result<std::string> remembered_sha256(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return sha256_file(path);  // which says why
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  const std::optional<std::string> folder = cache_folder();
  if (error || !folder) return sha256_file(path);

  const std::string key = fmt::format("{}\n{} {}.{:09}\n", absolute, facts.st_size,
                                      facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  const std::string memo = *folder + "/" + hash_hex(absolute);
  if (file_exists(memo)) {
    const Result<std::string> text = read_file(memo);
    if (text && text->starts_with(key) && text->size() == key.size() + 64)
      return text->substr(key.size());
  }
  TRY(const std::string hash, sha256_file(path));
  // Remembering is a convenience: a read-only cache is no error.
  if (make_directories(*folder)) static_cast<void>(write_file_atomic(memo, key + hash));
  return hash;
}

}  // namespace

Result<std::string> model_file_version(const std::string& path) {
  constexpr std::string_view kFirst = "-00001-of-";
  const size_t at = path.rfind(kFirst);
  const size_t count_at = at + kFirst.size();
  if (at == std::string::npos || path.substr(std::min(path.size(), count_at + 5)) != ".gguf")
    return remembered_sha256(path);
  const int parts = std::atoi(path.substr(count_at, 5).c_str());
  std::string hashes;
  for (int part = 1; part <= parts; ++part) {
    TRY(const std::string hash,
        remembered_sha256(fmt::format("{}-{:05}-of-{:05}.gguf", path.substr(0, at), part, parts)));
    hashes += hash;
  }
  return sha256_hex(hashes);
}

}  // namespace fathom

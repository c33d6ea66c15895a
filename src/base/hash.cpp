#include "base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace fathom {
namespace {

using Digest = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

std::string hex(const unsigned char* bytes, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

Digest start_sha256() {
  Digest digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
  return digest;
}

std::string finish(EVP_MD_CTX* digest) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(digest, out, &size);
  return hex(out, size);
}

}  // namespace

std::string hash_hex(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return hex(canonical.digest, sizeof canonical.digest);
}

std::string sha256_hex(std::string_view bytes) {
  const Digest digest = start_sha256();
  EVP_DigestUpdate(digest.get(), bytes.data(), bytes.size());
  return finish(digest.get());
}

Result<std::string> sha256_file(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, std::strerror(errno));
  const Digest digest = start_sha256();
  std::vector<char> buffer(1 << 20);
  size_t got = 0;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0)
    EVP_DigestUpdate(digest.get(), buffer.data(), got);
  if (std::ferror(file.get()) != 0) return fail(ErrorCode::kIo, "{}: cannot be read", path);
  return finish(digest.get());
}

}  // namespace fathom

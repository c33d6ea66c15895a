#include "report/page_columns.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <iterator>

namespace fathom {
namespace {

// EVP_EncodeBlock counts in int: encoded in parts of whole groups of three bytes.
constexpr size_t kPartBytes = 3UL << 20;

void append_base64(std::string& out, std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); at += kPartBytes) {
    const std::string_view part = bytes.substr(at, kPartBytes);
    const size_t before = out.size();
    // One byte more than needed: the encoder ends its text with a zero byte.
    out.resize(before + (part.size() + 2) / 3 * 4 + 1);
    const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + before),
                                        reinterpret_cast<const unsigned char*>(part.data()),
                                        static_cast<int>(part.size()));
    out.resize(before + static_cast<size_t>(written));
  }
}

size_t width_of(int64_t greatest) {
  if (greatest < 0xFF) return 1;
  return greatest < 0xFFFF ? 2 : 4;
}

}  // namespace

std::string packed_column(std::span<const int64_t> values) {
  int64_t greatest = 0;
  for (const int64_t value : values) greatest = std::max(greatest, value);
  const size_t width = width_of(greatest);
  std::string bytes;
  bytes.reserve(values.size() * width);
  // -1 in two's complement is the greatest value of every width.
  for (const int64_t value : values)
    for (size_t i = 0; i < width; ++i)
      bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF);
  std::string out = fmt::format("{{\"type\":\"u{}\",\"data\":\"", 8 * width);
  append_base64(out, bytes);
  out += "\"}";
  return out;
}

std::string packed_columns(std::span<const PageColumn> columns) {
  std::string out = "{";
  for (const PageColumn& column : columns) {
    if (out.size() > 1) out += ',';
    fmt::format_to(std::back_inserter(out), "\"{}\":", column.name);
    out += packed_column(column.values);
  }
  out += '}';
  return out;
}

}  // namespace fathom

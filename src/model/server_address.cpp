#include "model/server_address.h"

#include <algorithm>

namespace fathom {
namespace {

constexpr std::string_view kChat = "/chat/completions";
constexpr std::string_view kCompletions = "/completions";
constexpr std::string_view kVersion = "/v1";

bool cut_end(std::string& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

}  // namespace

Result<ServerAddress> parse_server_address(std::string_view text) {
  // The address itself stays out of messages that might quote a password in it.
  const size_t scheme_end = text.find("://");
  if (!text.starts_with("http://") && !text.starts_with("https://"))
    return fail(ErrorCode::kUsage, "the server's address must begin with http:// or https://");
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '#' || c == '\\';
  };
  if (std::ranges::any_of(text, is_bad))
    return fail(ErrorCode::kUsage,
                "the server's address holds a space, a control character, '\\' or '#'");
  const size_t query = text.find('?');
  std::string base(text.substr(0, query));
  const size_t host = scheme_end + 3;
  const std::string authority = base.substr(host, base.find('/', host) - host);
  if (authority.empty() || authority.front() == ':')
    return fail(ErrorCode::kUsage, "the server's address '{}' names no host", base);
  if (authority.find('@') != std::string::npos)
    return fail(ErrorCode::kUsage,
                "the server's address holds a user name or password; put the key in the "
                "environment instead");

  ServerAddress address;
  if (query != std::string_view::npos) address.query = text.substr(query);
  while (base.size() > host && base.ends_with('/')) base.pop_back();
  if (cut_end(base, kChat))
    address.api = "chat";
  else if (cut_end(base, kCompletions))
    address.api = "completions";
  if (base.find('/', host) == std::string::npos) base += kVersion;
  address.base = base;
  cut_end(base, kVersion);
  address.root = base;
  return address;
}

std::string ServerAddress::endpoint(std::string_view path) const {
  return base + std::string(path) + query;
}

std::string ServerAddress::root_endpoint(std::string_view path) const {
  return root + std::string(path) + query;
}

std::string ServerAddress::host() const {
  const size_t begin = base.find("://") + 3;
  const std::string authority = base.substr(begin, base.find('/', begin) - begin);
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

}  // namespace fathom

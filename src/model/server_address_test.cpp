// Addresses as people paste them (R1), and none that would leak a password (R11).
#include "model/server_address.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(ServerAddress, TakesEveryForm) {
  const struct {
    const char* text;
    const char* base;
    const char* root;
    const char* api;
    const char* host;
  } cases[] = {
      {"http://127.0.0.1:8000", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000", "",
       "127.0.0.1"},
      {"http://127.0.0.1:8000/", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000", "",
       "127.0.0.1"},
      {"http://h:8000/v1", "http://h:8000/v1", "http://h:8000", "", "h"},
      {"http://h:8000/v1/", "http://h:8000/v1", "http://h:8000", "", "h"},
      {"https://h/v1/chat/completions", "https://h/v1", "https://h", "chat", "h"},
      {"https://h/v1/completions", "https://h/v1", "https://h", "completions", "h"},
      {"https://h/chat/completions", "https://h/v1", "https://h", "chat", "h"},
      {"https://h/api/v3", "https://h/api/v3", "https://h/api/v3", "", "h"},
      {"https://h/openai/v1", "https://h/openai/v1", "https://h/openai", "", "h"},
      {"http://[::1]:8080", "http://[::1]:8080/v1", "http://[::1]:8080", "", "[::1]"},
  };
  for (const auto& c : cases) {
    const Result<ServerAddress> address = parse_server_address(c.text);
    ASSERT_TRUE(address.has_value()) << c.text << ": " << address.error().message;
    EXPECT_EQ(address->base, c.base) << c.text;
    EXPECT_EQ(address->root, c.root) << c.text;
    EXPECT_EQ(address->api, c.api) << c.text;
    EXPECT_EQ(address->host(), c.host) << c.text;
  }
}

TEST(ServerAddress, KeepsTheQuery) {
  const Result<ServerAddress> address = parse_server_address(
      "https://h/openai/deployments/d/chat/completions?api-version=2026-01-01");
  ASSERT_TRUE(address.has_value());
  EXPECT_EQ(address->endpoint("/chat/completions"),
            "https://h/openai/deployments/d/chat/completions?api-version=2026-01-01");
  EXPECT_EQ(address->api, "chat");
}

TEST(ServerAddress, RefusesWithoutQuotingSecrets) {
  for (const char* text :
       {"", "localhost:8000", "ftp://h/v1", "http://", "http:///v1", "http://:80", "http://h/v 1",
        "http://h/v1#x", "http://h\n/v1", "https://me:secret@h/v1", "file:///etc/passwd"}) {
    const Result<ServerAddress> address = parse_server_address(text);
    ASSERT_FALSE(address.has_value()) << text;
    EXPECT_EQ(address.error().code, ErrorCode::kUsage) << text;
    EXPECT_EQ(address.error().message.find("secret"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace fathom

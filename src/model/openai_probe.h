// What an OpenAI-like server is, and what it serves, before the first request.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/http_client.h"
#include "model/openai_request.h"
#include "model/server_address.h"

namespace fathom {

struct ServerFacts {
  ServerKind kind = ServerKind::kUnknown;
  std::string model;    // the name to ask with
  std::string version;  // of the server, as it says
  int64_t window_tokens = 0;
  int64_t slots = 0;
  std::string chat_template;
  std::string bos_text;
  std::string eos_text;
  bool adds_bos = false;           // to every completions prompt
  std::vector<std::string> notes;  // what could not be learnt
};

struct ProbeOptions {
  std::string model;  // empty: the only one
  std::vector<std::string> headers;
  std::string key_variable;  // for messages
  bool has_key = false;
  int64_t loading_wait_ms = 600'000;     // while the server loads its model (503)
  std::function<bool()> cancelled = {};  // asked while waiting
};

// Errors: kSetup for no connection, a refused key, a web page, a model the server does not have
// (the message lists those it has); kInterrupted when cancelled.
[[nodiscard]] Result<ServerFacts> probe_server(HttpClient& client, const ServerAddress& address,
                                               const ProbeOptions& options);

// The server's count of a raw text; nullopt where this kind of server has no such endpoint. Errors:
// kIo.
[[nodiscard]] Result<std::optional<int64_t>> count_server_tokens(
    HttpClient& client, const ServerAddress& address, const std::vector<std::string>& headers,
    ServerKind kind, const std::string& model, const std::string& text, bool add_special);

}  // namespace fathom

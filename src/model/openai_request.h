// The JSON that asks an OpenAI-like server for one answer.
#pragma once

#include <string>

#include "model/model.h"

namespace fathom {

// Which program answers; decides what may be sent beside OpenAI's own fields.
enum class ServerKind { kUnknown, kOpenAi, kLlamaCpp, kVllm, kSglang };
[[nodiscard]] const char* to_text(ServerKind kind);  // for people: "llama.cpp's server"

// Settled by probe(), the same for all requests.
struct RequestShape {
  ServerKind server = ServerKind::kUnknown;
  bool chat = true;  // else completions
  std::string model;
  PrefixPolicy prefix_policy = PrefixPolicy::kDropped;
  // Completions: the server puts this text's token in front of every prompt by itself, so a prompt
  // that begins with it (Request::add_special false) is sent without it.
  std::string server_bos;
  bool sends_sampling = true;  // temperature, top_p, seed and stop; some models refuse them
};

// Whether the model, by its name at OpenAI, takes no sampling fields.
[[nodiscard]] bool takes_no_sampling(ServerKind server, const std::string& model);

// O(n) in bytes, one pass over the prompt.
[[nodiscard]] std::string request_body(const RequestShape& shape, const Request& request);

}  // namespace fathom

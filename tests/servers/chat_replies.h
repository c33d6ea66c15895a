// Ready answers of an OpenAI-like server, good and bad, for FaultServer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "servers/fault_server.h"

namespace fathom {

struct StreamUsage {
  int64_t prompt_tokens = 10;
  int64_t completion_tokens = 2;
  int64_t cached_tokens = -1;     // -1: not reported
  int64_t reasoning_tokens = -1;  // -1: not reported
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// A chat stream whose text is `pieces`, each in an event of its own, with usage and [DONE].
[[nodiscard]] ServerReply chat_stream(const std::vector<std::string>& pieces,
                                      const StreamUsage& usage = {},
                                      const std::string& finish_reason = "stop");
[[nodiscard]] ServerReply completion_stream(const std::vector<std::string>& pieces,
                                            const StreamUsage& usage = {},
                                            const std::string& finish_reason = "stop");
// A stream of the given events ("data: " is put in front, a blank line behind).
[[nodiscard]] ServerReply event_stream(const std::vector<std::string>& data);

// {"error": {"message", "type", "code"}} with a status.
[[nodiscard]] ServerReply status_reply(int status, const std::string& message,
                                       const Headers& headers = {},
                                       const std::string& type = "error",
                                       const std::string& code = "");
[[nodiscard]] ServerReply json_reply(const std::string& body, int status = 200);
[[nodiscard]] ServerReply html_reply(int status = 200);

// GET /v1/models with one model.
[[nodiscard]] ServerReply models_reply(const std::string& name, int64_t max_model_len = 0,
                                       const std::string& owner = "test");

// Answers GET /v1/models with `model` and gives every POST to `answer`, other paths 404: what most
// tests need.
[[nodiscard]] FaultServer::Respond openai_server(const std::string& model,
                                                 FaultServer::Respond answer);

// The faults of the table in docs/models.md, by name, each as the answer to one POST.
[[nodiscard]] const std::map<std::string, ServerReply>& named_faults();

}  // namespace fathom

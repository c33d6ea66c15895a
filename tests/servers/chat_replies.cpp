#include "servers/chat_replies.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

Json usage_json(const StreamUsage& usage) {
  Json out = {{"prompt_tokens", usage.prompt_tokens},
              {"completion_tokens", usage.completion_tokens},
              {"total_tokens", usage.prompt_tokens + usage.completion_tokens}};
  if (usage.cached_tokens >= 0)
    out["prompt_tokens_details"] = {{"cached_tokens", usage.cached_tokens}};
  if (usage.reasoning_tokens >= 0)
    out["completion_tokens_details"] = {{"reasoning_tokens", usage.reasoning_tokens}};
  return out;
}

Json chunk(const std::string& object) {
  return {{"id", "cmpl-1"},
          {"object", object},
          {"created", 1},
          {"model", "test-model-v2"},
          {"choices", Json::array()}};
}

ServerReply stream(const std::string& object, const std::vector<std::string>& pieces,
                   const StreamUsage& usage, const std::string& finish_reason) {
  const bool chat = object == "chat.completion.chunk";
  std::vector<std::string> events;
  const auto add = [&](const std::string& text, const Json& finish) {
    Json event = chunk(object);
    Json choice = {{"index", 0}, {"finish_reason", finish}};
    if (chat)
      choice["delta"] = text.empty() ? Json::object() : Json{{"content", text}};
    else
      choice["text"] = text;
    event["choices"].push_back(choice);
    events.push_back(event.dump());
  };
  for (const std::string& piece : pieces) add(piece, nullptr);
  add("", finish_reason);
  Json last = chunk(object);
  last["usage"] = usage_json(usage);
  events.push_back(last.dump());
  events.emplace_back("[DONE]");
  return event_stream(events);
}

}  // namespace

ServerReply chat_stream(const std::vector<std::string>& pieces, const StreamUsage& usage,
                        const std::string& finish_reason) {
  return stream("chat.completion.chunk", pieces, usage, finish_reason);
}

ServerReply completion_stream(const std::vector<std::string>& pieces, const StreamUsage& usage,
                              const std::string& finish_reason) {
  return stream("text_completion", pieces, usage, finish_reason);
}

ServerReply event_stream(const std::vector<std::string>& data) {
  ServerReply reply;
  reply.headers = {{"Content-Type", "text/event-stream"}, {"x-request-id", "req-7"}};
  for (const std::string& event : data) reply.parts.push_back("data: " + event + "\n\n");
  return reply;
}

ServerReply status_reply(int status, const std::string& message, const Headers& headers,
                         const std::string& type, const std::string& code) {
  Json error = {{"message", message}, {"type", type}};
  error["code"] = code.empty() ? Json(nullptr) : Json(code);
  ServerReply reply = json_reply(Json{{"error", error}}.dump(), status);
  reply.headers.insert(reply.headers.end(), headers.begin(), headers.end());
  return reply;
}

ServerReply json_reply(const std::string& body, int status) {
  ServerReply reply;
  reply.status = status;
  reply.headers = {{"Content-Type", "application/json"}};
  reply.parts = {body};
  reply.content_length = true;
  return reply;
}

ServerReply html_reply(int status) {
  ServerReply reply;
  reply.status = status;
  reply.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  reply.parts = {
      "<!doctype html><html><head><title>Welcome</title></head><body>It works.</body></html>"};
  reply.content_length = true;
  return reply;
}

ServerReply models_reply(const std::string& name, int64_t max_model_len, const std::string& owner) {
  Json model = {{"id", name}, {"object", "model"}, {"owned_by", owner}};
  if (max_model_len > 0) model["max_model_len"] = max_model_len;
  return json_reply(Json{{"object", "list"}, {"data", Json::array({model})}}.dump());
}

FaultServer::Respond openai_server(const std::string& model, FaultServer::Respond answer) {
  return [model, answer = std::move(answer)](const ServerRequest& request) {
    if (request.method == "POST") return answer(request);
    if (request.path == "/v1/models") return models_reply(model);
    return status_reply(404, "no such path");
  };
}

const std::map<std::string, ServerReply>& named_faults() {
  static const std::map<std::string, ServerReply> faults = [] {
    std::map<std::string, ServerReply> out;
    const ServerReply good = chat_stream({"for", "ty"});
    out["rate limited"] =
        status_reply(429, "Rate limit reached", {{"Retry-After", "2"}}, "requests");
    out["server error"] = status_reply(500, "internal error");
    out["overloaded"] = status_reply(529, "Overloaded", {}, "overloaded_error");
    out["over window"] = status_reply(400,
                                      "This model's maximum context length is 4096 tokens. "
                                      "However, your messages resulted in 5000 tokens.",
                                      {}, "invalid_request_error", "context_length_exceeded");
    out["web page"] = html_reply();
    out["gateway page"] = html_reply(502);
    out["error inside the stream"] =
        event_stream({R"({"choices":[{"index":0,"delta":{"content":"fo"}}]})",
                      R"({"error":{"message":"engine died","code":500}})"});
    out["garbage events"] = event_stream({"{\"choices\":[{", "\x01\x02\xff", "[DONE]"});
    out["garbage bytes"] = event_stream({});
    out["garbage bytes"].parts = {std::string("\x00\xff\xfe\x1b[2J lorem", 14),
                                  std::string(4096, '\xee')};
    out["no finish"] = event_stream({R"({"choices":[{"index":0,"delta":{"content":"for"}}]})"});
    out["hangs up in the stream"] = good;
    out["hangs up in the stream"].parts.resize(1);
    out["hangs up in the stream"].end = ReplyEnd::kHangUp;
    out["resets in the stream"] = out["hangs up in the stream"];
    out["resets in the stream"].end = ReplyEnd::kReset;
    out["hangs up at once"] = {};
    out["hangs up at once"].raw = std::string(" ");
    out["hangs up at once"].end = ReplyEnd::kHangUp;
    out["never answers"] = {};
    out["never answers"].end = ReplyEnd::kSilence;
    out["stalls in the stream"] = good;
    out["stalls in the stream"].parts.resize(1);
    out["stalls in the stream"].end = ReplyEnd::kSilence;
    out["slow drip"] = good;
    out["slow drip"].part_delay_ms = 60;
    out["prompt cut silently"] = chat_stream({"for", "ty"}, {.prompt_tokens = 5});
    out["wrong content type"] = good;
    out["wrong content type"].headers = {{"Content-Type", "text/plain"}};
    out["huge header"] = good;
    out["huge header"].headers.emplace_back("X-Padding", std::string(300000, 'x'));
    out["redirect"] = {};
    out["redirect"].status = 307;
    out["redirect"].headers = {{"Location", "http://elsewhere.invalid/v1/chat/completions"}};
    out["redirect"].content_length = true;
    out["not HTTP"] = {};
    out["not HTTP"].raw = std::string("SSH-2.0-OpenSSH_9.2\r\n");
    out["not HTTP"].end = ReplyEnd::kHangUp;
    out["line without end"] = event_stream({});
    out["line without end"].parts.assign(64, std::string(1 << 18, 'x'));
    out["empty answer"] = json_reply("");
    return out;
  }();
  return faults;
}

}  // namespace fathom

#include "model/openai_request.h"

#include <fmt/format.h>

#include <string_view>

#include "io/json_text.h"

namespace fathom {
namespace {

void add_field(std::string& out, std::string_view name, std::string_view text) {
  out += fmt::format(",\"{}\":", name);
  append_json_text(out, text);
}

void add_message(std::string& out, const std::string& role, std::string_view content,
                 std::string_view more) {
  if (out.back() != '[') out += ',';
  out += "{\"role\":";
  append_json_text(out, role);
  out += ",\"content\":";
  if (more.empty())
    append_json_text(out, content);
  else
    append_json_text(out, std::string(content) + std::string(more));
  out += '}';
}

void add_messages(std::string& out, const RequestShape& shape, const Request& request) {
  const bool has_prefix = !request.answer_prefix.empty();
  const std::string_view in_message = has_prefix && shape.prefix_policy == PrefixPolicy::kInMessage
                                          ? request.answer_prefix
                                          : std::string_view();
  out += ",\"messages\":[";
  if (request.messages.empty() && request.prompt != nullptr)
    add_message(out, "user", *request.prompt, in_message);
  for (size_t i = 0; i < request.messages.size(); ++i) {
    const bool last = i + 1 == request.messages.size();
    add_message(out, request.messages[i].role, request.messages[i].content,
                last ? in_message : std::string_view());
  }
  const bool continues = has_prefix && shape.prefix_policy == PrefixPolicy::kContinue;
  if (continues) add_message(out, "assistant", request.answer_prefix, {});
  out += ']';
  if (continues) out += ",\"add_generation_prompt\":false,\"continue_final_message\":true";
}

void add_prompt(std::string& out, const RequestShape& shape, const Request& request) {
  std::string_view prompt = *request.prompt;
  const bool bos_again =
      !request.add_special && !shape.server_bos.empty() && prompt.starts_with(shape.server_bos);
  if (bos_again) prompt.remove_prefix(shape.server_bos.size());
  const bool with_prefix =
      shape.prefix_policy == PrefixPolicy::kInPrompt && !request.answer_prefix.empty();
  if (with_prefix)
    add_field(out, "prompt", std::string(prompt) + request.answer_prefix);
  else
    add_field(out, "prompt", prompt);
  if (shape.server == ServerKind::kVllm || shape.server == ServerKind::kSglang)
    out += fmt::format(",\"add_special_tokens\":{}", request.add_special);
}

// Samplers that servers switch on by themselves, or that a model's generation_config.json switches
// on.
std::string_view neutral_samplers(ServerKind server) {
  switch (server) {
    case ServerKind::kLlamaCpp:
      return ",\"top_k\":0,\"min_p\":0,\"repeat_penalty\":1,\"presence_penalty\":0,\"frequency_"
             "penalty\":0"
             ",\"cache_prompt\":true,\"return_progress\":true";
    case ServerKind::kVllm:
    case ServerKind::kSglang:
      return ",\"top_k\":-1,\"min_p\":0,\"repetition_penalty\":1";
    case ServerKind::kUnknown:
    case ServerKind::kOpenAi:
      break;
  }
  return "";
}

void add_sampling(std::string& out, const RequestShape& shape, const Decoding& decoding) {
  if (!shape.sends_sampling) return;
  out += fmt::format(",\"temperature\":{},\"top_p\":{}", decoding.temperature, decoding.top_p);
  // A greedy answer needs no seed, and strict servers refuse the field.
  if (decoding.temperature > 0) out += fmt::format(",\"seed\":{}", decoding.seed);
  out += neutral_samplers(shape.server);
  if (decoding.stop.empty()) return;
  out += ",\"stop\":[";
  for (const std::string& stop : decoding.stop) {
    if (out.back() != '[') out += ',';
    append_json_text(out, stop);
  }
  out += ']';
}

}  // namespace

const char* to_text(ServerKind kind) {
  switch (kind) {
    case ServerKind::kUnknown:
      return "an OpenAI-like server";
    case ServerKind::kOpenAi:
      return "OpenAI";
    case ServerKind::kLlamaCpp:
      return "llama.cpp's server";
    case ServerKind::kVllm:
      return "vLLM";
    case ServerKind::kSglang:
      return "SGLang";
  }
  return "";
}

bool takes_no_sampling(ServerKind server, const std::string& model) {
  if (server != ServerKind::kOpenAi) return false;
  for (const std::string_view family : {"o1", "o3", "o4", "gpt-5"})
    if (model.starts_with(family)) return true;
  return false;
}

std::string request_body(const RequestShape& shape, const Request& request) {
  std::string out;
  size_t size = 1024 + request.answer_prefix.size();
  if (request.prompt != nullptr) size += request.prompt->size() + request.prompt->size() / 16;
  out.reserve(size);
  out += "{\"model\":";
  append_json_text(out, shape.model);
  if (shape.chat)
    add_messages(out, shape, request);
  else
    add_prompt(out, shape, request);
  out += fmt::format(
      ",\"{}\":{}",
      shape.chat && shape.server == ServerKind::kOpenAi ? "max_completion_tokens" : "max_tokens",
      request.max_output_tokens);
  add_sampling(out, shape, request.decoding);
  out += ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
  return out;
}

}  // namespace fathom

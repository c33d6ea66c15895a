#include "model/openai_stream.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "base/clock.h"
#include "model/one_line.h"
#include "model/server_error.h"

namespace fathom {
namespace {

using simdjson::dom::element;

constexpr std::string_view kDone = "[DONE]";

std::optional<std::string_view> text_at(const element& object, const char* key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

void read_count(const element& object, const char* key, int64_t& out) {
  int64_t value = 0;
  if (object[key].get(value) == simdjson::SUCCESS && value >= 0) out = value;
}

// Names of several makers for the same four numbers; `input` includes cached tokens in all of them.
void read_usage(const element& usage, Usage& out) {
  read_count(usage, "prompt_tokens", out.input);
  read_count(usage, "completion_tokens", out.output);
  read_count(usage, "prompt_cache_hit_tokens", out.cached);  // DeepSeek
  read_count(usage, "reasoning_tokens", out.thinking);       // xAI
  element details;
  if (usage["prompt_tokens_details"].get(details) == simdjson::SUCCESS) {
    read_count(details, "cached_tokens", out.cached);
    read_count(details, "cache_write_tokens", out.cache_write);
  }
  if (usage["completion_tokens_details"].get(details) == simdjson::SUCCESS)
    read_count(details, "reasoning_tokens", out.thinking);
}

StopReason stop_of(std::string_view reason) {
  if (reason == "stop" || reason == "eos" || reason == "eos_token" || reason == "end_turn" ||
      reason == "stop_sequence" || reason == "tool_calls" || reason == "function_call")
    return StopReason::kEnd;
  if (reason == "length" || reason == "max_tokens" || reason == "model_length")
    return StopReason::kLength;
  if (reason == "content_filter") return StopReason::kFiltered;
  return StopReason::kUnknown;
}

// A text, or a list of parts of which those with text or thinking count.
void read_content(const element& content, Reply& reply) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) {
    reply.text += text;
    return;
  }
  simdjson::dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) return;
  for (const element part : parts) {
    element thinking;
    if (part["thinking"].get(thinking) == simdjson::SUCCESS) {
      Reply inner;
      read_content(thinking, inner);
      reply.thinking += inner.text;
    } else if (const auto piece = text_at(part, "text")) {
      reply.text += *piece;
    }
  }
}

void read_message(const element& message, Reply& reply) {
  element content;
  if (message["content"].get(content) == simdjson::SUCCESS) read_content(content, reply);
  // Two names for one thing; servers that send both send them equal.
  if (const auto thinking = text_at(message, "reasoning_content"))
    reply.thinking += *thinking;
  else if (const auto other = text_at(message, "reasoning"))
    reply.thinking += *other;
  if (const auto refusal = text_at(message, "refusal"); refusal && !refusal->empty()) {
    reply.text += *refusal;
    reply.stop = StopReason::kFiltered;
  }
}

Failure not_understood(std::string_view data) {
  return {.kind = FailureKind::kTransient,
          .http_status = 200,
          .detail =
              fmt::format("the stream holds something that is no answer: {}", one_line(data, 120))};
}

}  // namespace

struct OpenAiAnswer::Parser {
  simdjson::dom::parser json;
};

OpenAiAnswer::OpenAiAnswer() : parser_(std::make_unique<Parser>()) {}
OpenAiAnswer::~OpenAiAnswer() = default;

std::optional<Failure> OpenAiAnswer::add_event(std::string_view data) {
  if (data == kDone) {
    done_ = true;
    return std::nullopt;
  }
  element event;
  if (parser_->json.parse(data.data(), data.size()).get(event) != simdjson::SUCCESS ||
      !event.is_object())
    return not_understood(data);
  element error;
  if (event["error"].get(error) == simdjson::SUCCESS && !error.is_null())
    return classify_stream_error(data, system_clock().unix_ms());
  simdjson::dom::array choices;
  const bool has_choices = event["choices"].get(choices) == simdjson::SUCCESS;
  element usage;
  const bool has_usage = event["usage"].get(usage) == simdjson::SUCCESS && usage.is_object();
  // vLLM's old form of an error has neither.
  if (!has_choices && !has_usage && (text_at(event, "message") || text_at(event, "detail")))
    return classify_stream_error(data, system_clock().unix_ms());

  if (const auto model = text_at(event, "model"); model && reply_.model.empty())
    reply_.model = *model;
  if (has_usage) read_usage(usage, reply_.usage);
  element progress;
  if (event["prompt_progress"].get(progress) == simdjson::SUCCESS)
    read_count(progress, "processed", processed_);
  element timings;
  if (event["timings"].get(timings) == simdjson::SUCCESS && reply_.usage.cached < 0)
    read_count(timings, "cache_n", reply_.usage.cached);
  if (!has_choices || choices.size() == 0) return std::nullopt;

  const element choice = choices.at(0);
  for (const char* name : {"delta", "message"}) {
    element message;
    if (choice[name].get(message) == simdjson::SUCCESS) read_message(message, reply_);
  }
  if (const auto text = text_at(choice, "text")) reply_.text += *text;
  has_output_ = has_output_ || !reply_.text.empty() || !reply_.thinking.empty();
  if (const auto reason = text_at(choice, "finish_reason"); reason && !reason->empty()) {
    if (*reason == "abort" || *reason == "error")
      return Failure{
          .kind = FailureKind::kTransient,
          .http_status = 200,
          .detail = fmt::format("the server gave the answer up (finish_reason {})", *reason)};
    finished_ = true;
    if (reply_.stop != StopReason::kFiltered) reply_.stop = stop_of(*reason);
  }
  return std::nullopt;
}

std::optional<Failure> OpenAiAnswer::incomplete() const {
  if (finished_ || (done_ && has_output_)) return std::nullopt;
  return Failure{.kind = FailureKind::kTransient,
                 .http_status = 200,
                 .detail = has_output_ ? "the stream ended in the middle of the answer"
                                       : "the server sent no answer"};
}

}  // namespace fathom

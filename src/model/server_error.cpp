#include "model/server_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "io/json.h"
#include "model/one_line.h"
#include "model/retry_after.h"

namespace fathom {
namespace {

constexpr size_t kMostDetail = 500;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Words of many servers for "this prompt does not fit the window": reference in docs/models.md.
bool says_over_window(std::string_view text) {
  return has_any(text, {"context_length_exceeded",
                        "maximum context length",
                        "context length is only",
                        "exceed_context_size",
                        "available context size",
                        "exceeds the context window",
                        "context window exceeds",
                        "exceeds the maximum context",
                        "exceed context limit",
                        "model's context length",
                        "greater than the context length",
                        "longer than the context length",
                        "max context length",
                        "context shift is disabled",
                        "too large to process",
                        "prompt is too long",
                        "prompt too long",
                        "input is too long",
                        "input tokens exceed",
                        "exceeds the maximum number of tokens",
                        "exceeds the maximum allowed length",
                        "exceeded model token limit",
                        "too many input tokens",
                        "maximum prompt length",
                        "reduce the length",
                        "too large for model",
                        "`inputs` must have less than",
                        "`max_new_tokens` must be <=",
                        "input characters and requested",
                        "max_tokens must be at least 1, got -",
                        "string too long",
                        "tokens) is longer than",
                        "tokens is longer than",
                        "request_too_large"});
}

// A request that is larger than a whole minute's allowance can never pass (OpenAI, Groq); an empty
// account neither.
bool says_never(std::string_view text) {
  if (has_any(text, {"insufficient_quota", "billing_hard_limit", "billing_not_active"}))
    return true;
  if (text.find("request too large") != std::string_view::npos &&
      has_any(text, {"tokens per min", "tpm", "tokens per day", "tpd"}))
    return true;
  const size_t zero = text.find("limit: 0");
  if (zero == std::string_view::npos) return false;
  const size_t behind = zero + 8;
  return behind >= text.size() ||
         (text[behind] != '.' && (text[behind] < '0' || text[behind] > '9'));
}

bool says_refused(std::string_view text) {
  return has_any(
      text, {"content_filter", "content_policy", "responsibleaipolicyviolation",
             "content management policy", "usage policy", "usage policies", "prohibited_content",
             "data_inspection_failed", "flagged as potentially violating"});
}

bool says_out_of_memory(std::string_view text) {
  return has_any(
      text, {"out of memory", "outofmemory", "out_of_memory", "failed to allocate", "cudamalloc",
             "insufficient memory", "not enough memory", "more system memory"});
}

bool says_overloaded(std::string_view text) {
  return has_any(text,
                 {"overloaded", "loading model", "model is loading", "temporarily unavailable",
                  // Our JSON is valid: a body that the server could not read was cut on its way.
                  "not valid json", "could not parse the json body"});
}

FailureKind kind_of_status(int64_t status, const HttpHeaders& headers) {
  if (status == 429) return FailureKind::kRateLimited;
  if (status == 413) return FailureKind::kOverWindow;
  if (const auto retry = header(headers, "x-should-retry")) {
    if (*retry == "true") return FailureKind::kTransient;
    if (*retry == "false") return FailureKind::kPermanent;
  }
  if (status == 408 || status == 409 || status == 425) return FailureKind::kTransient;
  if (status == 501 || status == 505) return FailureKind::kPermanent;
  return status >= 500 ? FailureKind::kTransient : FailureKind::kPermanent;
}

FailureKind kind_of(int64_t status, const HttpHeaders& headers, std::string_view words) {
  if (says_never(words)) return FailureKind::kPermanent;
  if (status == 429) return FailureKind::kRateLimited;
  if (status != 401 && !(status >= 300 && status < 400)) {
    if (says_over_window(words)) return FailureKind::kOverWindow;
    if (says_refused(words)) return FailureKind::kRefused;
    if (says_out_of_memory(words)) return FailureKind::kOutOfMemory;
    if (has_any(words, {"throttlingexception"})) return FailureKind::kRateLimited;
    if (says_overloaded(words)) return FailureKind::kTransient;
  }
  return kind_of_status(status, headers);
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : to_json_line(value);
}

// Fills from an object that holds message, type and code itself.
void read_object(const Json& object, ServerComplaint& out) {
  for (const auto& [key, value] : object.items()) {
    if (key == "message" || key == "detail" || key == "error_msg" || key == "msg") {
      if (out.message.empty()) out.message = text_of(value);
    } else if (key == "type" || key == "error_type" || key == "status") {
      if (out.type.empty()) out.type = text_of(value);
    } else if (key == "code") {
      out.code = text_of(value);
    } else if (key == "details" || key == "metadata" || key == "innererror") {
      // Gemini's RetryInfo and OpenRouter's raw upstream error stand here.
      if (!value.is_null()) out.message += (out.message.empty() ? "" : " ") + text_of(value);
    }
  }
}

std::optional<ServerComplaint> complaint_of_json(std::string_view body) {
  Result<Json> parsed = parse_json(body, "the server's answer");
  if (!parsed) return std::nullopt;
  const Json* root = &*parsed;
  if (root->is_array() && !root->empty()) root = &root->front();
  ServerComplaint out;
  if (root->is_string()) out.message = root->get<std::string>();
  if (!root->is_object()) return out;
  const auto error = root->find("error");
  if (error != root->end() && error->is_string()) out.message = error->get<std::string>();
  if (error != root->end() && error->is_object()) read_object(*error, out);
  read_object(*root, out);
  if (out.message.empty()) out.message = to_json_line(*root);
  return out;
}

std::string page_title(std::string_view body) {
  const std::string small = lower(body);
  const size_t begin = small.find("<title>");
  const size_t end = small.find("</title>");
  if (begin == std::string::npos || end == std::string::npos || end < begin + 7) return {};
  return std::string(body.substr(begin + 7, end - begin - 7));
}

std::string described(const ServerComplaint& complaint) {
  std::string out = one_line(complaint.message, kMostDetail);
  const std::string& label = !complaint.code.empty() ? complaint.code : complaint.type;
  if (!label.empty() && out.find(label) == std::string::npos)
    out += fmt::format(" [{}]", one_line(label, 80));
  return out;
}

}  // namespace

ServerComplaint read_complaint(std::string_view body) {
  const size_t begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  if (body[begin] == '<') {
    const std::string title = page_title(body);
    return {.message = title.empty() ? "a web page" : "a web page titled \"" + title + "\"",
            .web_page = true};
  }
  if (body[begin] == '{' || body[begin] == '[' || body[begin] == '"')
    if (std::optional<ServerComplaint> complaint = complaint_of_json(body)) return *complaint;
  return {.message = std::string(body.substr(begin, 4 * kMostDetail))};
}

Failure classify_response(int64_t status, const HttpHeaders& headers, std::string_view body,
                          int64_t now_unix_ms) {
  const ServerComplaint complaint = read_complaint(body);
  const std::string words =
      complaint.web_page ? ""
                         : lower(complaint.message + " " + complaint.type + " " + complaint.code);
  Failure failure{.kind = kind_of(status, headers, words), .http_status = status};
  failure.retry_after_ms = retry_after_ms(status, headers, complaint.message, now_unix_ms);
  if (status >= 300 && status < 400) {
    failure.detail =
        fmt::format("HTTP {}: the server redirects to {}; give that address", status,
                    one_line(header(headers, "location").value_or("another address"), 200));
    return failure;
  }
  const std::string what = described(complaint);
  failure.detail = fmt::format("HTTP {}{}{}", status, what.empty() ? "" : ": ", what);
  return failure;
}

Failure classify_stream_error(std::string_view error_json, int64_t now_unix_ms) {
  const ServerComplaint complaint = read_complaint(error_json);
  const std::string words = lower(complaint.message + " " + complaint.type + " " + complaint.code);
  int64_t status =
      500;  // a stream that began can only break by the server's fault, unless it says otherwise
  if (complaint.code.size() == 3 && (complaint.code[0] == '4' || complaint.code[0] == '5'))
    status = std::atoi(complaint.code.c_str());
  if (has_any(words, {"rate_limit", "rate limit"})) status = 429;
  Failure failure{.kind = kind_of(status, {}, words), .http_status = 200};
  failure.retry_after_ms = retry_after_ms(status, {}, complaint.message, now_unix_ms);
  failure.detail = "error inside the stream: " + described(complaint);
  return failure;
}

Failure classify_broken(const HttpEnd& end) {
  Failure failure{.kind = FailureKind::kTransient, .http_status = end.status};
  const std::string why = one_line(end.detail, kMostDetail);
  switch (end.problem) {
    case HttpProblem::kCancelled:
      failure.kind = FailureKind::kCancelled;
      failure.detail = "stopped";
      break;
    case HttpProblem::kIdle:
      failure.kind = FailureKind::kTimedOut;
      failure.detail = "the server was silent for longer than the idle limit";
      break;
    case HttpProblem::kDeadline:
      failure.kind = FailureKind::kTimedOut;
      failure.detail = "the deadline passed before the answer was complete";
      break;
    case HttpProblem::kConnect:
      failure.detail = "no connection: " + why;
      break;
    case HttpProblem::kTls:
      failure.kind = FailureKind::kPermanent;
      failure.detail = "no secure connection: " + why;
      break;
    case HttpProblem::kInvalid:
      failure.kind = FailureKind::kPermanent;
      failure.detail = "not an address: " + why;
      break;
    case HttpProblem::kTooLarge:
      failure.kind = FailureKind::kPermanent;
      failure.detail = "the server's headers never end";
      break;
    case HttpProblem::kNone:
    case HttpProblem::kBroken:
    case HttpProblem::kStopped:
      failure.detail = "the connection broke: " + why;
      break;
  }
  return failure;
}

}  // namespace fathom

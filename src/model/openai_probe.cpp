#include "model/openai_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "io/json.h"
#include "io/json_text.h"
#include "model/one_line.h"
#include "model/server_error.h"

namespace fathom {
namespace {

constexpr int64_t kProbeIdleMs = 30'000;
constexpr size_t kMostProbeBytes = 32 << 20;  // OpenRouter's list of models has megabytes

struct Probe {
  HttpClient& client;
  const ServerAddress& address;
  const ProbeOptions& options;

  [[nodiscard]] HttpResponse get(const std::string& url) const {
    return client.fetch({.url = url, .headers = options.headers}, kProbeIdleMs, kMostProbeBytes);
  }
  // The document at `url`, where the server answers 200 with one.
  [[nodiscard]] std::optional<Json> document(const std::string& url) const {
    const HttpResponse response = get(url);
    if (response.end.problem != HttpProblem::kNone || response.end.status != 200)
      return std::nullopt;
    Result<Json> parsed = parse_json(response.body, url);
    if (!parsed || !parsed->is_object()) return std::nullopt;
    return std::move(*parsed);
  }
};

int64_t integer_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Waits while the server answers 503 or 429, as it does while loading.
Result<HttpResponse> get_models(const Probe& probe) {
  const std::string url = probe.address.endpoint("/models");
  const int64_t start = system_clock().monotonic_ms();
  constexpr int64_t kLongestPauseMs = 2000;
  int64_t pause_ms = 100;
  while (true) {
    HttpResponse response = probe.get(url);
    if (response.end.problem == HttpProblem::kCancelled)
      return fail(ErrorCode::kInterrupted, "stopped");
    if (response.end.problem != HttpProblem::kNone)
      return fail(ErrorCode::kSetup, "{}: {}; is the server running at this address?",
                  probe.address.base, classify_broken(response.end).detail);
    const int64_t status = response.end.status;
    if (status != 503 && status != 429) return response;
    if (system_clock().monotonic_ms() - start > probe.options.loading_wait_ms)
      return fail(
          ErrorCode::kSetup, "{}: still not ready after {} s: {}", probe.address.base,
          probe.options.loading_wait_ms / 1000,
          classify_response(status, response.end.headers, response.body, system_clock().unix_ms())
              .detail);
    for (int64_t waited = 0; waited < pause_ms; waited += 50) {
      if (probe.options.cancelled && probe.options.cancelled())
        return fail(ErrorCode::kInterrupted, "stopped");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    pause_ms = std::min(2 * pause_ms, kLongestPauseMs);
  }
}

Error refused_key(const Probe& probe, const HttpResponse& response) {
  const Failure failure = classify_response(response.end.status, response.end.headers,
                                            response.body, system_clock().unix_ms());
  const std::string& variable = probe.options.key_variable;
  return {ErrorCode::kSetup, probe.options.has_key
                                 ? fmt::format("{}: the server refuses the key in {}: {}",
                                               probe.address.base, variable, failure.detail)
                                 : fmt::format("{}: the server wants a key: set {} ({})",
                                               probe.address.base, variable, failure.detail)};
}

ServerKind kind_of(const ServerAddress& address, const HttpHeaders& headers, const Json* model) {
  const std::string host = address.host();
  if (host == "api.openai.com" || host.ends_with(".openai.azure.com")) return ServerKind::kOpenAi;
  const std::string owner = model == nullptr ? "" : text_at(*model, "owned_by");
  if (owner == "llamacpp" || header(headers, "server") == "llama.cpp") return ServerKind::kLlamaCpp;
  if (owner == "vllm") return ServerKind::kVllm;
  if (owner == "sglang") return ServerKind::kSglang;
  return ServerKind::kUnknown;
}

bool is_named(const Json& model, const std::string& name) {
  if (text_at(model, "id") == name) return true;
  const auto aliases = model.find("aliases");
  return aliases != model.end() && aliases->is_array() &&
         std::ranges::any_of(*aliases, [&](const Json& alias) { return alias == name; });
}

// The entry of the list to ask for; nullptr where the list is empty.
Result<const Json*> choose_model(const Probe& probe, const std::vector<const Json*>& models) {
  const std::string& name = probe.options.model;
  for (const Json* model : models)
    if (!name.empty() && is_named(*model, name)) return model;
  if (models.empty()) return nullptr;
  if (models.size() == 1) {
    if (name.empty()) return models.front();
    // llama.cpp's server has one model and answers to any name.
    if (text_at(*models.front(), "owned_by") == "llamacpp") return models.front();
  }
  constexpr size_t kMostListed = 30;
  std::vector<std::string> names;
  for (const Json* model : models) names.push_back(one_line(text_at(*model, "id"), 100));
  std::ranges::sort(names);
  const size_t listed = std::min(names.size(), kMostListed);
  std::string list = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(listed), ", "));
  if (listed < names.size()) list += fmt::format(" and {} more", names.size() - listed);
  if (name.empty())
    return fail(ErrorCode::kUsage, "{}: several models are served; name one as openai/NAME: {}",
                probe.address.base, list);
  return fail(ErrorCode::kSetup, "{}: no model '{}'; the server has {}", probe.address.base, name,
              list);
}

int64_t window_of(const Json& model) {
  // vLLM and SGLang; OpenRouter, Together, Groq; Mistral.
  for (const char* key :
       {"max_model_len", "context_length", "context_window", "max_context_length"})
    if (const int64_t window = integer_at(model, key); window > 0) return window;
  return 0;
}

void learn_llama_cpp(const Probe& probe, ServerFacts& facts) {
  const std::optional<Json> props = probe.document(probe.address.root_endpoint("/props"));
  if (!props) {
    facts.notes.emplace_back(
        "/props is not served: the window of a slot and the chat template are unknown");
    return;
  }
  const auto settings = props->find("default_generation_settings");
  if (settings != props->end() && settings->is_object())
    facts.window_tokens = integer_at(*settings, "n_ctx");
  facts.slots = integer_at(*props, "total_slots");
  facts.chat_template = text_at(*props, "chat_template");
  facts.bos_text = text_at(*props, "bos_token");
  facts.eos_text = text_at(*props, "eos_token");
  facts.version = text_at(*props, "build_info");
  const Result<std::optional<int64_t>> empty = count_server_tokens(
      probe.client, probe.address, probe.options.headers, facts.kind, facts.model, "", true);
  if (empty && *empty)
    facts.adds_bos = **empty > 0;
  else
    facts.notes.emplace_back(
        "/tokenize is not served: whether the server puts a BOS token in front is unknown");
}

}  // namespace

Result<ServerFacts> probe_server(HttpClient& client, const ServerAddress& address,
                                 const ProbeOptions& options) {
  const Probe probe{client, address, options};
  TRY(const HttpResponse response, get_models(probe));
  const int64_t status = response.end.status;
  if (status == 401 || status == 403) return fail(refused_key(probe, response));
  if (read_complaint(response.body).web_page)
    return fail(ErrorCode::kSetup,
                "{}: answers with a web page (HTTP {}); give the address of the API, which mostly "
                "ends in /v1",
                address.base, status);
  ServerFacts facts;
  facts.model = options.model;
  std::vector<const Json*> models;
  const Result<Json> list = parse_json(response.body, address.endpoint("/models"));
  if (status == 200 && list && list->is_object() && list->contains("data") &&
      list->at("data").is_array()) {
    for (const Json& model : list->at("data"))
      if (model.is_object()) models.push_back(&model);
  } else if (status == 200 || (status >= 300 && status < 400) || status >= 500) {
    return fail(
        ErrorCode::kSetup, "{}: does not answer like an OpenAI-compatible server: {}", address.base,
        classify_response(status, response.end.headers, response.body, system_clock().unix_ms())
            .detail);
  } else {
    facts.notes.push_back(
        fmt::format("no list of models (HTTP {}): name and window are not checked", status));
  }
  TRY(const Json* model, choose_model(probe, models));
  facts.kind = kind_of(address, response.end.headers, model);
  if (model != nullptr) {
    facts.window_tokens = window_of(*model);
    if (options.model.empty() || facts.kind == ServerKind::kLlamaCpp)
      facts.model = text_at(*model, "id");
    if (text_at(*model, "owned_by") == "library")
      facts.notes.emplace_back(
          "this looks like Ollama: its /v1 cannot set the window and may cut long prompts "
          "silently; set OLLAMA_CONTEXT_LENGTH");
  }
  if (facts.model.empty())
    return fail(ErrorCode::kUsage, "{}: the server lists no models; name one as openai/NAME",
                address.base);
  if (facts.kind == ServerKind::kLlamaCpp) learn_llama_cpp(probe, facts);
  if (facts.kind == ServerKind::kVllm)
    if (const std::optional<Json> version = probe.document(address.root_endpoint("/version")))
      facts.version = "vllm " + text_at(*version, "version");
  if (facts.window_tokens == 0) facts.notes.emplace_back("the server does not tell its window");
  return facts;
}

Result<std::optional<int64_t>> count_server_tokens(HttpClient& client, const ServerAddress& address,
                                                   const std::vector<std::string>& headers,
                                                   ServerKind kind, const std::string& model,
                                                   const std::string& text, bool add_special) {
  if (kind == ServerKind::kUnknown || kind == ServerKind::kOpenAi) return std::optional<int64_t>();
  auto body = std::make_shared<std::string>();
  if (kind == ServerKind::kLlamaCpp) {
    *body = "{\"content\":";
    append_json_text(*body, text);
    *body += fmt::format(",\"add_special\":{},\"parse_special\":true}}", add_special);
  } else {
    *body = "{\"model\":";
    append_json_text(*body, model);
    *body += ",\"prompt\":";
    append_json_text(*body, text);
    *body += fmt::format(",\"add_special_tokens\":{}}}", add_special);
  }
  const std::string url = address.root_endpoint("/tokenize");
  constexpr int64_t kIdleMs = 120'000;
  constexpr size_t kMostBytes = size_t{1} << 30;  // ids of millions of tokens
  const HttpResponse response =
      client.fetch({.url = url, .headers = headers, .body = body}, kIdleMs, kMostBytes);
  if (response.end.problem != HttpProblem::kNone)
    return fail(ErrorCode::kIo, "{}: {}", url, classify_broken(response.end).detail);
  if (response.end.status == 404 || response.end.status == 405) return std::optional<int64_t>();
  if (response.end.status != 200)
    return fail(ErrorCode::kIo, "{}: {}", url,
                classify_response(response.end.status, response.end.headers, response.body,
                                  system_clock().unix_ms())
                    .detail);
  TRY(const Json answer, parse_json(response.body, url));
  if (answer.is_object() && answer.contains("count") && answer["count"].is_number_integer())
    return std::optional(answer["count"].get<int64_t>());
  if (answer.is_object() && answer.contains("tokens") && answer["tokens"].is_array())
    return std::optional(static_cast<int64_t>(answer["tokens"].size()));
  return fail(ErrorCode::kIo, "{}: the answer holds neither 'count' nor 'tokens'", url);
}

}  // namespace fathom

#include "model/openai_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <utility>

#include "model/answer_reader.h"
#include "model/http_client.h"
#include "model/openai_probe.h"
#include "model/openai_request.h"
#include "model/server_address.h"

namespace fathom {
namespace {

using Done = std::function<void(Answer)>;

constexpr std::string_view kPublicAddress = "https://api.openai.com/v1";
constexpr std::string_view kKeyVariable = "OPENAI_API_KEY";
constexpr std::string_view kAddressVariable = "OPENAI_BASE_URL";

int64_t prompt_tokens_estimate(const Request& request, size_t body_bytes) {
  constexpr int64_t kBytesPerToken = 4;
  if (request.expected_prompt_tokens > 0) return request.expected_prompt_tokens;
  return static_cast<int64_t>(body_bytes) / kBytesPerToken;
}

struct Settings {
  ServerAddress address;
  std::string name;
  std::string api;  // "chat", "completions" or empty: by the kind of server
  std::optional<PrefixPolicy> prefix_policy;
  std::string key_variable;
  std::string key;
  int64_t idle_timeout_ms = 0;
};

class OpenAiModel : public Model {
 public:
  explicit OpenAiModel(Settings settings) : settings_(std::move(settings)) {
    headers_ = {"Content-Type: application/json", "Accept: text/event-stream, application/json",
                "User-Agent: fathom"};
    if (!settings_.key.empty()) headers_.push_back("Authorization: Bearer " + settings_.key);
  }

  Result<ModelProfile> probe() override;
  void start(Request request, Done done) override;
  void cancel_all() override {
    ++cancels_;
    client_.cancel_all();
  }
  Result<std::optional<int64_t>> count_tokens(const std::string& text, bool add_special) override {
    return count_server_tokens(client_, settings_.address, headers_, shape_.server, shape_.model,
                               text, add_special);
  }
  int64_t processed_prompt_tokens() const override { return processed_; }

 private:
  [[nodiscard]] Result<PrefixPolicy> choose_policy(ServerKind server, bool chat) const;

  Settings settings_;
  std::vector<std::string> headers_;
  RequestShape shape_;  // set by probe(), before any request
  std::atomic<int64_t> processed_{0};
  std::atomic<int64_t> cancels_{0};
  HttpClient client_;  // last: its thread uses processed_
};

Result<PrefixPolicy> OpenAiModel::choose_policy(ServerKind server, bool chat) const {
  const std::optional<PrefixPolicy>& asked = settings_.prefix_policy;
  if (!chat) {
    if (!asked || *asked == PrefixPolicy::kInPrompt || *asked == PrefixPolicy::kDropped)
      return asked.value_or(PrefixPolicy::kInPrompt);
    return fail(ErrorCode::kUsage,
                "prefix policy '{}' is for chats; completions take in-prompt and dropped",
                to_text(*asked));
  }
  const bool continues = server == ServerKind::kVllm || server == ServerKind::kSglang ||
                         server == ServerKind::kLlamaCpp;
  if (!asked) return continues ? PrefixPolicy::kContinue : PrefixPolicy::kDropped;
  if (*asked == PrefixPolicy::kInPrompt)
    return fail(ErrorCode::kUsage,
                "prefix policy 'in-prompt' is for completions; chats take continue, in-message and "
                "dropped");
  if (*asked == PrefixPolicy::kContinue && !continues)
    return fail(ErrorCode::kSetup,
                "{}: not known to continue an assistant's message; choose prefix policy in-message "
                "or dropped",
                settings_.address.base);
  return *asked;
}

Result<ModelProfile> OpenAiModel::probe() {
  const int64_t cancels = cancels_;
  ProbeOptions options{.model = settings_.name,
                       .headers = headers_,
                       .key_variable = settings_.key_variable,
                       .has_key = !settings_.key.empty()};
  options.cancelled = [this, cancels] { return cancels_ != cancels; };
  Result<ServerFacts> probed = probe_server(client_, settings_.address, options);
  if (!probed) {
    Error error = std::move(probed).error();
    error.message = without_key(std::move(error.message), settings_.key);
    return fail(std::move(error));
  }
  const ServerFacts& facts = *probed;
  const std::string& api = !settings_.api.empty() ? settings_.api : settings_.address.api;
  shape_.server = facts.kind;
  shape_.chat = api.empty() ? facts.kind != ServerKind::kLlamaCpp : api == "chat";
  shape_.model = facts.model;
  shape_.sends_sampling = !takes_no_sampling(facts.kind, facts.model);
  if (facts.adds_bos) shape_.server_bos = facts.bos_text;
  TRY(shape_.prefix_policy, choose_policy(facts.kind, shape_.chat));

  ModelProfile profile;
  profile.provider = "openai";
  profile.name = facts.model;
  profile.version = facts.version;
  profile.window_tokens = facts.window_tokens;
  profile.slots = facts.slots;
  profile.raw_prompts = !shape_.chat;
  profile.prefix_policy = shape_.prefix_policy;
  profile.chat_template = facts.chat_template;
  profile.bos_text = facts.bos_text;
  profile.eos_text = facts.eos_text;
  profile.notes = facts.notes;
  profile.notes.insert(
      profile.notes.begin(),
      fmt::format("{} at {}, {}, answer prefix: {}", to_text(facts.kind), settings_.address.base,
                  shape_.chat ? "chat" : "completions", to_text(shape_.prefix_policy)));
  if (!shape_.sends_sampling)
    profile.notes.push_back(facts.model +
                            " takes no temperature, seed or stop texts: its own sampling is used");
  return profile;
}

void OpenAiModel::start(Request request, Done done) {
  if (shape_.model.empty() ||
      (request.prompt == nullptr && (!shape_.chat || request.messages.empty()))) {
    done(Failure{.kind = FailureKind::kPermanent,
                 .detail = "the request has no prompt, or the model has not been probed"});
    return;
  }
  const auto body = std::make_shared<const std::string>(request_body(shape_, request));
  AnswerReaderSettings settings{.prompt_tokens = prompt_tokens_estimate(request, body->size()),
                                .idle_timeout_ms = settings_.idle_timeout_ms,
                                .key = settings_.key,
                                .processed = &processed_};
  client_.start(
      {.url = settings_.address.endpoint(shape_.chat ? "/chat/completions" : "/completions"),
       .headers = headers_,
       .body = body,
       .deadline_ms = request.deadline_ms},
      make_answer_reader(std::move(settings), std::move(done)));
}

std::string environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

}  // namespace

Result<std::unique_ptr<Model>> open_openai_model(const ModelOptions& options,
                                                 const std::string& name) {
  Settings settings;
  std::string address = options.base_url;
  if (address.empty()) address = environment(std::string(kAddressVariable));
  if (address.empty()) address = kPublicAddress;
  TRY(settings.address, parse_server_address(address));
  if (!options.api.empty() && options.api != "chat" && options.api != "completions")
    return fail(ErrorCode::kUsage, "api '{}' is neither chat nor completions", options.api);
  settings.name = name;
  settings.api = options.api;
  settings.prefix_policy = options.prefix_policy;
  settings.idle_timeout_ms = options.idle_timeout_ms;
  settings.key_variable =
      options.api_key_variable.empty() ? std::string(kKeyVariable) : options.api_key_variable;
  settings.key = environment(settings.key_variable);
  if (std::ranges::any_of(
          settings.key, [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; }))
    return fail(ErrorCode::kSetup,
                "the key in {} holds a space or a line end; set it again without",
                settings.key_variable);
  if (settings.key.empty() && settings.address.host() == "api.openai.com")
    return fail(ErrorCode::kSetup, "no key: set {}", settings.key_variable);
  return std::make_unique<OpenAiModel>(std::move(settings));
}

}  // namespace fathom

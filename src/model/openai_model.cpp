#include "model/openai_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "model/http_client.h"
#include "model/one_line.h"
#include "model/openai_probe.h"
#include "model/openai_request.h"
#include "model/openai_stream.h"
#include "model/server_address.h"
#include "model/server_error.h"
#include "model/sse.h"

namespace fathom {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Done = std::function<void(Answer)>;

constexpr std::string_view kPublicAddress = "https://api.openai.com/v1";
constexpr std::string_view kKeyVariable = "OPENAI_API_KEY";
constexpr std::string_view kAddressVariable = "OPENAI_BASE_URL";

constexpr size_t kMostEventBytes = 16 << 20;
constexpr size_t kMostDocumentBytes = 64 << 20;
constexpr size_t kMostErrorBytes = 64 << 10;

// Silence before the first token: two minutes, and 10 ms for each prompt token (a slow machine that
// prefills 100 tokens a second). Between tokens: two minutes. After the last: half a second for the
// end of the message.
constexpr int64_t kIdleMs = 120'000;
constexpr int64_t kIdleMsPerToken = 10;
constexpr int64_t kIdleAfterDoneMs = 500;

double ms_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

int64_t prompt_tokens_estimate(const Request& request, size_t body_bytes) {
  constexpr int64_t kBytesPerToken = 4;
  if (request.expected_prompt_tokens > 0) return request.expected_prompt_tokens;
  return static_cast<int64_t>(body_bytes) / kBytesPerToken;
}

// A server that quotes the key in its complaint must not bring it into our files.
std::string without_key(std::string text, const std::string& key) {
  constexpr size_t kShortest = 4;  // shorter "keys" are placeholders that occur in words
  if (key.size() < kShortest) return text;
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), "***");
  return text;
}

// Reads one answer; lives on the I/O thread.
class AnswerReader : public HttpReader {
 public:
  struct Settings {
    int64_t prompt_tokens = 0;    // for progress and the idle limit
    int64_t idle_timeout_ms = 0;  // 0: from the prompt's length
    std::string key;
    std::atomic<int64_t>* processed = nullptr;
  };

  AnswerReader(Settings settings, Done done)
      : settings_(std::move(settings)), done_(std::move(done)) {}

  void on_response(int64_t status, const HttpHeaders& headers) override {
    status_ = status;
    if (const auto id = header(headers, "x-request-id")) request_id_ = *id;
  }

  bool on_data(std::string_view bytes) override {
    if (status_ != 200) {
      body_.append(bytes.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, body_.size())));
      return true;
    }
    if (form_ == Form::kUnknown) {
      const size_t begin = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
      if (begin == std::string_view::npos) return true;
      form_ = bytes[begin] == '{' || bytes[begin] == '[' || bytes[begin] == '<' ? Form::kDocument
                                                                                : Form::kEvents;
    }
    if (form_ == Form::kDocument) {
      body_ += bytes;
      return body_.size() <= kMostDocumentBytes;
    }
    if (body_.size() < kMostQuoted) body_.append(bytes.substr(0, kMostQuoted - body_.size()));
    const bool fits = events_.feed(bytes, [this](std::string_view data) { take_event(data); });
    if (!fits)
      failure_ = Failure{.kind = FailureKind::kTransient,
                         .http_status = 200,
                         .detail = "an event of the stream never ends"};
    return !failure_;
  }

  void on_end(HttpEnd end) override {
    Answer answer = finish(end);
    report_processed(settings_.prompt_tokens);
    if (Failure* failure = std::get_if<Failure>(&answer))
      failure->detail = without_key(failure->detail, settings_.key);
    done_(std::move(answer));
  }

  int64_t idle_timeout_ms() const override {
    if (answer_.done()) return kIdleAfterDoneMs;
    if (settings_.idle_timeout_ms > 0) return settings_.idle_timeout_ms;
    return answer_.has_output() ? kIdleMs : kIdleMs + kIdleMsPerToken * settings_.prompt_tokens;
  }

 private:
  enum class Form { kUnknown, kEvents, kDocument };
  static constexpr size_t kMostQuoted = 200;  // of a stream without events, for the message

  void take_event(std::string_view data) {
    if (failure_) return;
    ++event_count_;
    failure_ = answer_.add_event(data);
    if (first_token_ms_ == 0 && answer_.has_output()) {
      first_token_ms_ = ms_since(sent_);
      report_processed(settings_.prompt_tokens);
    } else if (first_token_ms_ == 0) {
      report_processed(answer_.processed_tokens());
    }
  }

  void report_processed(int64_t tokens) {
    if (settings_.processed == nullptr || tokens <= reported_) return;
    *settings_.processed += tokens - reported_;
    reported_ = tokens;
  }

  [[nodiscard]] Answer finish(const HttpEnd& end) {
    if (failure_) return *failure_;
    const bool late = end.problem == HttpProblem::kIdle &&
                      answer_.done();  // all is there but the end of the message
    if (end.problem != HttpProblem::kNone && !late) return classify_broken(end);
    if (end.status != 200)
      return classify_response(end.status, end.headers, body_, system_clock().unix_ms());
    if (form_ == Form::kDocument) {
      if (read_complaint(body_).web_page)
        return Failure{.kind = FailureKind::kPermanent,
                       .http_status = 200,
                       .detail = "the server answers with " + read_complaint(body_).message +
                                 "; is this the API's address?"};
      if (std::optional<Failure> failure = answer_.add_document(body_)) return *failure;
    } else if (event_count_ == 0 && !body_.empty()) {
      return Failure{.kind = FailureKind::kTransient,
                     .http_status = 200,
                     .detail = "the answer is no event stream: " + one_line(body_, 120)};
    }
    if (std::optional<Failure> failure = answer_.incomplete()) return *failure;
    Reply reply = answer_.reply();
    reply.total_ms = ms_since(sent_);
    reply.first_token_ms = first_token_ms_ > 0 ? first_token_ms_ : reply.total_ms;
    reply.request_id = request_id_;
    return reply;
  }

  Settings settings_;
  Done done_;
  SteadyClock::time_point sent_ = SteadyClock::now();
  SseParser events_{kMostEventBytes};
  OpenAiAnswer answer_;
  Form form_ = Form::kUnknown;
  std::string body_;  // a document, an error, or the start of a stream
  std::string request_id_;
  std::optional<Failure> failure_;
  int64_t status_ = 0;
  int64_t event_count_ = 0;
  int64_t reported_ = 0;
  double first_token_ms_ = 0;
};

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
  AnswerReader::Settings settings{.prompt_tokens = prompt_tokens_estimate(request, body->size()),
                                  .idle_timeout_ms = settings_.idle_timeout_ms,
                                  .key = settings_.key,
                                  .processed = &processed_};
  client_.start(
      {.url = settings_.address.endpoint(shape_.chat ? "/chat/completions" : "/completions"),
       .headers = headers_,
       .body = body,
       .deadline_ms = request.deadline_ms},
      std::make_shared<AnswerReader>(std::move(settings), std::move(done)));
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

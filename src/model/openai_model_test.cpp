// The OpenAI-compatible client against a server that misbehaves (R1, R3, R4, R11): every fault
// becomes its one failure, none hangs.
#include "model/openai_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <thread>

#include "io/json.h"
#include "servers/chat_replies.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int64_t kShortIdleMs = 1000;
constexpr int64_t kPatientIdleMs = 60'000;  // a busy machine must not look like a silent server

ModelOptions options_for(const FaultServer& server, const std::string& api = "") {
  ModelOptions options;
  options.base_url = server.url();
  options.api = api;
  options.idle_timeout_ms = kPatientIdleMs;
  options.api_key_variable = "FATHOM_TEST_KEY";
  return options;
}

std::unique_ptr<Model> open(const ModelOptions& options, const std::string& name = "m") {
  Result<std::unique_ptr<Model>> model = open_openai_model(options, name);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return model ? std::move(*model) : nullptr;
}

std::unique_ptr<Model> probed(const ModelOptions& options, const std::string& name = "m") {
  std::unique_ptr<Model> model = open(options, name);
  const Result<ModelProfile> profile = model->probe();
  EXPECT_TRUE(profile.has_value()) << profile.error().message;
  return model;
}

Request simple_request() {
  Request request;
  request.id = "s:1";
  request.prompt = std::make_shared<const std::string>("What is 30 + 10?");
  request.messages = {{"user", "What is 30 + 10?"}};
  request.answer_prefix = " It is";
  request.raw = false;
  request.expected_prompt_tokens = 10;
  request.max_output_tokens = 8;
  return request;
}

Answer ask(Model& model, Request request = simple_request()) {
  std::promise<Answer> promise;
  model.start(std::move(request), [&](Answer answer) { promise.set_value(std::move(answer)); });
  std::future<Answer> future = promise.get_future();
  if (future.wait_for(std::chrono::seconds(90)) != std::future_status::ready) {
    ADD_FAILURE() << "no answer within 90 s";
    std::abort();  // the callback would outlive its promise
  }
  return future.get();
}

TEST(OpenAiModel, AnswersFromAStream) {
  const FaultServer server(openai_server("m", [](const ServerRequest&) {
    return chat_stream(
        {" fo", "rty"},
        {.prompt_tokens = 12, .completion_tokens = 3, .cached_tokens = 4, .reasoning_tokens = 1});
  }));
  const std::unique_ptr<Model> model = probed(options_for(server));
  const Answer answer = ask(*model);
  ASSERT_TRUE(std::holds_alternative<Reply>(answer)) << std::get<Failure>(answer).detail;
  const Reply& reply = std::get<Reply>(answer);
  EXPECT_EQ(reply.text, " forty");
  EXPECT_EQ(reply.usage, (Usage{.input = 12, .cached = 4, .output = 3, .thinking = 1}));
  EXPECT_EQ(reply.stop, StopReason::kEnd);
  EXPECT_EQ(reply.model, "test-model-v2");
  EXPECT_EQ(reply.request_id, "req-7");
  EXPECT_GT(reply.first_token_ms, 0);
  EXPECT_GE(reply.total_ms, reply.first_token_ms);
  EXPECT_EQ(model->processed_prompt_tokens(), 10);

  const ServerRequest sent = server.requests().back();
  EXPECT_EQ(sent.path, "/v1/chat/completions");
  EXPECT_EQ(sent.headers.count("expect"), 0U);
  EXPECT_EQ(sent.headers.at("content-type"), "application/json");
  EXPECT_TRUE(parse_json(sent.body, "body").has_value());
}

TEST(OpenAiModel, KeepsTheConnection) {
  const FaultServer server(
      openai_server("m", [](const ServerRequest&) { return chat_stream({"x"}); }));
  const std::unique_ptr<Model> model = probed(options_for(server));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(std::holds_alternative<Reply>(ask(*model)));
  EXPECT_EQ(server.connections(), 1);
}

TEST(OpenAiModel, TakesCompletionsAndWholeDocuments) {
  const FaultServer server(openai_server("m", [](const ServerRequest& request) {
    if (request.path == "/v1/completions") return completion_stream({" forty"}, {}, "length");
    return json_reply(
        R"({"choices":[{"message":{"content":"forty"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1}})");
  }));
  const std::unique_ptr<Model> completions = probed(options_for(server, "completions"));
  const Reply first = std::get<Reply>(ask(*completions));
  EXPECT_EQ(first.text, " forty");
  EXPECT_EQ(first.stop, StopReason::kLength);
  EXPECT_EQ(parse_json(server.requests().back().body, "body")->at("prompt"),
            "What is 30 + 10? It is");

  const std::unique_ptr<Model> chat = probed(options_for(server, "chat"));
  const Reply second = std::get<Reply>(ask(*chat));
  EXPECT_EQ(second.text, "forty");
  EXPECT_EQ(second.usage.input, 9);
}

struct Expected {
  FailureKind kind;
  std::string detail;
};

TEST(OpenAiModel, TurnsEveryFaultIntoItsFailure) {
  const std::map<std::string, Expected> failures = {
      {"rate limited", {FailureKind::kRateLimited, "Rate limit reached"}},
      {"server error", {FailureKind::kTransient, "HTTP 500"}},
      {"overloaded", {FailureKind::kTransient, "HTTP 529"}},
      {"over window", {FailureKind::kOverWindow, "maximum context length"}},
      {"web page", {FailureKind::kPermanent, "web page titled \"Welcome\""}},
      {"gateway page", {FailureKind::kTransient, "HTTP 502"}},
      {"error inside the stream", {FailureKind::kTransient, "engine died"}},
      {"garbage events", {FailureKind::kTransient, "no answer"}},
      {"garbage bytes", {FailureKind::kTransient, "no event stream"}},
      {"no finish", {FailureKind::kTransient, "in the middle"}},
      {"hangs up in the stream", {FailureKind::kTransient, "connection broke"}},
      {"resets in the stream", {FailureKind::kTransient, "connection broke"}},
      {"hangs up at once", {FailureKind::kTransient, "connection broke"}},
      {"never answers", {FailureKind::kTimedOut, "silent"}},
      {"stalls in the stream", {FailureKind::kTimedOut, "silent"}},
      {"huge header", {FailureKind::kPermanent, "headers never end"}},
      {"redirect", {FailureKind::kPermanent, "redirects to http://elsewhere.invalid"}},
      {"not HTTP", {FailureKind::kTransient, "connection broke"}},
      {"line without end", {FailureKind::kTransient, "never ends"}},
      {"empty answer", {FailureKind::kTransient, "no answer"}},
  };
  const std::map<std::string, std::string> answers = {
      {"slow drip", "forty"}, {"prompt cut silently", "forty"}, {"wrong content type", "forty"}};
  for (const auto& [name, fault] : named_faults()) {
    SCOPED_TRACE(name);
    const FaultServer server(
        openai_server("m", [&fault = fault](const ServerRequest&) { return fault; }));
    ModelOptions options = options_for(server);
    options.idle_timeout_ms = kShortIdleMs;
    const std::unique_ptr<Model> model = probed(options);
    const Answer answer = ask(*model);
    if (const auto found = failures.find(name); found != failures.end()) {
      ASSERT_TRUE(std::holds_alternative<Failure>(answer));
      const Failure& failure = std::get<Failure>(answer);
      EXPECT_STREQ(to_text(failure.kind), to_text(found->second.kind)) << failure.detail;
      EXPECT_THAT(failure.detail, HasSubstr(found->second.detail));
      EXPECT_EQ(failure.detail.find_first_of("\n\r\x1b"), std::string::npos);
    } else {
      ASSERT_EQ(answers.count(name), 1U) << "a fault without an expectation";
      ASSERT_TRUE(std::holds_alternative<Reply>(answer)) << std::get<Failure>(answer).detail;
      EXPECT_EQ(std::get<Reply>(answer).text, answers.at(name));
    }
    // Whatever happened, the next request finds a working client.
    EXPECT_EQ(model->probe().has_value(), true);
  }
}

TEST(OpenAiModel, GivesTheServersWishAndTheSilentCutOn) {
  const FaultServer limited(
      openai_server("m", [](const ServerRequest&) { return named_faults().at("rate limited"); }));
  const Failure failure = std::get<Failure>(ask(*probed(options_for(limited))));
  EXPECT_EQ(failure.retry_after_ms, 2000);
  EXPECT_EQ(failure.http_status, 429);
  const FaultServer cutting(openai_server(
      "m", [](const ServerRequest&) { return named_faults().at("prompt cut silently"); }));
  EXPECT_EQ(std::get<Reply>(ask(*probed(options_for(cutting)))).usage.input, 5)
      << "run/ compares it with what was sent";
}

TEST(OpenAiModel, EndsAtTheDeadline) {
  const FaultServer server(openai_server("m", [](const ServerRequest&) {
    ServerReply drip = chat_stream(std::vector<std::string>(400, "x"));
    drip.part_delay_ms = 50;  // never silent for long, and 20 s in all
    return drip;
  }));
  Request request = simple_request();
  request.deadline_ms = 400;
  const Failure failure = std::get<Failure>(ask(*probed(options_for(server)), request));
  EXPECT_EQ(failure.kind, FailureKind::kTimedOut);
  EXPECT_THAT(failure.detail, HasSubstr("deadline"));
}

TEST(OpenAiModel, IdleLimitGrowsWithThePrompt) {
  // Without an option of its own a long prompt is waited for: the server is silent for longer than
  // the short limit.
  const FaultServer server(openai_server("m", [](const ServerRequest&) {
    ServerReply late = chat_stream({"forty"});
    late.first_delay_ms = 2 * static_cast<int>(kShortIdleMs);
    return late;
  }));
  ModelOptions options = options_for(server);
  options.idle_timeout_ms = kShortIdleMs;
  EXPECT_EQ(std::get<Failure>(ask(*probed(options))).kind, FailureKind::kTimedOut);
  options.idle_timeout_ms = 0;
  EXPECT_TRUE(std::holds_alternative<Reply>(ask(*probed(options))));
}

TEST(OpenAiModel, CancelsEverythingInFlight) {
  const FaultServer server(
      openai_server("m", [](const ServerRequest&) { return named_faults().at("never answers"); }));
  ModelOptions options = options_for(server);
  std::atomic<int> cancelled{0};
  std::atomic<int> ended{0};
  const auto count = [&](const Answer& answer) {
    const Failure* failure = std::get_if<Failure>(&answer);
    cancelled += failure != nullptr && failure->kind == FailureKind::kCancelled;
    ++ended;
  };
  {
    const std::unique_ptr<Model> model = probed(options);
    for (int i = 0; i < 20; ++i) model->start(simple_request(), count);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    model->cancel_all();
    for (int waited = 0; ended < 20 && waited < 5000; waited += 10)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(cancelled, 20);
    model->start(simple_request(), count);
  }
  EXPECT_EQ(cancelled, 21) << "the end of the model ends its requests";
}

TEST(OpenAiModel, ServesManyAtOnce) {
  const FaultServer server(openai_server("m", [](const ServerRequest& request) {
    return chat_stream(
        {parse_json(request.body, "body")->at("messages")[0]["content"].get<std::string>()});
  }));
  constexpr int kRequests = 200;
  std::vector<std::promise<Answer>> promises(
      kRequests);  // outlive the model, which ends its requests
  const std::unique_ptr<Model> model = probed(options_for(server));
  const std::string filler(20'000, 'f');
  for (int i = 0; i < kRequests; ++i) {
    Request request = simple_request();
    request.messages = {{"user", filler + std::to_string(i)}};
    model->start(std::move(request),
                 [&promise = promises[i]](Answer answer) { promise.set_value(std::move(answer)); });
  }
  for (int i = 0; i < kRequests; ++i) {
    const Answer answer = promises[i].get_future().get();
    ASSERT_TRUE(std::holds_alternative<Reply>(answer)) << std::get<Failure>(answer).detail;
    EXPECT_EQ(std::get<Reply>(answer).text, filler + std::to_string(i));
  }
}

TEST(OpenAiModel, NeverShowsTheKey) {
  setenv("FATHOM_TEST_KEY", "sk-very-secret-1", 1);
  const FaultServer quoting([](const ServerRequest& request) {
    if (request.method == "GET") return models_reply("m");
    return status_reply(401, "Incorrect API key provided: " + request.headers.at("authorization"));
  });
  const Failure failure = std::get<Failure>(ask(*probed(options_for(quoting))));
  EXPECT_THAT(failure.detail, Not(HasSubstr("secret")));
  EXPECT_THAT(failure.detail, HasSubstr("***"));
  EXPECT_EQ(quoting.requests().back().headers.at("authorization"), "Bearer sk-very-secret-1");

  const FaultServer refusing([](const ServerRequest& request) {
    return status_reply(401, "bad key " + request.headers.at("authorization"));
  });
  const std::unique_ptr<Model> model = open(options_for(refusing));
  const Result<ModelProfile> profile = model->probe();
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().code, ErrorCode::kSetup);
  EXPECT_THAT(profile.error().message, HasSubstr("FATHOM_TEST_KEY"));
  EXPECT_THAT(profile.error().message, Not(HasSubstr("secret")));

  setenv("FATHOM_TEST_KEY", "two words\r\nX-Evil: 1", 1);
  EXPECT_EQ(open_openai_model(options_for(refusing), "m").error().code, ErrorCode::kSetup);
  unsetenv("FATHOM_TEST_KEY");
}

TEST(OpenAiProbe, LearnsWhatTheServerTells) {
  const FaultServer vllm([](const ServerRequest& request) {
    if (request.path == "/v1/models") return models_reply("meta/llama", 16384, "vllm");
    if (request.path == "/version") return json_reply(R"({"version":"0.12.0"})");
    if (request.path == "/tokenize")
      return json_reply(R"({"count":7,"max_model_len":16384,"tokens":[1,2,3,4,5,6,7]})");
    return status_reply(404, "no");
  });
  const std::unique_ptr<Model> model = open(options_for(vllm), "");
  const Result<ModelProfile> profile = model->probe();
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->name, "meta/llama") << "the only one";
  EXPECT_EQ(profile->version, "vllm 0.12.0");
  EXPECT_EQ(profile->window_tokens, 16384);
  EXPECT_EQ(profile->prefix_policy, PrefixPolicy::kContinue);
  EXPECT_FALSE(profile->raw_prompts);
  EXPECT_THAT(profile->notes.front(), HasSubstr(vllm.url() + "/v1"));
  const Result<std::optional<int64_t>> count = model->count_tokens("some text", true);
  ASSERT_TRUE(count.has_value()) << count.error().message;
  EXPECT_EQ(*count, 7);
  EXPECT_EQ(parse_json(vllm.requests().back().body, "body")->at("add_special_tokens"), true);
}

TEST(OpenAiProbe, PrefersRawPromptsAtLlamaCpp) {
  const FaultServer llama([](const ServerRequest& request) {
    if (request.path == "/v1/models") return models_reply("file.gguf", 0, "llamacpp");
    if (request.path == "/props")
      return json_reply(
          R"({"default_generation_settings":{"n_ctx":2048},"total_slots":3,"chat_template":"{{ x }}","bos_token":"<s>","eos_token":"</s>","build_info":"b1"})");
    if (request.path == "/tokenize") return json_reply(R"({"tokens":[1]})");
    if (request.path == "/v1/completions") return completion_stream({"x"});
    return status_reply(404, "no");
  });
  const std::unique_ptr<Model> model = open(options_for(llama), "any name");
  const Result<ModelProfile> profile = model->probe();
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_TRUE(profile->raw_prompts);
  EXPECT_EQ(profile->prefix_policy, PrefixPolicy::kInPrompt);
  EXPECT_EQ(profile->window_tokens, 2048) << "of one slot";
  EXPECT_EQ(profile->slots, 3);
  EXPECT_EQ(profile->chat_template, "{{ x }}");
  EXPECT_EQ(profile->bos_text, "<s>");
  Request request = simple_request();
  request.prompt = std::make_shared<const std::string>("<s>Hi");
  request.add_special = false;
  EXPECT_TRUE(std::holds_alternative<Reply>(ask(*model, request)));
  EXPECT_EQ(parse_json(llama.requests().back().body, "body")->at("prompt"), "Hi It is")
      << "one BOS, the server's own";
}

TEST(OpenAiProbe, WaitsWhileTheModelLoads) {
  std::atomic<int> left{3};
  const FaultServer server([&](const ServerRequest&) {
    return left-- > 0 ? status_reply(503, "Loading model") : models_reply("m");
  });
  EXPECT_TRUE(open(options_for(server))->probe().has_value());
  EXPECT_EQ(server.requests().size(), 4U);
}

TEST(OpenAiProbe, StopsWaitingWhenCancelled) {
  const FaultServer server([](const ServerRequest&) { return status_reply(503, "Loading model"); });
  const std::unique_ptr<Model> model = open(options_for(server));
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    model->cancel_all();
  });
  const Result<ModelProfile> profile = model->probe();
  canceller.join();
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().code, ErrorCode::kInterrupted);
}

TEST(OpenAiProbe, RefusesWithARemedy) {
  const struct {
    const char* name;
    ServerReply reply;
    const char* model;
    ErrorCode code;
    const char* message;
  } cases[] = {
      {"no key", status_reply(401, "no key"), "m", ErrorCode::kSetup,
       "wants a key: set FATHOM_TEST_KEY"},
      {"web page", html_reply(), "m", ErrorCode::kSetup, "web page"},
      {"missing web page", html_reply(404), "m", ErrorCode::kSetup, "web page"},
      {"unknown model", models_reply("other"), "m", ErrorCode::kSetup,
       "no model 'm'; the server has other"},
      {"several models", json_reply(R"({"data":[{"id":"b"},{"id":"a"}]})"), "", ErrorCode::kUsage,
       "name one as openai/NAME: a, b"},
      {"no models and no name", json_reply(R"({"data":[]})"), "", ErrorCode::kUsage,
       "lists no models"},
      {"something else", json_reply(R"({"hello":"world"})"), "m", ErrorCode::kSetup,
       "does not answer like"},
      {"not JSON", json_reply("hello"), "m", ErrorCode::kSetup, "does not answer like"},
      {"server error", status_reply(500, "boom"), "m", ErrorCode::kSetup, "boom"},
      {"redirect", named_faults().at("redirect"), "m", ErrorCode::kSetup, "redirects to"},
      {"hangs up", named_faults().at("hangs up at once"), "m", ErrorCode::kSetup,
       "is the server running"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const FaultServer server([&](const ServerRequest&) { return c.reply; });
    const Result<ModelProfile> profile = open(options_for(server), c.model)->probe();
    ASSERT_FALSE(profile.has_value());
    EXPECT_EQ(profile.error().code, c.code);
    EXPECT_THAT(profile.error().message, HasSubstr(c.message));
    EXPECT_THAT(profile.error().message, HasSubstr(server.url()));
  }
}

TEST(OpenAiProbe, SaysThatNobodyIsThere) {
  ModelOptions options;
  {
    const FaultServer gone([](const ServerRequest&) { return models_reply("m"); });
    options = options_for(gone);
  }
  const Result<ModelProfile> profile = open(options)->probe();
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().code, ErrorCode::kSetup);
  EXPECT_THAT(profile.error().message, HasSubstr("is the server running"));
}

TEST(OpenAiProbe, WorksWithoutAListOfModels) {
  const FaultServer server([](const ServerRequest&) { return status_reply(404, "no such path"); });
  const Result<ModelProfile> profile = open(options_for(server))->probe();
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->window_tokens, 0);
  EXPECT_THAT(profile->notes, testing::Contains(HasSubstr("no list of models")));
}

TEST(OpenAiOptions, ChecksPoliciesAgainstTheServer) {
  const FaultServer plain(
      openai_server("m", [](const ServerRequest&) { return chat_stream({"x"}); }));
  const auto probe = [&](const std::string& api, std::optional<PrefixPolicy> policy) {
    ModelOptions options = options_for(plain, api);
    options.prefix_policy = policy;
    return open(options)->probe();
  };
  EXPECT_EQ(probe("", std::nullopt)->prefix_policy, PrefixPolicy::kDropped);
  EXPECT_EQ(probe("", PrefixPolicy::kInMessage)->prefix_policy, PrefixPolicy::kInMessage);
  EXPECT_EQ(probe("completions", std::nullopt)->prefix_policy, PrefixPolicy::kInPrompt);
  EXPECT_EQ(probe("completions", PrefixPolicy::kDropped)->prefix_policy, PrefixPolicy::kDropped);
  EXPECT_EQ(probe("", PrefixPolicy::kContinue).error().code, ErrorCode::kSetup);
  EXPECT_EQ(probe("", PrefixPolicy::kInPrompt).error().code, ErrorCode::kUsage);
  EXPECT_EQ(probe("completions", PrefixPolicy::kInMessage).error().code, ErrorCode::kUsage);

  ModelOptions bad = options_for(plain, "responses");
  EXPECT_EQ(open_openai_model(bad, "m").error().code, ErrorCode::kUsage);
  bad = options_for(plain);
  bad.base_url = "nowhere";
  EXPECT_EQ(open_openai_model(bad, "m").error().code, ErrorCode::kUsage);
  bad.base_url = "https://api.openai.com/v1";
  EXPECT_EQ(open_openai_model(bad, "m").error().code, ErrorCode::kSetup) << "no key";
}

}  // namespace
}  // namespace fathom

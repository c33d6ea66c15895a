// What goes to the server (R1, R4, G9): the right fields for each kind, and the prefix where its
// policy says.
#include "model/openai_request.h"

#include <gtest/gtest.h>

#include "io/json.h"

namespace fathom {
namespace {

Request sample_request() {
  Request request;
  request.prompt = std::make_shared<const std::string>("<s>Long \"text\"\n\tend");
  request.messages = {{"system", "Be brief."}, {"user", "Long \"text\""}};
  request.answer_prefix = " The answer is";
  request.max_output_tokens = 17;
  return request;
}

Json body_of(const RequestShape& shape, const Request& request) {
  Result<Json> parsed = parse_json(request_body(shape, request), "body");
  EXPECT_TRUE(parsed.has_value()) << parsed.error().message;
  return parsed ? *parsed : Json::object();
}

TEST(RequestBody, ChatHoldsTheMessages) {
  const Json body = body_of({.model = "m", .server_bos = {}}, sample_request());
  EXPECT_EQ(body["model"], "m");
  EXPECT_EQ(
      body["messages"],
      Json::parse(
          R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Long \"text\""}])"));
  EXPECT_EQ(body["max_tokens"], 17);
  EXPECT_EQ(body["temperature"], 0.0);
  EXPECT_EQ(body["top_p"], 1.0);
  EXPECT_EQ(body["stream"], true);
  EXPECT_EQ(body["stream_options"]["include_usage"], true);
  for (const char* absent :
       {"prompt", "seed", "stop", "top_k", "min_p", "add_generation_prompt",
        "continue_final_message", "max_completion_tokens", "truncate_prompt_tokens"})
    EXPECT_FALSE(body.contains(absent)) << absent;
}

TEST(RequestBody, PutsThePrefixWhereThePolicySays) {
  RequestShape shape{.model = "m", .server_bos = {}};
  const Request request = sample_request();
  shape.prefix_policy = PrefixPolicy::kInMessage;
  EXPECT_EQ(body_of(shape, request)["messages"].back()["content"], "Long \"text\" The answer is");
  EXPECT_EQ(body_of(shape, request)["messages"].front()["content"], "Be brief.");

  shape.prefix_policy = PrefixPolicy::kContinue;
  const Json continued = body_of(shape, request);
  EXPECT_EQ(continued["messages"].size(), 3U);
  EXPECT_EQ(continued["messages"].back(),
            Json::parse(R"({"role":"assistant","content":" The answer is"})"));
  EXPECT_EQ(continued["add_generation_prompt"], false);
  EXPECT_EQ(continued["continue_final_message"], true);

  Request without = request;
  without.answer_prefix.clear();
  const Json plain = body_of(shape, without);
  EXPECT_EQ(plain["messages"].size(), 2U) << "nothing to continue";
  EXPECT_FALSE(plain.contains("continue_final_message"));

  shape.chat = false;
  shape.prefix_policy = PrefixPolicy::kInPrompt;
  EXPECT_EQ(body_of(shape, request)["prompt"], "<s>Long \"text\"\n\tend The answer is");
  shape.prefix_policy = PrefixPolicy::kDropped;
  EXPECT_EQ(body_of(shape, request)["prompt"], "<s>Long \"text\"\n\tend");
}

TEST(RequestBody, PromptAloneBecomesOneUserMessage) {
  Request request = sample_request();
  request.messages.clear();
  const Json body = body_of({.model = "m", .server_bos = {}}, request);
  EXPECT_EQ(body["messages"],
            Json::parse(R"([{"role":"user","content":"<s>Long \"text\"\n\tend"}])"));
}

TEST(RequestBody, NeverDoublesTheBosToken) {
  RequestShape shape{.server = ServerKind::kLlamaCpp,
                     .chat = false,
                     .model = "m",
                     .prefix_policy = PrefixPolicy::kInPrompt,
                     .server_bos = "<s>"};
  Request request = sample_request();
  request.add_special = false;  // the template wrote it, the server will write it again
  EXPECT_EQ(body_of(shape, request)["prompt"], "Long \"text\"\n\tend The answer is");
  request.add_special = true;  // the text happens to begin so
  EXPECT_EQ(body_of(shape, request)["prompt"], "<s>Long \"text\"\n\tend The answer is");

  shape.server = ServerKind::kVllm;
  shape.server_bos.clear();
  EXPECT_EQ(body_of(shape, request)["add_special_tokens"], true);
  request.add_special = false;
  EXPECT_EQ(body_of(shape, request)["add_special_tokens"], false);
  EXPECT_EQ(body_of(shape, request)["prompt"], "<s>Long \"text\"\n\tend The answer is");
}

TEST(RequestBody, SwitchesOffWhatServersSwitchOn) {
  Request request = sample_request();
  const Json llama =
      body_of({.server = ServerKind::kLlamaCpp, .model = "m", .server_bos = {}}, request);
  EXPECT_EQ(llama["top_k"], 0);
  EXPECT_EQ(llama["min_p"], 0);
  EXPECT_EQ(llama["repeat_penalty"], 1);
  EXPECT_EQ(llama["cache_prompt"], true);
  const Json vllm = body_of({.server = ServerKind::kVllm, .model = "m", .server_bos = {}}, request);
  EXPECT_EQ(vllm["top_k"], -1);
  EXPECT_EQ(vllm["repetition_penalty"], 1);
  const Json openai =
      body_of({.server = ServerKind::kOpenAi, .model = "gpt-4.1", .server_bos = {}}, request);
  EXPECT_EQ(openai["max_completion_tokens"], 17);
  EXPECT_FALSE(openai.contains("max_tokens"));
  EXPECT_FALSE(openai.contains("top_k"));
}

TEST(RequestBody, SendsDecodingAsAsked) {
  Request request = sample_request();
  request.decoding = {.temperature = 0.7, .top_p = 0.9, .seed = 42, .stop = {"\n\n", "</s>"}};
  const Json body = body_of({.model = "m", .server_bos = {}}, request);
  EXPECT_EQ(body["temperature"], 0.7);
  EXPECT_EQ(body["top_p"], 0.9);
  EXPECT_EQ(body["seed"], 42);
  EXPECT_EQ(body["stop"], Json::parse(R"(["\n\n","</s>"])"));
  const Json none = body_of({.model = "m", .server_bos = {}, .sends_sampling = false}, request);
  for (const char* absent : {"temperature", "top_p", "seed", "stop"})
    EXPECT_FALSE(none.contains(absent)) << absent;
}

TEST(TakesNoSampling, GoesByTheNameAtOpenAiAlone) {
  EXPECT_TRUE(takes_no_sampling(ServerKind::kOpenAi, "gpt-5.2-mini"));
  EXPECT_TRUE(takes_no_sampling(ServerKind::kOpenAi, "o4-mini"));
  EXPECT_FALSE(takes_no_sampling(ServerKind::kOpenAi, "gpt-4.1"));
  EXPECT_FALSE(takes_no_sampling(ServerKind::kVllm, "o1-open"));
}

}  // namespace
}  // namespace fathom

// Refusals in the servers' own words (R3, R5): which of them mean what. Texts after docs/models.md.
#include "model/server_error.h"

#include <gtest/gtest.h>

#include <string>

namespace fathom {
namespace {

constexpr int64_t kNow = 1796077123000;

std::string error_body(const std::string& message, const std::string& type = "",
                       const std::string& code = "") {
  std::string out = R"({"error":{"message":")" + message + '"';
  if (!type.empty()) out += R"(,"type":")" + type + '"';
  if (!code.empty()) out += R"(,"code":")" + code + '"';
  return out + "}}";
}

struct Case {
  const char* name;
  int64_t status;
  std::string body;
  FailureKind kind;
  HttpHeaders headers = {};
};

TEST(ClassifyResponse, KnowsOverWindowInEveryDialect) {
  const Case cases[] = {
      {"OpenAI", 400,
       error_body("This model's maximum context length is 8192 tokens. However, your messages "
                  "resulted in 9739 tokens.",
                  "invalid_request_error", "context_length_exceeded"),
       FailureKind::kOverWindow},
      {"OpenAI code alone", 400, error_body("no", "", "context_length_exceeded"),
       FailureKind::kOverWindow},
      {"Responses", 400, error_body("Your input exceeds the context window of this model"),
       FailureKind::kOverWindow},
      {"OpenAI configured limit", 400,
       error_body("Input tokens exceed the configured limit of 272000 tokens. Your messages "
                  "resulted in 509178 tokens"),
       FailureKind::kOverWindow},
      {"OpenAI string length", 400,
       error_body(
           "Invalid 'input': string too long. Expected a string with maximum length 10485760"),
       FailureKind::kOverWindow},
      {"Anthropic", 400,
       R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"},"request_id":"r"})",
       FailureKind::kOverWindow},
      {"Anthropic output", 400,
       error_body("input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000"),
       FailureKind::kOverWindow},
      {"Anthropic edge", 413,
       R"({"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}})",
       FailureKind::kOverWindow},
      {"Gemini", 400,
       R"([{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}])",
       FailureKind::kOverWindow},
      {"vLLM", 400,
       R"({"error":{"message":"This model's maximum context length is 16384 tokens. However, you requested 8192 output tokens and your prompt contains at least 8193 input tokens","type":"BadRequestError","param":"input_tokens","code":400}})",
       FailureKind::kOverWindow},
      {"vLLM flat", 400,
       R"({"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400})",
       FailureKind::kOverWindow},
      {"vLLM passed", 400,
       error_body("You passed 9 input tokens and requested 1 output tokens. However, the model's "
                  "context length is only 8"),
       FailureKind::kOverWindow},
      {"vLLM characters", 400,
       error_body("You passed 900 input characters and requested 1 output tokens. However"),
       FailureKind::kOverWindow},
      {"vLLM no room", 400, error_body("max_tokens must be at least 1, got -17."),
       FailureKind::kOverWindow},
      {"SGLang", 400,
       R"({"object":"error","message":"The input (85050 tokens) is longer than the model's context length (32768 tokens).","type":"BadRequestError","code":400})",
       FailureKind::kOverWindow},
      {"SGLang total", 400,
       error_body(
           "Requested token count exceeds the model's maximum context length of 4096 tokens."),
       FailureKind::kOverWindow},
      {"SGLang allowed", 400,
       error_body("Input length (11 tokens) exceeds the maximum allowed length (10 tokens)"),
       FailureKind::kOverWindow},
      {"llama.cpp", 400,
       R"({"error":{"code":400,"type":"exceed_context_size_error","message":"request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it","n_prompt_tokens":13392,"n_ctx":8192}})",
       FailureKind::kOverWindow},
      {"llama.cpp old", 500,
       error_body("input is too large to process. increase the physical batch size"),
       FailureKind::kOverWindow},
      {"llama.cpp shift", 400, error_body("context shift is disabled"), FailureKind::kOverWindow},
      {"Ollama", 400,
       R"({"error":"the prompt is longer than the context length currently available to the model; shorten it"})",
       FailureKind::kOverWindow},
      {"Ollama cloud", 400,
       R"({"error":"prompt too long; exceeded max context length by 12 tokens"})",
       FailureKind::kOverWindow},
      {"TGI", 422,
       R"({"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000","error_type":"validation"})",
       FailureKind::kOverWindow},
      {"TGI inputs", 422, R"({"error":"`inputs` must have less than 1024 tokens. Given: 2000"})",
       FailureKind::kOverWindow},
      {"Mistral", 400,
       R"({"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"})",
       FailureKind::kOverWindow},
      {"Groq", 400,
       error_body("Please reduce the length of the messages or completion.",
                  "invalid_request_error", "context_length_exceeded"),
       FailureKind::kOverWindow},
      {"xAI", 400,
       R"({"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."})",
       FailureKind::kOverWindow},
      {"Together", 422, error_body("The input (40000 tokens) is longer than 32768"),
       FailureKind::kOverWindow},
      {"Moonshot", 400,
       error_body(
           "Invalid request: Your request exceeded model token limit: 262144 (requested: 425573)"),
       FailureKind::kOverWindow},
      {"Bedrock", 400, R"({"message":"too many input tokens"})", FailureKind::kOverWindow},
      {"Bedrock long", 400, R"({"message":"Input is too long for requested model."})",
       FailureKind::kOverWindow},
      {"OpenRouter", 400, error_body("This endpoint's maximum context length is 131072 tokens."),
       FailureKind::kOverWindow},
      {"MiniMax", 400, error_body("invalid params, context window exceeds limit"),
       FailureKind::kOverWindow},
      {"LM Studio", 400,
       R"({"error":"The number of tokens to keep from the initial prompt is greater than the context length"})",
       FailureKind::kOverWindow},
      {"Cerebras", 413, "", FailureKind::kOverWindow},
  };
  for (const Case& c : cases)
    EXPECT_STREQ(to_text(classify_response(c.status, c.headers, c.body, kNow).kind),
                 to_text(c.kind))
        << c.name;
}

TEST(ClassifyResponse, KnowsWhatPassesAndWhatDoesNot) {
  const Case cases[] = {
      {"rate limit", 429,
       error_body("Rate limit reached for gpt-4o", "tokens", "rate_limit_exceeded"),
       FailureKind::kRateLimited},
      {"larger than a minute's allowance", 429,
       error_body(
           "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 36278.",
           "tokens", "rate_limit_exceeded"),
       FailureKind::kPermanent},
      {"the same with 413", 413,
       error_body("Request too large for model on tokens per minute (TPM)", "tokens",
                  "rate_limit_exceeded"),
       FailureKind::kPermanent},
      {"empty account", 429,
       error_body("You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
       FailureKind::kPermanent},
      {"quota of zero", 429, error_body("Quota exceeded for metric: free_tier, limit: 0"),
       FailureKind::kPermanent},
      {"quota of some", 429, error_body("Quota exceeded for metric: free_tier, limit: 0.5"),
       FailureKind::kRateLimited},
      {"throttled", 400,
       R"({"__type":"ThrottlingException","message":"ThrottlingException: Too many tokens, please wait"})",
       FailureKind::kRateLimited},
      {"429 that mentions a length", 429, error_body("slow down; maximum context length is 8"),
       FailureKind::kRateLimited},
      {"no key", 401, error_body("Incorrect API key provided"), FailureKind::kPermanent},
      {"forbidden", 403, error_body("Country not supported"), FailureKind::kPermanent},
      {"no such model", 404, error_body("The model does not exist"), FailureKind::kPermanent},
      {"bad field", 400, error_body("Unsupported parameter: 'temperature'"),
       FailureKind::kPermanent},
      {"request timeout", 408, "", FailureKind::kTransient},
      {"conflict", 409, "", FailureKind::kTransient},
      {"internal", 500, error_body("The server had an error"), FailureKind::kTransient},
      {"not implemented", 501, "", FailureKind::kPermanent},
      {"gateway page", 502, "<html><head><title>502 Bad Gateway</title></head></html>",
       FailureKind::kTransient},
      {"loading", 503,
       R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
       FailureKind::kTransient},
      {"gateway timeout", 504, "", FailureKind::kTransient},
      {"overloaded", 529,
       R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       FailureKind::kTransient},
      {"upload cut short", 400, error_body("The request body is not valid JSON: EOF"),
       FailureKind::kTransient},
      {"server says: do not retry",
       500,
       "",
       FailureKind::kPermanent,
       {{"x-should-retry", "false"}}},
      {"server says: retry", 400, "", FailureKind::kTransient, {{"x-should-retry", "true"}}},
      {"filtered", 400, error_body("The response was filtered", "", "content_filter"),
       FailureKind::kRefused},
      {"policy", 400, error_body("Your request was rejected", "", "content_policy_violation"),
       FailureKind::kRefused},
      {"GPU memory", 500, error_body("CUDA out of memory. Tried to allocate 2.00 GiB"),
       FailureKind::kOutOfMemory},
      {"host memory", 500,
       R"({"error":"model requires more system memory (20 GiB) than is available"})",
       FailureKind::kOutOfMemory},
      {"redirect", 307, "", FailureKind::kPermanent, {{"location", "https://other.example/v1"}}},
      {"FastAPI detail", 422, R"({"detail":[{"loc":["body","model"],"msg":"field required"}]})",
       FailureKind::kPermanent},
      {"empty 400", 400, "", FailureKind::kPermanent},
      {"text", 400, "nope", FailureKind::kPermanent},
  };
  for (const Case& c : cases)
    EXPECT_STREQ(to_text(classify_response(c.status, c.headers, c.body, kNow).kind),
                 to_text(c.kind))
        << c.name;
}

TEST(ClassifyResponse, SaysWhatTheServerSaid) {
  EXPECT_EQ(
      classify_response(404, {}, error_body("No model\\n'x'\\u0007", "nf", "model_not_found"), kNow)
          .detail,
      "HTTP 404: No model 'x' [model_not_found]");
  EXPECT_EQ(classify_response(502, {}, "<html><title>Bad Gateway</title></html>", kNow).detail,
            "HTTP 502: a web page titled \"Bad Gateway\"");
  EXPECT_EQ(classify_response(307, {{"location", "https://o/v1"}}, "", kNow).detail,
            "HTTP 307: the server redirects to https://o/v1; give that address");
  EXPECT_EQ(classify_response(503, {}, "", kNow).detail, "HTTP 503");
  const Failure long_one = classify_response(500, {}, std::string(100'000, 'x'), kNow);
  EXPECT_LT(long_one.detail.size(), 600U);
  EXPECT_EQ(classify_response(429, {{"retry-after", "3"}}, "", kNow).retry_after_ms, 3000);
}

TEST(ClassifyStreamError, ReadsWhatA200Hides) {
  const struct {
    const char* name;
    const char* json;
    FailureKind kind;
  } cases[] = {
      {"engine died", R"({"error":{"message":"EngineCore died","code":500}})",
       FailureKind::kTransient},
      {"overloaded",
       R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       FailureKind::kTransient},
      {"over window",
       R"({"error":{"message":"request (9 tokens) exceeds the available context size","code":400}})",
       FailureKind::kOverWindow},
      {"rate limit", R"({"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}})",
       FailureKind::kRateLimited},
      {"bad request", R"({"error":{"message":"bad grammar","code":400}})", FailureKind::kPermanent},
      {"a text", R"({"error":"an error was encountered while running the model"})",
       FailureKind::kTransient},
      {"vLLM flat", R"({"object":"error","message":"CUDA out of memory","code":500})",
       FailureKind::kOutOfMemory},
  };
  for (const auto& c : cases)
    EXPECT_STREQ(to_text(classify_stream_error(c.json, kNow).kind), to_text(c.kind)) << c.name;
}

TEST(ReadComplaint, SurvivesAnything) {
  for (const char* body :
       {"", " ", "{", "[]", "[[[]]]", "null", "\"x\"", "{\"error\":null}", "{\"error\":[1,2]}", "<",
        "\xff\xfe", "{\"error\":{\"message\":{\"a\":1}}}"})
    EXPECT_LT(read_complaint(body).message.size(), 100U) << body;
  EXPECT_EQ(read_complaint("{\"error\":{\"message\":{\"a\":1}}}").message, "{\"a\":1}");
}

}  // namespace
}  // namespace fathom

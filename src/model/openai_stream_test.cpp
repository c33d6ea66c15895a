// Answers put together (R1, R9): text, thinking, usage in its many spellings, and what breaks.
#include "model/openai_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fathom {
namespace {

struct Case {
  const char* name;
  std::vector<std::string> events;
  Reply reply;
};

TEST(OpenAiAnswer, UnderstandsEveryForm) {
  const Case cases[] = {
      {"chat",
       {R"({"model":"m-1","choices":[{"delta":{"role":"assistant","content":null}}]})",
        R"({"model":"m-1","choices":[{"delta":{"content":"fo"}}]})",
        R"({"choices":[{"delta":{"content":"ur"},"finish_reason":"stop"}]})",
        R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}})", "[DONE]"},
       {.text = "four",
        .usage = {.input = 9, .output = 2},
        .stop = StopReason::kEnd,
        .model = "m-1"}},
      {"completions",
       {R"({"choices":[{"text":"fo"}]})",
        R"({"choices":[{"text":"ur","finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2}})",
        "[DONE]"},
       {.text = "four", .usage = {.input = 9, .output = 2}, .stop = StopReason::kLength}},
      {"one document",
       {R"({"model":"m","choices":[{"message":{"role":"assistant","content":"four"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}})"},
       {.text = "four",
        .usage = {.input = 9, .output = 2},
        .stop = StopReason::kEnd,
        .model = "m"}},
      {"cached, written and thinking tokens",
       {R"({"choices":[{"text":"4","finish_reason":"stop"}],"usage":{"prompt_tokens":900,"prompt_tokens_details":{"cached_tokens":800,"cache_write_tokens":50},"completion_tokens":70,"completion_tokens_details":{"reasoning_tokens":60}}})"},
       {.text = "4",
        .usage = {.input = 900, .cached = 800, .cache_write = 50, .output = 70, .thinking = 60},
        .stop = StopReason::kEnd}},
      {"DeepSeek's cache",
       {R"({"choices":[{"text":"4","finish_reason":"stop"}],"usage":{"prompt_tokens":900,"prompt_cache_hit_tokens":896,"prompt_cache_miss_tokens":4,"completion_tokens":1}})"},
       {.text = "4",
        .usage = {.input = 900, .cached = 896, .output = 1},
        .stop = StopReason::kEnd}},
      {"llama.cpp's cache in its timings",
       {R"({"choices":[{"text":"4","finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1},"timings":{"cache_n":5}})"},
       {.text = "4", .usage = {.input = 9, .cached = 5, .output = 1}, .stop = StopReason::kEnd}},
      {"null details",
       {R"({"choices":[{"text":"4","finish_reason":"stop"}],"usage":{"prompt_tokens":9,"prompt_tokens_details":null,"completion_tokens":1}})"},
       {.text = "4", .usage = {.input = 9, .output = 1}, .stop = StopReason::kEnd}},
      {"thinking apart",
       {R"({"choices":[{"delta":{"reasoning_content":"2+"}}]})",
        R"({"choices":[{"delta":{"reasoning_content":"2","content":null}}]})",
        R"({"choices":[{"delta":{"content":"4"},"finish_reason":"stop"}]})"},
       {.text = "4", .thinking = "2+2", .stop = StopReason::kEnd}},
      {"thinking under its other name, sent twice",
       {R"({"choices":[{"delta":{"reasoning":"hm","reasoning_content":"hm"}}]})",
        R"({"choices":[{"delta":{"reasoning":"!"}}]})",
        R"({"choices":[{"delta":{"content":"4"},"finish_reason":"stop"}]})"},
       {.text = "4", .thinking = "hm!", .stop = StopReason::kEnd}},
      {"think tags stay text",
       {R"({"choices":[{"delta":{"content":"<think>hm</think>4"},"finish_reason":"stop"}]})"},
       {.text = "<think>hm</think>4", .stop = StopReason::kEnd}},
      {"content in parts",
       {R"({"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"4"}]},"finish_reason":"stop"}]})"},
       {.text = "4", .thinking = "hm", .stop = StopReason::kEnd}},
      {"filtered",
       {R"({"choices":[{"delta":{"content":"I"}}]})",
        R"({"choices":[{"delta":{},"finish_reason":"content_filter"}]})"},
       {.text = "I", .stop = StopReason::kFiltered}},
      {"refusal",
       {R"({"choices":[{"delta":{"refusal":"I can't."}}]})",
        R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"},
       {.text = "I can't.", .stop = StopReason::kFiltered}},
      {"an empty answer is an answer",
       {R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", "[DONE]"},
       {.stop = StopReason::kEnd}},
      {"[DONE] without a finish reason",
       {R"({"choices":[{"delta":{"content":"4"}}]})", "[DONE]"},
       {.text = "4"}},
      {"an unknown finish reason",
       {R"({"choices":[{"text":"4","finish_reason":"because"}]})"},
       {.text = "4"}},
      {"null error",
       {R"({"error":null,"choices":[{"text":"4","finish_reason":"stop"}]})"},
       {.text = "4", .stop = StopReason::kEnd}},
      {"escapes",
       {R"({"choices":[{"text":"\u00e9\n\ud83d\ude00\u0000","finish_reason":"stop"}]})"},
       {.text = std::string("\xC3\xA9\n\xF0\x9F\x98\x80\0", 8), .stop = StopReason::kEnd}},
  };
  for (const Case& c : cases) {
    OpenAiAnswer answer;
    for (const std::string& event : c.events) {
      const std::optional<Failure> failure = answer.add_event(event);
      EXPECT_FALSE(failure.has_value()) << c.name << ": " << failure->detail;
    }
    EXPECT_FALSE(answer.incomplete().has_value()) << c.name;
    const Reply reply = answer.reply();
    EXPECT_EQ(reply, c.reply) << c.name << ": text '" << reply.text << "', thinking '"
                              << reply.thinking << "', input " << reply.usage.input << ", cached "
                              << reply.usage.cached << ", output " << reply.usage.output;
  }
}

TEST(OpenAiAnswer, TellsWhatBrokeIt) {
  const struct {
    const char* name;
    const char* event;
    FailureKind kind;
  } cases[] = {
      {"no JSON", "{\"choices\":[{", FailureKind::kTransient},
      {"bytes", "\x01\xff", FailureKind::kTransient},
      {"a number", "12", FailureKind::kTransient},
      {"nothing", "", FailureKind::kTransient},
      {"an error", R"({"error":{"message":"engine died","code":500}})", FailureKind::kTransient},
      {"an error text", R"({"error":"Input is too long"})", FailureKind::kOverWindow},
      {"vLLM's flat error",
       R"({"object":"error","message":"maximum context length is 8","code":400})",
       FailureKind::kOverWindow},
      {"given up", R"({"choices":[{"delta":{},"finish_reason":"abort"}]})",
       FailureKind::kTransient},
  };
  for (const auto& c : cases) {
    OpenAiAnswer answer;
    const std::optional<Failure> failure = answer.add_event(c.event);
    ASSERT_TRUE(failure.has_value()) << c.name;
    EXPECT_STREQ(to_text(failure->kind), to_text(c.kind)) << c.name;
  }
}

TEST(OpenAiAnswer, KnowsAnUnfinishedAnswer) {
  OpenAiAnswer answer;
  EXPECT_TRUE(answer.incomplete().has_value()) << "nothing came";
  EXPECT_FALSE(answer.add_event(R"({"choices":[{"delta":{"content":"fo"}}]})").has_value());
  ASSERT_TRUE(answer.incomplete().has_value()) << "cut in the middle";
  EXPECT_EQ(answer.incomplete()->kind, FailureKind::kTransient);
}

TEST(OpenAiAnswer, FollowsThePrefill) {
  OpenAiAnswer answer;
  EXPECT_FALSE(
      answer
          .add_event(
              R"({"choices":[{"text":""}],"prompt_progress":{"total":900,"cache":0,"processed":512,"time_ms":9}})")
          .has_value());
  EXPECT_EQ(answer.processed_tokens(), 512);
  EXPECT_FALSE(answer.has_output());
}

}  // namespace
}  // namespace fathom

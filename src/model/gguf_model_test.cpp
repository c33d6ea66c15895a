// The in-process engine (R1, R3, R4, R7). Files that are no models are refused fast; the rest runs
// SmolLM2, which set-up fetches, for seconds each, so it belongs to the slow set.
#include "model/gguf_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using SteadyClock = std::chrono::steady_clock;

const std::string kModelFile = std::string(FATHOM_DEPS_DIR) + "/models/smollm2.gguf";

std::future<Answer> ask(Model& model, Request request) {
  auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> future = promise->get_future();
  model.start(std::move(request),
              [promise](Answer answer) { promise->set_value(std::move(answer)); });
  return future;
}

Request raw_request(const std::string& id, std::string prompt) {
  Request request;
  request.id = id;
  request.prompt = std::make_shared<const std::string>(std::move(prompt));
  request.max_output_tokens = 24;
  return request;
}

Request chat_request(const std::string& question) {
  return raw_request(question,
                     "<|im_start|>user\n" + question + "<|im_end|>\n<|im_start|>assistant\n");
}

// A text of `lines` lines with a fact in the middle.
std::string long_context(int lines) {
  std::string text = "<|im_start|>user\nRead this.\n";
  for (int i = 0; i < lines; ++i) {
    if (i == lines / 2) text += "The special number of the blue harbor is 4711.\n";
    text += "Line " + std::to_string(i) +
            ": the hills are green and the river runs slowly to the sea.\n";
  }
  return text;
}

std::string asked(const std::string& context, const std::string& question) {
  return context + question + "<|im_end|>\n<|im_start|>assistant\n";
}

Result<std::unique_ptr<Model>> opened(const std::string& path, int64_t window = 4096) {
  ModelOptions options;
  options.model = path;
  options.context_tokens = window;
  return open_gguf_model(options);
}

void write(const std::string& path, std::string_view bytes) {
  ASSERT_TRUE(write_file_atomic(path, bytes).has_value());
}

void expect_refused(const std::string& path, const std::string& what) {
  const Result<std::unique_ptr<Model>> model = opened(path);
  ASSERT_TRUE(model.has_value()) << what;
  const Result<ModelProfile> profile = (*model)->probe();
  ASSERT_FALSE(profile.has_value()) << what;
  EXPECT_TRUE(profile.error().code == ErrorCode::kInput || profile.error().code == ErrorCode::kIo)
      << what;
  EXPECT_THAT(profile.error().message, HasSubstr(path)) << what;
}

TEST(GgufModelFiles, RefusesWhatIsNoModel) {
  const std::string path = testing::TempDir() + "broken.gguf";
  expect_refused(testing::TempDir() + "missing.gguf", "missing");
  const std::string bytes[] = {
      "", "GGUF", "hello, I am a text", std::string("GGUF\x03\0\0\0", 8),
      std::string("GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f", 24)};
  for (const std::string& content : bytes) {
    write(path, content);
    expect_refused(path, content);
  }
}

TEST(GgufModelFiles, RefusesPoliciesOfChats) {
  ModelOptions options;
  options.model = "x.gguf";
  options.prefix_policy = PrefixPolicy::kContinue;
  const Result<std::unique_ptr<Model>> model = open_gguf_model(options);
  ASSERT_FALSE(model.has_value());
  EXPECT_EQ(model.error().code, ErrorCode::kUsage);
}

TEST(GgufModelFiles, WantsAProbeFirst) {
  const Result<std::unique_ptr<Model>> model = opened("x.gguf");
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(std::get<Failure>(ask(**model, raw_request("a", "b")).get()).kind,
            FailureKind::kPermanent);
}

class GgufModelSlow : public testing::Test {
 protected:
  void SetUp() override {
    if (!file_exists(kModelFile)) GTEST_SKIP() << kModelFile << " is missing: run ./dev setup";
    model_ = fresh();
  }

  std::unique_ptr<Model> fresh() {
    Result<std::unique_ptr<Model>> model = opened(kModelFile);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    const Result<ModelProfile> profile = (*model)->probe();
    EXPECT_TRUE(profile.has_value()) << profile.error().message;
    profile_ = *profile;
    return std::move(*model);
  }

  Reply reply(Request request) { return reply_of(*model_, std::move(request)); }
  static Reply reply_of(Model& model, Request request) {
    const Answer answer = ask(model, std::move(request)).get();
    if (const Failure* failure = std::get_if<Failure>(&answer)) {
      ADD_FAILURE() << failure->detail;
      return {};
    }
    return std::get<Reply>(answer);
  }

  std::unique_ptr<Model> model_;
  ModelProfile profile_;
};

TEST_F(GgufModelSlow, KnowsItselfAndAnswers) {
  EXPECT_EQ(profile_.provider, "gguf");
  EXPECT_EQ(profile_.window_tokens, 4096);
  EXPECT_TRUE(profile_.raw_prompts);
  EXPECT_THAT(profile_.chat_template, HasSubstr("<|im_start|>"));
  EXPECT_EQ(profile_.eos_text, "<|im_end|>");
  EXPECT_EQ(profile_.version.size(), std::string("sha256:").size() + 64);
  EXPECT_THAT(profile_.notes, testing::Contains(HasSubstr("KV cache: 23040 bytes per token")));

  const Reply answer = reply(chat_request("What is the capital of France?"));
  EXPECT_THAT(answer.text, HasSubstr("Paris"));
  EXPECT_EQ(answer.stop, StopReason::kEnd);
  EXPECT_EQ(answer.usage.input, 16);
  EXPECT_EQ(answer.usage.cached, 0);
  EXPECT_GT(answer.usage.output, 1);
  EXPECT_GT(answer.first_token_ms, 0);
  EXPECT_EQ(
      model_->count_tokens(*chat_request("What is the capital of France?").prompt, true).value(),
      16);
}

TEST_F(GgufModelSlow, ComputesASharedPrefixOnceAndAnswersTheSame) {
  const std::string context = long_context(40);
  const Request first =
      raw_request("1", asked(context, "What is the special number of the blue harbor?"));
  const Request second = raw_request("2", asked(context, "What color are the hills?"));
  const Reply cold_first = reply(first);
  const Reply warm_second = reply(second);
  const Reply warm_first = reply(first);
  EXPECT_EQ(cold_first.usage.cached, 0);
  EXPECT_GE(warm_second.usage.cached, 512);
  EXPECT_GE(warm_first.usage.cached, 512);
  EXPECT_EQ(warm_second.usage.input - warm_second.usage.cached, warm_second.usage.input % 256);

  const std::unique_ptr<Model> other = fresh();
  const Reply cold_second = reply_of(*other, second);
  EXPECT_EQ(cold_second.usage.cached, 0);
  EXPECT_EQ(cold_second.text, warm_second.text);
  EXPECT_EQ(cold_first.text, warm_first.text);
  EXPECT_LT(warm_second.first_token_ms, cold_second.first_token_ms);
}

TEST_F(GgufModelSlow, CountsProgress) {
  const Request request = raw_request("1", asked(long_context(40), "What color are the hills?"));
  const int64_t tokens = reply(request).usage.input;
  EXPECT_EQ(model_->processed_prompt_tokens(), tokens);
  static_cast<void>(reply(request));
  EXPECT_EQ(model_->processed_prompt_tokens(), 2 * tokens) << "reused tokens count as done";
}

TEST_F(GgufModelSlow, RejectsWhatDoesNotFit) {
  Request request = raw_request("1", asked(long_context(300), "What?"));
  const Failure failure = std::get<Failure>(ask(*model_, request).get());
  EXPECT_EQ(failure.kind, FailureKind::kOverWindow);
  EXPECT_THAT(failure.detail, HasSubstr("do not fit the window of 4096"));
  request = chat_request("Hi");
  request.max_output_tokens = 4096;
  EXPECT_EQ(std::get<Failure>(ask(*model_, request).get()).kind, FailureKind::kOverWindow)
      << "no room for the answer";
  request.raw = false;
  EXPECT_EQ(std::get<Failure>(ask(*model_, request).get()).kind, FailureKind::kPermanent);
}

TEST_F(GgufModelSlow, StopsWhereItIsTold) {
  Request request = raw_request("1", "Count: 1, 2, 3, 4, 5, 6,");
  request.decoding.stop = {" 9"};
  const Reply stopped = reply(request);
  EXPECT_EQ(stopped.text, " 7, 8,");
  EXPECT_EQ(stopped.stop, StopReason::kEnd);
  request.decoding.stop.clear();
  request.max_output_tokens = 4;
  const Reply cut = reply(request);
  EXPECT_EQ(cut.stop, StopReason::kLength);
  EXPECT_EQ(cut.usage.output, 4);
  request.answer_prefix = " 7, 8, 9,";
  EXPECT_THAT(reply(request).text, HasSubstr("10"));
}

TEST_F(GgufModelSlow, SamplesByTheSeed) {
  Request request = chat_request("Tell me a short story about a fox.");
  request.decoding = {.temperature = 1.5, .top_p = 0.95, .seed = 1, .stop = {}};
  const std::string one = reply(request).text;
  EXPECT_EQ(reply(request).text, one);
  request.decoding.seed = 2;
  EXPECT_NE(reply(request).text, one);
}

TEST_F(GgufModelSlow, CancelsPromptlyAndGoesOn) {
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < 3; ++i)
    answers.push_back(
        ask(*model_, raw_request(std::to_string(i), asked(long_context(150), "What?"))));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const SteadyClock::time_point start = SteadyClock::now();
  model_->cancel_all();
  for (std::future<Answer>& answer : answers)
    EXPECT_EQ(std::get<Failure>(answer.get()).kind, FailureKind::kCancelled);
  EXPECT_LT(SteadyClock::now() - start, std::chrono::seconds(2));
  EXPECT_THAT(reply(chat_request("What is the capital of France?")).text, HasSubstr("Paris"));
}

TEST_F(GgufModelSlow, EndsAtTheDeadline) {
  Request request = raw_request("1", asked(long_context(150), "What?"));
  request.deadline_ms = 200;
  EXPECT_EQ(std::get<Failure>(ask(*model_, request).get()).kind, FailureKind::kTimedOut);
}

TEST_F(GgufModelSlow, RefusesTruncatedAndDamagedModels) {
  const Result<std::string> whole = read_file(kModelFile);
  ASSERT_TRUE(whole.has_value());
  const std::string path = testing::TempDir() + "damaged.gguf";
  for (const size_t size :
       {size_t{100}, size_t{100'000}, size_t{3'000'000}, whole->size() / 2, whole->size() - 1}) {
    write(path, std::string_view(*whole).substr(0, size));
    expect_refused(path, "cut to " + std::to_string(size));
  }
  // Lengths and types of the first keys, overwritten: the model is refused, or still loads where
  // the byte did not matter.
  for (size_t at = 4; at < 120; at += 3) {
    std::string damaged = whole->substr(0, 4'000'000);
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    write(path, damaged);
    expect_refused(path, "damaged at " + std::to_string(at));
  }
}

}  // namespace
}  // namespace fathom

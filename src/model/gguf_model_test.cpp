// The in-process engine on SmolLM2 (R1, R3, R4, R7): needs the model file that set-up fetches, and
// seconds of computing, so all of it is slow but the files that are no models.
#include "model/gguf_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "io/file.h"

namespace fathom {
namespace {

const std::string kModelFile = std::string(FATHOM_DEPS_DIR) + "/models/smollm2.gguf";

std::future<Answer> ask(Model& model, Request request) {
  auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> future = promise->get_future();
  model.start(std::move(request),
              [promise](Answer answer) { promise->set_value(std::move(answer)); });
  return future;
}

Request chat_request(const std::string& question, const std::string& answer_prefix = "") {
  Request request;
  request.id = question;
  request.prompt = std::make_shared<const std::string>("<|im_start|>user\n" + question +
                                                       "<|im_end|>\n<|im_start|>assistant\n");
  request.answer_prefix = answer_prefix;
  request.max_output_tokens = 16;
  return request;
}

class GgufModelSlow : public testing::Test {
 protected:
  void SetUp() override {
    if (!file_exists(kModelFile)) GTEST_SKIP() << kModelFile << " is missing: run ./dev setup";
    ModelOptions options;
    options.model = kModelFile;
    options.context_tokens = 4096;
    Result<std::unique_ptr<Model>> opened = open_gguf_model(options);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    model_ = std::move(*opened);
    const Result<ModelProfile> profile = model_->probe();
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    profile_ = *profile;
  }

  std::unique_ptr<Model> model_;
  ModelProfile profile_;
};

TEST_F(GgufModelSlow, AnswersAQuestion) {
  const Answer answer = ask(*model_, chat_request("What is the capital of France?")).get();
  ASSERT_TRUE(std::holds_alternative<Reply>(answer)) << std::get<Failure>(answer).detail;
  const Reply& reply = std::get<Reply>(answer);
  EXPECT_THAT(reply.text, testing::HasSubstr("Paris"));
  EXPECT_EQ(reply.stop, StopReason::kEnd);
  EXPECT_EQ(profile_.provider, "gguf");
  for (const std::string& note : profile_.notes) RecordProperty("note", note);
}

}  // namespace
}  // namespace fathom

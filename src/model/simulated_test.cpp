// The simulated reader (R1): its accuracy is the one that was set, its mistakes are of the kinds
// that graders must tell apart, and it can exercise a scheduler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <future>

#include "io/embedded.h"
#include "model/simulated_model.h"
#include "model/simulated_reader.h"

namespace fathom {
namespace {

using testing::HasSubstr;

Request request_for(const std::string& id, std::vector<std::string> references = {"1234567"},
                    int64_t length = 4096, double depth = 0.5,
                    const std::string& task = "niah_single_1") {
  Request request;
  request.id = id;
  request.prompt = std::make_shared<const std::string>(
      "One number is 1234567, another 7654321, a third is 55. The codes are alpha-river and "
      "gamma-hill.");
  request.expected_prompt_tokens = length - 128;
  request.max_output_tokens = 128;
  request.answer_key = std::make_shared<const AnswerKey>(AnswerKey{
      .task = task, .references = std::move(references), .length_tokens = length, .depth = depth});
  return request;
}

ReaderProfile always_wrong(const ReaderMistakes& mistakes) {
  ReaderProfile profile;
  profile.accuracy = {.top = 0};
  profile.mistakes = mistakes;
  return profile;
}

TEST(RightProbability, FallsWithLengthAndInTheMiddle) {
  const ReaderAccuracy flat{.top = 0.9};
  EXPECT_NEAR(right_probability(flat, 128, 0.5), 0.9, 1e-6);
  const ReaderAccuracy curve{.top = 1, .floor = 0.2, .half_length = 8192, .steepness = 1};
  EXPECT_NEAR(right_probability(curve, 8192, 0.5), 0.6, 1e-12);
  EXPECT_NEAR(right_probability(curve, 4096, 0.5), 0.2 + 0.8 * 2 / 3, 1e-12);
  EXPECT_NEAR(right_probability(curve, 16384, 0.5), 0.2 + 0.8 / 3, 1e-12);
  const ReaderAccuracy dip{.dip = 0.5, .worst = 0.5, .width = 0.25};
  EXPECT_NEAR(right_probability(dip, 128, 0.5), 0.5, 1e-6);
  EXPECT_NEAR(right_probability(dip, 128, 0.0), 1 - 0.5 * std::exp(-4.0), 1e-6);
}

TEST(SimulatedAnswer, IsRightAsOftenAsItIsSet) {
  ReaderProfile profile;
  profile.accuracy = {.top = 1, .half_length = 4096, .steepness = 1};
  profile.tasks = {
      {"niah_*", {.top = 0.8}}, {"niah_multi*", {.top = 0.3}}, {"niah_multikey_3", {.top = 0.1}}};
  const struct {
    const char* task;
    double expected;
  } cases[] = {
      {"vt", 0.5}, {"niah_single_1", 0.8}, {"niah_multikey_1", 0.3}, {"niah_multikey_3", 0.1}};
  constexpr int kSamples = 4000;
  for (const auto& c : cases) {
    int right = 0;
    for (int i = 0; i < kSamples; ++i)
      right += simulated_answer(profile, 1,
                                request_for(std::to_string(i), {"1234567"}, 4096, 0.5, c.task))
                   .text == " 1234567";
    EXPECT_NEAR(right / double{kSamples}, c.expected,
                5 * std::sqrt(c.expected * (1 - c.expected) / kSamples))
        << c.task;
  }
}

TEST(SimulatedAnswer, IsAFunctionOfSeedAndSample) {
  ReaderProfile profile;
  profile.accuracy = {.top = 0.5};
  const auto answers = [&](uint64_t seed, int64_t decoding_seed) {
    std::string all;
    for (int i = 0; i < 50; ++i) {
      Request request = request_for(std::to_string(i));
      request.decoding.seed = decoding_seed;
      all += simulated_answer(profile, seed, request).text;
    }
    return all;
  };
  EXPECT_EQ(answers(1, 0), answers(1, 0));
  EXPECT_NE(answers(1, 0), answers(2, 0));
  EXPECT_NE(answers(1, 0), answers(1, 1)) << "attempts differ";
}

TEST(SimulatedAnswer, MakesEachMistakeOnDemand) {
  const std::vector<std::string> three = {"1234567", "alpha-river", "gamma-hill"};
  for (int i = 0; i < 20; ++i) {
    const std::string id = std::to_string(i);
    const SimulatedAnswer partial = simulated_answer(
        always_wrong({.partial = 1, .wrong_binding = 0}), 1, request_for(id, three));
    EXPECT_TRUE(partial.text == " 1234567" || partial.text == " 1234567, alpha-river")
        << partial.text;

    const SimulatedAnswer wrong =
        simulated_answer(always_wrong({.partial = 0}), 1, request_for(id));
    EXPECT_EQ(wrong.text, " 7654321") << "the only other number of seven digits";

    const SimulatedAnswer empty = simulated_answer(
        always_wrong({.partial = 0, .wrong_binding = 0, .empty = 1}), 1, request_for(id));
    EXPECT_EQ(empty.text, "");

    const SimulatedAnswer cut = simulated_answer(
        always_wrong({.partial = 0, .wrong_binding = 0, .truncated = 1}), 1, request_for(id));
    EXPECT_EQ(cut.text, " 123");
    EXPECT_EQ(cut.stop, StopReason::kLength);

    const SimulatedAnswer invented =
        simulated_answer(always_wrong({.partial = 0}), 1, request_for(id, {"4444"}));
    EXPECT_EQ(invented.text.size(), 5U);
    EXPECT_NE(invented.text, " 4444");
  }
}

TEST(ReaderProfile, EmbeddedOnesAreValid) {
  const std::vector<std::string> names = embedded_names("readers/");
  EXPECT_EQ(names.size(), 3U);
  for (const char* name : {"perfect", "strong", "weak"}) {
    const Result<ReaderProfile> profile = load_reader_profile(name);
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    EXPECT_EQ(profile->name, name);
  }
  const Result<ReaderProfile> missing = load_reader_profile("week");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kUsage);
  EXPECT_THAT(missing.error().message, HasSubstr("did you mean 'weak'"));
}

TEST(ReaderProfile, ReadsEveryKey) {
  const Result<ReaderProfile> profile = parse_reader_profile(
      "name: n\nabout: a\nwindow_tokens: 8000\naccuracy: {top: 0.9, dip: 0.1}\ntasks:\n  vt: "
      "{half_length: 100}\n"
      "mistakes: {partial: 0, wrong_binding: 2, empty: 3, truncated: 4}\nlatency: {first_token_ms: "
      "5, ms_per_1000_tokens: 6}\n"
      "failures: {rate_limited: 0.25, transient: 0.5}\n",
      "r.yaml");
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const ReaderProfile expected{
      .name = "n",
      .about = "a",
      .window_tokens = 8000,
      .accuracy = {.top = 0.9, .dip = 0.1},
      .tasks = {{"vt", {.top = 0.9, .half_length = 100, .dip = 0.1}}},
      .mistakes = {.partial = 0, .wrong_binding = 2, .empty = 3, .truncated = 4},
      .first_token_ms = 5,
      .ms_per_1000_tokens = 6,
      .rate_limited_share = 0.25,
      .transient_share = 0.5};
  EXPECT_EQ(*profile, expected);
}

TEST(ReaderProfile, RefusesWithPlaceAndKey) {
  const struct {
    const char* yaml;
    const char* message;
  } cases[] = {{"top: 1", "r.yaml:1"},
               {"accuracy: {topp: 1}", "topp"},
               {"accuracy: {top: 1.5}", "'top' must lie between 0 and 1"},
               {"accuracy: {top: .nan}", "top"},
               {"accuracy: 3", "accuracy"},
               {"tasks: [vt]", "'tasks' must be a map"},
               {"tasks: {vt: {half_length: 0}}", "half_length"},
               {"failures: {transient: 2}", "transient"},
               {"window_tokens: many", "window_tokens"},
               {"[", "r.yaml:1"}};
  for (const auto& c : cases) {
    const Result<ReaderProfile> profile = parse_reader_profile(c.yaml, "r.yaml");
    ASSERT_FALSE(profile.has_value()) << c.yaml;
    EXPECT_EQ(profile.error().code, ErrorCode::kInput) << c.yaml;
    EXPECT_THAT(profile.error().message, HasSubstr(c.message));
  }
}

class SimulatedModelTest : public testing::Test {
 protected:
  std::unique_ptr<Model> open(const std::string& profile) {
    ModelOptions options;
    options.seed = 3;
    Result<std::unique_ptr<Model>> model = open_simulated_model(options, profile);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return std::move(*model);
  }
  static Answer ask(Model& model, Request request) {
    std::promise<Answer> promise;
    model.start(std::move(request), [&](Answer answer) { promise.set_value(std::move(answer)); });
    return promise.get_future().get();
  }
};

TEST_F(SimulatedModelTest, IsLabelledAndAnswers) {
  const std::unique_ptr<Model> model = open("perfect");
  const Result<ModelProfile> profile = model->probe();
  ASSERT_TRUE(profile.has_value());
  EXPECT_EQ(profile->provider, "simulated");
  EXPECT_THAT(profile->notes.front(), HasSubstr("simulated"));
  const Answer answer = ask(*model, request_for("a", {"1", "2"}));
  ASSERT_TRUE(std::holds_alternative<Reply>(answer));
  const Reply& reply = std::get<Reply>(answer);
  EXPECT_EQ(reply.text, " 1, 2");
  EXPECT_EQ(reply.model, "simulated/perfect");
  EXPECT_EQ(reply.usage.input, 4096 - 128);
  EXPECT_EQ(model->processed_prompt_tokens(), 4096 - 128);
}

TEST_F(SimulatedModelTest, RejectsWhatDoesNotFit) {
  const std::unique_ptr<Model> model = open("weak");
  const Answer answer = ask(*model, request_for("a", {"1"}, 200'000));
  ASSERT_TRUE(std::holds_alternative<Failure>(answer));
  EXPECT_EQ(std::get<Failure>(answer).kind, FailureKind::kOverWindow);
  Request bare = request_for("a");
  bare.answer_key = nullptr;
  EXPECT_EQ(std::get<Failure>(ask(*model, bare)).kind, FailureKind::kPermanent);
}

TEST_F(SimulatedModelTest, EndsEveryRequestOnceWhenCancelled) {
  const std::string path = testing::TempDir() + "slow_reader.yaml";
  FILE* file = fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  fputs("name: slow\nlatency: {first_token_ms: 60000}\n", file);
  fclose(file);
  std::atomic<int> cancelled{0};
  {
    const std::unique_ptr<Model> model = open(path);
    for (int i = 0; i < 100; ++i)
      model->start(request_for(std::to_string(i)), [&](const Answer& answer) {
        cancelled += std::get<Failure>(answer).kind == FailureKind::kCancelled;
      });
    model->cancel_all();
    EXPECT_EQ(cancelled, 100);
    model->start(request_for("late"), [&](const Answer&) { ++cancelled; });
  }
  EXPECT_EQ(cancelled, 101) << "the end of the model ends its requests";
}

TEST_F(SimulatedModelTest, DrawsFailuresAnewForEachTry) {
  const std::string path = testing::TempDir() + "shaky_reader.yaml";
  FILE* file = fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  fputs("name: shaky\nfailures: {rate_limited: 0.3, transient: 0.3}\n", file);
  fclose(file);
  const std::unique_ptr<Model> model = open(path);
  int limited = 0;
  int transient = 0;
  int answered = 0;
  for (int i = 0; i < 600; ++i) {
    const Answer answer = ask(*model, request_for(std::to_string(i % 3)));
    if (const Failure* failure = std::get_if<Failure>(&answer))
      ++(failure->kind == FailureKind::kRateLimited ? limited : transient);
    else
      ++answered;
  }
  EXPECT_NEAR(limited, 180, 60);
  EXPECT_NEAR(transient, 180, 60);
  EXPECT_NEAR(answered, 240, 60);
}

}  // namespace
}  // namespace fathom

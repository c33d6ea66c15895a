// Everything that ends a run before its end, and going on after it (R2, R4, Q3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <filesystem>

#include "io/file.h"
#include "run/journal.h"
#include "run/scripted_world_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;

size_t answered(const std::string& folder) {
  const auto attempts = read_attempts(folder);
  EXPECT_TRUE(attempts) << attempts.error().message;
  return attempts
             ? static_cast<size_t>(std::count_if(
                   attempts->begin(), attempts->end(),
                   [](const Attempt& attempt) { return attempt.outcome == Outcome::kAnswered; }))
             : 0;
}

TEST(RunStops, R2_a_stop_request_cancels_keeps_and_resumes) {
  for (const ErrorCode why : {ErrorCode::kInterrupted, ErrorCode::kStopped}) {
    const TemporaryFolder folder;
    ScriptedSource source({1024}, 20);
    ScriptedRun first;
    first.on_progress = [&](const Progress& progress) {
      if (progress.done >= 8) first.stop.request(why);
    };
    const auto stopped = first.execute(scripted_options(folder.path()), source);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, why);
    EXPECT_THAT(stopped.error().message, HasSubstr("the same command goes on"));
    EXPECT_EQ(first.model.cancels, 1);
    EXPECT_TRUE(first.last.stopping);
    const size_t kept = answered(folder.path());
    EXPECT_GE(kept, 8U);
    EXPECT_LT(kept, 20U);
    EXPECT_EQ(first.summary.made, static_cast<int64_t>(kept));

    ScriptedRun second;
    const auto resumed = second.execute(scripted_options(folder.path()), source);
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(resumed->before, static_cast<int64_t>(kept));
    EXPECT_EQ(second.model.sent.size(), 20 - kept);
    EXPECT_EQ(answered(folder.path()), 20U);
  }
}

TEST(RunStops, a_model_that_does_not_end_cancelled_requests_is_left_after_the_grace) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 4);
  struct DeafModel : ScriptedModel {
    using ScriptedModel::ScriptedModel;
    void cancel_all() override {}
  };
  ScriptedTime time;
  DeafModel model(time, [](const Request&, int64_t) { return ScriptedAnswer{Reply{}, 0, true}; });
  StopFlag stop;
  auto run = Run::open(scripted_options(folder.path()), source, time);
  ASSERT_TRUE(run) << run.error().message;
  run->set_waiter(time);
  stop.request(ErrorCode::kStopped);
  const int64_t begin = time.monotonic_ms();
  EXPECT_FALSE(run->execute(model, stop, nullptr));
  EXPECT_LE(time.monotonic_ms(), begin + 5'000);
}

TEST(RunStops, C2_failures_in_a_row_stop_and_are_asked_again) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 60);
  ScriptedRun first([](const Request& request, int64_t) -> ScriptedAnswer {
    if (request.id == "t:1024:0") return {good_reply(request)};
    return {failure(FailureKind::kPermanent, 401)};
  });
  const auto stopped = first.execute(scripted_options(folder.path()), source);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kFailedAttempts);
  EXPECT_THAT(stopped.error().message, HasSubstr("in a row failed"));
  EXPECT_THAT(stopped.error().message, HasSubstr("scripted"));
  EXPECT_LT(first.model.sent.size(), 30U);

  ScriptedRun second;
  const auto resumed = second.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(second.model.sent.size(), 59U);
  EXPECT_EQ(answered(folder.path()), 60U);
}

TEST(RunStops, C2_a_share_of_failures_stops) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 200);
  ScriptedRun run([](const Request& request, int64_t) -> ScriptedAnswer {
    if (request.id.back() <= '3') return {failure(FailureKind::kPermanent, 400)};
    return {good_reply(request)};
  });
  const auto stopped = run.execute(scripted_options(folder.path()), source);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kFailedAttempts);
  EXPECT_LT(run.model.sent.size(), 70U);
}

TEST(RunStops, over_window_and_out_of_memory_are_results_not_failures) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 100);
  ScriptedRun run([](const Request& request, int64_t) -> ScriptedAnswer {
    return {
        failure(request.id.back() % 2 == 0 ? FailureKind::kOverWindow : FailureKind::kOutOfMemory)};
  });
  const auto summary = run.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->made, 100);
}

// R4: the server's counts against fathom's.
TEST(RunStops, R4_other_counts_stop_before_money_is_spent) {
  struct Case {
    const char* name;
    double ratio;
    bool raw;
    bool allow;
    bool stops;
  };
  const Case cases[] = {
      {"equal", 1.0, true, false, false},
      {"another tokenizer, fewer", 0.85, true, false, true},
      {"another tokenizer, more", 1.2, true, false, true},
      {"allowed, fewer", 0.85, true, true, false},
      {"allowed, more", 1.2, true, true, false},
      {"messages: a template's own text", 1.05, false, false, false},
      {"messages: cut", 0.5, false, false, true},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    ScriptedSource source({4096}, 30);
    ScriptedRun run([&](const Request& request, int64_t) -> ScriptedAnswer {
      Reply reply = good_reply(request);
      reply.usage.input =
          static_cast<int64_t>(static_cast<double>(request.expected_prompt_tokens) * c.ratio);
      return {reply};
    });
    RunOptions options = scripted_options(folder.path());
    options.settings.profile.raw_prompts = c.raw;
    options.limits.allow_count_mismatch = c.allow;
    options.limits.requests_in_flight = 16;
    const auto result = run.execute(options, source);
    EXPECT_EQ(result.has_value(), !c.stops) << c.name;
    if (c.stops) {
      EXPECT_EQ(result.error().code, ErrorCode::kSetup) << c.name;
      EXPECT_THAT(result.error().message, HasSubstr("4068")) << c.name;
      EXPECT_EQ(run.model.sent.size(), 3U) << c.name;
      EXPECT_EQ(answered(folder.path()), 0U) << c.name;
    } else {
      EXPECT_EQ(answered(folder.path()), 30U) << c.name;
      EXPECT_EQ(run.summary.warnings.size(), c.allow ? 1U : 0U) << c.name;
    }
  }
}

TEST(RunStops, R4_a_cut_prompt_is_its_own_outcome) {
  for (const bool other_tokenizer : {false, true}) {
    const TemporaryFolder folder;
    ScriptedSource source({1024, 8192}, 5);
    ScriptedRun run([&](const Request& request, int64_t) -> ScriptedAnswer {
      Reply reply = good_reply(request);
      const double ratio = other_tokenizer ? 1.15 : 1.0;
      reply.usage.input = std::min<int64_t>(
          static_cast<int64_t>(static_cast<double>(request.expected_prompt_tokens) * ratio), 4096);
      return {reply};
    });
    RunOptions options = scripted_options(folder.path());
    options.limits.allow_count_mismatch = other_tokenizer;
    const auto summary = run.execute(options, source);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 5);
    EXPECT_EQ(summary->outcomes.at(Outcome::kInputTruncated), 5);
    EXPECT_THAT(summary->warnings, testing::Contains(HasSubstr("cut by the server")));
  }
}

TEST(RunStops, R4_a_server_that_counts_nothing_is_said) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 5);
  ScriptedRun run([](const Request& request, int64_t) -> ScriptedAnswer {
    Reply reply = good_reply(request);
    reply.usage = {};
    return {reply};
  });
  const auto summary = run.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 5);
  EXPECT_THAT(summary->warnings,
              testing::ElementsAre(HasSubstr("5 replies came without a count of prompt tokens")));
}

TEST(RunStops, Q3_a_source_that_fails_ends_the_run_with_its_error) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 10);
  source.fail_at = 7;
  ScriptedRun run;
  const auto result = run.execute(scripted_options(folder.path()), source);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("samples.jsonl: cannot be read"));
  source.fail_at.reset();
  ScriptedRun again;
  ASSERT_TRUE(again.execute(scripted_options(folder.path()), source));
  EXPECT_EQ(answered(folder.path()), 10U);
}

// The journal cannot grow any more in the child; the parent goes on where it stopped.
TEST(RunStops, Q3_full_disk_stops_clean_and_resumes) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{6'000, 6'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ScriptedSource source({1024}, 50);
    ScriptedRun run;
    const auto result = run.execute(scripted_options(folder.path()), source);
    const bool right = !result && result.error().code == ErrorCode::kIo &&
                       result.error().message.find("attempts.jsonl") != std::string::npos &&
                       result.error().message.find("same command again") != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const size_t kept = answered(folder.path());
  EXPECT_GT(kept, 3U);
  ScriptedSource source({1024}, 50);
  ScriptedRun again;
  ASSERT_TRUE(again.execute(scripted_options(folder.path()), source));
  EXPECT_EQ(again.model.sent.size(), 50 - kept);
  EXPECT_EQ(answered(folder.path()), 50U);
}

TEST(RunStops, two_processes_do_not_share_a_journal) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 3);
  ScriptedTime time;
  const auto first = Run::open(scripted_options(folder.path()), source, time);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = Run::open(scripted_options(folder.path()), source, time);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUsage);
  EXPECT_THAT(second.error().message, HasSubstr("is working on this run"));
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(::getpid())));
}

TEST(RunStops, D1_shards_share_a_folder_and_the_work) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 2048}, 7);
  size_t sent = 0;
  for (int64_t index = 0; index < 3; ++index) {
    ScriptedRun run;
    RunOptions options = scripted_options(folder.path());
    options.shard = {.index = index, .count = 3};
    const auto summary = run.execute(options, source);
    ASSERT_TRUE(summary) << summary.error().message;
    sent += run.model.sent.size();
  }
  EXPECT_EQ(sent, 14U);
  EXPECT_EQ(answered(folder.path()), 14U);
  ScriptedRun whole;  // one process for all finds nothing left
  const auto summary = whole.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->requests, 0);
}

TEST(RunStops, a_changed_sample_refuses_to_resume) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 3);
  ScriptedRun first;
  ASSERT_TRUE(first.execute(scripted_options(folder.path()), source));
  source.samples[1].prompt += "!";
  ScriptedRun second;
  const auto result = second.execute(scripted_options(folder.path()), source);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInput);
  EXPECT_THAT(result.error().message, HasSubstr("t:1024:1"));
}

TEST(RunStops, R10_k_attempts_have_their_own_numbers) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 4);
  ScriptedRun run;
  RunOptions options = scripted_options(folder.path());
  options.settings.attempts = 3;
  const auto summary = run.execute(options, source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->total, 12);
  const auto attempts = read_attempts(folder.path());
  ASSERT_TRUE(attempts);
  std::set<std::pair<std::string, int64_t>> keys;
  for (const Attempt& attempt : *attempts) keys.emplace(attempt.sample_id, attempt.number);
  EXPECT_EQ(keys.size(), 12U);
}

}  // namespace
}  // namespace fathom

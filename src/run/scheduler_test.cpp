#include "run/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "run/scripted_world_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;

std::map<std::string, Attempt> attempts_by_id(const std::string& folder) {
  std::map<std::string, Attempt> out;
  const auto attempts = read_attempts(folder);
  EXPECT_TRUE(attempts) << attempts.error().message;
  if (attempts)
    for (const Attempt& attempt : *attempts) out[attempt.sample_id] = attempt;
  return out;
}

TEST(Scheduler, asks_every_sample_once_and_keeps_the_answers) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 2048}, 5);
  ScriptedRun run;
  const auto summary = run.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->made, 10);
  EXPECT_EQ(summary->requests, 10);
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 10);
  const auto attempts = attempts_by_id(folder.path());
  ASSERT_EQ(attempts.size(), 10U);
  for (const Sample& sample : source.samples) {
    const Attempt& attempt = attempts.at(sample.id);
    EXPECT_EQ(attempt.reply.text, "answer to " + sample.id);
    EXPECT_EQ(attempt.sample_hash, sample.hash());
    EXPECT_EQ(attempt.expected_prompt_tokens, sample.tokens.prompt);
  }
  // Short lengths first (G, V1).
  for (size_t i = 0; i < 5; ++i) EXPECT_THAT(run.model.sent[i].id, HasSubstr("t:1024:"));
}

TEST(Scheduler, R2_the_same_command_again_sends_nothing) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 5);
  ScriptedRun first;
  ASSERT_TRUE(first.execute(scripted_options(folder.path()), source));
  const auto record = read_file(folder.path("run.json"));
  ScriptedRun second;
  const auto summary = second.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->made, 0);
  EXPECT_EQ(summary->before, 5);
  EXPECT_EQ(summary->requests, 0);
  EXPECT_TRUE(second.model.sent.empty());
  EXPECT_EQ(read_file(folder.path("run.json")), record);
}

// R3: every failure has its outcome, and stays in the record.
TEST(Scheduler, R3_outcomes) {
  struct Case {
    const char* name;
    Answer answer;
    Outcome outcome;
    int64_t requests;
  };
  const auto reply = [](StopReason stop, const char* text, const char* thinking) {
    Reply out;
    out.stop = stop;
    out.text = text;
    out.thinking = thinking;
    out.total_ms = 5;
    return out;
  };
  const Case cases[] = {
      {"end", reply(StopReason::kEnd, "x", ""), Outcome::kAnswered, 1},
      {"end, empty", reply(StopReason::kEnd, "", ""), Outcome::kAnswered, 1},
      {"unknown stop", reply(StopReason::kUnknown, "x", ""), Outcome::kAnswered, 1},
      {"cut", reply(StopReason::kLength, "x", ""), Outcome::kOutputCut, 1},
      {"cut, nothing said", reply(StopReason::kLength, "", ""), Outcome::kOutputCut, 1},
      {"cut while answering after thinking", reply(StopReason::kLength, "x", "hm"),
       Outcome::kOutputCut, 1},
      {"cut while thinking", reply(StopReason::kLength, "", "hm"), Outcome::kThinkingCut, 1},
      {"filtered reply", reply(StopReason::kFiltered, "x", ""), Outcome::kRefused, 1},
      {"over window", failure(FailureKind::kOverWindow, 400), Outcome::kOverWindow, 1},
      {"refused", failure(FailureKind::kRefused, 400), Outcome::kRefused, 1},
      {"out of memory", failure(FailureKind::kOutOfMemory), Outcome::kOutOfMemory, 1},
      {"timed out", failure(FailureKind::kTimedOut), Outcome::kTimedOut, 1},
      {"permanent is never sent again", failure(FailureKind::kPermanent, 400),
       Outcome::kErrorPermanent, 1},
      {"transient is sent again", failure(FailureKind::kTransient, 500), Outcome::kErrorTransient,
       6},
      {"429 is sent again longer", failure(FailureKind::kRateLimited, 429),
       Outcome::kErrorTransient, 60},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    ScriptedSource source({1024}, 1);
    ScriptedRun run([&](const Request&, int64_t) { return ScriptedAnswer{c.answer}; });
    RunOptions options = scripted_options(folder.path());
    options.limits.failed_share = 0;
    const auto summary = run.execute(options, source);
    ASSERT_TRUE(summary) << c.name << ": " << summary.error().message;
    const auto attempts = attempts_by_id(folder.path());
    ASSERT_EQ(attempts.size(), 1U) << c.name;
    EXPECT_EQ(attempts.begin()->second.outcome, c.outcome) << c.name;
    EXPECT_EQ(attempts.begin()->second.tries, c.requests) << c.name;
    EXPECT_EQ(static_cast<int64_t>(run.model.sent.size()), c.requests) << c.name;
  }
}

TEST(Scheduler, R5_backoff_doubles_with_jitter_and_honours_retry_after) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 1);
  ScriptedRun run([](const Request& request, int64_t before) -> ScriptedAnswer {
    if (before < 4) return {failure(FailureKind::kTransient, 502), 0};
    if (before == 4) return {failure(FailureKind::kRateLimited, 429, 20'000), 0};
    return {good_reply(request)};
  });
  ASSERT_TRUE(run.execute(scripted_options(folder.path()), source));
  ASSERT_EQ(run.model.sent.size(), 6U);
  std::vector<int64_t> gaps;
  for (size_t i = 1; i < run.model.sent.size(); ++i)
    gaps.push_back(run.model.sent[i].at_ms - run.model.sent[i - 1].at_ms);
  for (size_t i = 0; i < 4; ++i) {
    const double base = 500.0 * static_cast<double>(1 << i);
    EXPECT_GE(static_cast<double>(gaps[i]), base * 0.5) << i;
    EXPECT_LE(static_cast<double>(gaps[i]), base * 1.5 + 1) << i;
  }
  EXPECT_GE(gaps[4], 20'000);
  EXPECT_LE(gaps[4], 22'100);
}

TEST(Scheduler, R5_retry_after_holds_everything_back) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 12);
  ScriptedRun run([](const Request& request, int64_t before) -> ScriptedAnswer {
    if (request.id == "t:1024:3" && before == 0)
      return {failure(FailureKind::kRateLimited, 429, 60'000), 10};
    return {good_reply(request), 100};
  });
  ASSERT_TRUE(run.execute(scripted_options(folder.path()), source));
  int64_t refused_at = 0;
  for (const auto& sent : run.model.sent)
    if (sent.id == "t:1024:3" && refused_at == 0) refused_at = sent.at_ms + 10;
  for (const auto& sent : run.model.sent)
    EXPECT_FALSE(sent.at_ms > refused_at && sent.at_ms < refused_at + 60'000) << sent.id;
  EXPECT_EQ(run.model.sent.size(), 13U);
}

TEST(Scheduler, R5_limits_at_once) {
  for (const int64_t at_once : {1, 3, 7}) {
    const TemporaryFolder folder;
    ScriptedSource source({1024}, 30);
    ScriptedRun run;
    RunOptions options = scripted_options(folder.path());
    options.limits.requests_in_flight = at_once;
    ASSERT_TRUE(run.execute(options, source));
    EXPECT_EQ(run.model.most_at_once, at_once);
  }
}

TEST(Scheduler, R5_tokens_in_flight) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 4096, 65536}, 6);
  ScriptedRun run;
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 100;
  options.limits.tokens_in_flight = 10'000;
  ASSERT_TRUE(run.execute(options, source));
  // A request above the limit goes alone.
  EXPECT_EQ(run.model.most_tokens, 65536);
  EXPECT_EQ(run.model.sent.size(), 18U);
  EXPECT_EQ(run.model.most_at_once, 6);  // all the short ones; nine would fit
}

TEST(Scheduler, R5_tokens_in_flight_bind_before_requests_do) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 40);
  ScriptedRun run;
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 100;
  options.limits.tokens_in_flight = 10'000;
  ASSERT_TRUE(run.execute(options, source));
  EXPECT_EQ(run.model.most_at_once, 10'000 / 1024);
  EXPECT_EQ(run.model.most_tokens, 9 * 1024);
}

TEST(Scheduler, R5_requests_and_tokens_per_minute) {
  struct Case {
    int64_t requests_per_minute, tokens_per_minute, length;
  };
  for (const Case& c : {Case{60, 0, 1024}, Case{0, 60'000, 1024}, Case{30, 200'000, 8192},
                        Case{0, 200'000, 131'072}}) {
    const TemporaryFolder folder;
    ScriptedSource source({c.length}, 40);
    ScriptedRun run([](const Request& r, int64_t) { return ScriptedAnswer{good_reply(r), 10}; });
    RunOptions options = scripted_options(folder.path());
    options.limits.requests_in_flight = 50;
    options.limits.requests_per_minute = c.requests_per_minute;
    options.limits.tokens_per_minute = c.tokens_per_minute;
    ASSERT_TRUE(run.execute(options, source));
    const auto& sent = run.model.sent;
    ASSERT_EQ(sent.size(), 40U);
    for (size_t i = 0; i < sent.size(); ++i) {
      int64_t in_minute = 0;
      for (size_t k = i; k < sent.size() && sent[k].at_ms < sent[i].at_ms + 60'000; ++k)
        ++in_minute;
      // The long-run rate, five seconds' worth of burst, and one request on each side.
      if (c.requests_per_minute > 0) {
        EXPECT_LE(in_minute, c.requests_per_minute + c.requests_per_minute / 12 + 2);
      }
      if (c.tokens_per_minute > 0) {
        EXPECT_LE(in_minute * c.length,
                  c.tokens_per_minute + c.tokens_per_minute / 12 + 2 * c.length);
      }
    }
    // And the limit is used: no slower than 90 % of it.
    const double minutes = static_cast<double>(sent.back().at_ms - sent.front().at_ms) / 60'000;
    double wanted = 1e9;
    if (c.requests_per_minute > 0)
      wanted = std::min(wanted, static_cast<double>(c.requests_per_minute));
    if (c.tokens_per_minute > 0)
      wanted = std::min(wanted,
                        static_cast<double>(c.tokens_per_minute) / static_cast<double>(c.length));
    EXPECT_LE(minutes, 40 / wanted / 0.9);
  }
}

TEST(Scheduler, R5_adaptive_grows_and_halves) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 400);
  int64_t open = 0;
  ScriptedTime* time = nullptr;
  int64_t refused = 0;
  // A server that serves ten at once and refuses the eleventh.
  ScriptedRun run([&](const Request& request, int64_t) -> ScriptedAnswer {
    if (open >= 10) {
      ++refused;
      return {failure(FailureKind::kRateLimited, 429), 1};
    }
    ++open;
    time->at(time->monotonic_ms() + 99, [&] { --open; });
    return {good_reply(request), 100};
  });
  time = &run.time;
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 64;
  options.limits.adaptive = true;
  const auto summary = run.execute(options, source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 400);
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 60);
  EXPECT_LE(run.model.most_at_once, 25);
  // 400 requests of 100 ms at about 7 of 10 at once on average.
  EXPECT_LT(run.time.monotonic_ms(), 1'000 + 400 * 100 / 4 + 5'000);
}

TEST(Scheduler, R5_retry_budget_ends_retrying) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 10);
  ScriptedRun run([](const Request&, int64_t) {
    return ScriptedAnswer{failure(FailureKind::kTransient, 500), 5};
  });
  RunOptions options = scripted_options(folder.path());
  options.limits.retries_in_all = 7;
  options.limits.failed_share = 0;
  ASSERT_TRUE(run.execute(options, source));
  EXPECT_EQ(run.model.sent.size(), 17U);
}

TEST(Scheduler, R5_deadline_by_length) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 2048, 4096}, 2);
  ScriptedRun run([](const Request& request, int64_t) -> ScriptedAnswer {
    if (request.id == "t:2048:0") return {Reply{}, 0, true};  // hangs
    return {good_reply(request), 5'000};
  });
  RunOptions options = scripted_options(folder.path());
  options.limits.deadline_ms = {{1024, 6'000}, {2048, 7'000}};
  const auto summary = run.execute(options, source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kTimedOut), 1);
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 5);
  const auto attempts = attempts_by_id(folder.path());
  EXPECT_EQ(attempts.at("t:2048:0").outcome, Outcome::kTimedOut);
  EXPECT_THAT(attempts.at("t:2048:0").detail, HasSubstr("7000 ms"));
}

TEST(Scheduler, R5_hanging_requests_in_every_slot_do_not_stop_the_run) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 2048}, 4);
  ScriptedRun run([](const Request& request, int64_t) -> ScriptedAnswer {
    if (request.id.starts_with("t:1024")) return {Reply{}, 0, true};
    return {good_reply(request), 50};
  });
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 2;
  options.limits.deadline_ms = {{1024, 1'000}};
  options.limits.count_check_samples = 0;
  const auto summary = run.execute(options, source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kTimedOut), 4);
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 4);
}

TEST(Scheduler, samples_above_a_known_window_are_not_sent) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 8192}, 3);
  ScriptedRun run;
  RunOptions options = scripted_options(folder.path());
  options.settings.profile.window_tokens = 4096;
  const auto summary = run.execute(options, source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kOverWindow), 3);
  EXPECT_EQ(run.model.sent.size(), 3U);
  EXPECT_EQ(attempts_by_id(folder.path()).at("t:8192:0").tries, 0);
}

TEST(Scheduler, R7_prompts_of_one_haystack_stand_together_and_say_what_they_share) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 6);
  for (size_t i = 0; i < source.samples.size(); ++i) {
    source.samples[i].haystack = i % 2 == 0 ? "even" : "odd";
    source.samples[i].prompt = source.samples[i].haystack + " question " + std::to_string(i);
  }
  ScriptedRun run;
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 1;
  ASSERT_TRUE(run.execute(options, source));
  std::vector<std::string> ids;
  std::vector<size_t> shared;
  for (const auto& sent : run.model.sent) {
    ids.push_back(sent.id);
    shared.push_back(sent.shared_prefix_bytes);
  }
  EXPECT_THAT(ids, testing::ElementsAre("t:1024:0", "t:1024:2", "t:1024:4", "t:1024:1", "t:1024:3",
                                        "t:1024:5"));
  EXPECT_THAT(shared, testing::ElementsAre(0, 14, 14, 0, 13, 13));
}

}  // namespace
}  // namespace fathom

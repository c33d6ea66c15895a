// A run against a real HTTP client and a server that misbehaves: every fault once, on the way to a
// finished run (Q3, R3, R5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "model/openai_model.h"
#include "run/journal.h"
#include "run/scripted_world_test.h"
#include "servers/chat_replies.h"

namespace fathom {
namespace {

// Prompt counts as the samples below expect them, so that nothing looks cut.
ServerReply good_stream() {
  return chat_stream({"for", "ty"}, {.prompt_tokens = 1024 - 28, .completion_tokens = 2});
}

struct ServerRun {
  explicit ServerRun(FaultServer::Respond answer) : server(openai_server("m", std::move(answer))) {}

  Result<RunSummary> execute(const std::string& folder, SampleSource& source) {
    ModelOptions model_options;
    model_options.model = "openai/m";
    model_options.base_url = server.url();
    model_options.idle_timeout_ms = 300;
    model_options.api_key_variable = "FATHOM_TEST_KEY";
    TRY(const auto model, open_openai_model(model_options, "m"));
    RunOptions options = scripted_options(folder);
    TRY(options.settings.profile, model->probe());
    options.limits.tries = 4;
    options.limits.rate_limited_tries = 2;
    options.limits.first_backoff_ms = 1;
    options.limits.longest_backoff_ms = 5;
    options.limits.failed_share = 0;
    TRY(Run run, Run::open(options, source, system_clock()));
    return run.execute(*model, stop, nullptr);
  }

  FaultServer server;
  StopFlag stop;
};

TEST(RunServer, Q3_each_named_fault_ends_in_one_outcome) {
  for (const auto& [name, fault] : named_faults()) {
    const TemporaryFolder folder;
    ScriptedSource source({1024}, 3);
    for (Sample& sample : source.samples)
      sample.messages = {{MessageRole::kUser, {0, sample.prompt.size()}}};
    ServerRun run([&, bad = fault](const ServerRequest& request) {
      return request.body.find("t:1024:1") != std::string::npos ? bad : good_stream();
    });
    const auto summary = run.execute(folder.path(), source);
    const auto attempts = read_attempts(folder.path());
    ASSERT_TRUE(attempts) << name << ": " << attempts.error().message;
    ASSERT_TRUE(summary) << name << ": " << summary.error().message;
    ASSERT_EQ(attempts->size(), 3U) << name;
    for (const Attempt& attempt : *attempts) {
      if (attempt.sample_id == "t:1024:1") {
        RecordProperty(name, std::string(to_text(attempt.outcome)));
        if (attempt.outcome != Outcome::kAnswered && attempt.outcome != Outcome::kOutputCut) {
          EXPECT_FALSE(attempt.detail.empty()) << name;
        }
      } else {
        EXPECT_EQ(attempt.outcome, Outcome::kAnswered) << name;
        EXPECT_EQ(attempt.reply.text, "forty") << name;
      }
    }
  }
}

TEST(RunServer, R5_transient_faults_pass_with_retries) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 12);
  for (Sample& sample : source.samples)
    sample.messages = {{MessageRole::kUser, {0, sample.prompt.size()}}};
  std::mutex mutex;
  std::map<std::string, int> seen;
  ServerRun run([&](const ServerRequest& request) {
    const std::lock_guard lock(mutex);
    if (seen[request.body]++ < 2)
      return status_reply(seen.size() % 2 == 0 ? 503 : 500, "try later");
    return good_stream();
  });
  const auto summary = run.execute(folder.path(), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->outcomes.at(Outcome::kAnswered), 12);
  EXPECT_EQ(summary->requests, 36);
  const auto attempts = read_attempts(folder.path());
  ASSERT_TRUE(attempts);
  for (const Attempt& attempt : *attempts) EXPECT_EQ(attempt.tries, 3);
}

}  // namespace
}  // namespace fathom

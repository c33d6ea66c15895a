#include "run/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "io/file.h"
#include "run/scripted_world_test.h"
#include "run/settings_json.h"

namespace fathom {
namespace {

using testing::HasSubstr;

RunSettings some_settings() {
  RunSettings out;
  out.model.model = "openai/m";
  out.model.base_url = "http://localhost:8000/v1";
  out.model.api = "chat";
  out.model.seed = UINT64_MAX;
  out.profile.provider = "openai";
  out.profile.name = "m";
  out.profile.version = "v1";
  out.profile.window_tokens = 8192;
  out.profile.chat_template = "{{ messages }}\n";
  out.profile.notes = {"a note"};
  out.decoding.temperature = 0.1;
  out.decoding.stop = {"\n\n"};
  out.suite = "ruler";
  out.dataset_hash = "d";
  out.tokenizer_hash = "t";
  out.template_hash = "h";
  out.chat_template = "model";
  out.length_counts = "prompt+reserve";
  out.more = {{"wording", "fathom"}};
  return out;
}

RunRecord some_record() {
  RunRecord out;
  out.id = "0123";
  out.created_unix_ms = 1'800'000'000'000;
  out.settings = some_settings();
  RunSession session;
  session.started_unix_ms = 5;
  session.fathom_version = "0.1.0";
  session.machine = this_machine();
  session.shard = {.index = 2, .count = 4};
  session.threads = 3;
  session.limits.deadline_ms = {{4096, 1000}, {8192, 2000}};
  session.limits.failed_share = 0.25;
  session.limits.adaptive = true;
  session.changed = {"model.base_url: 'a' → 'b'"};
  out.sessions = {session};
  return out;
}

TEST(RunRecord, R12_is_read_as_it_was_written) {
  const TemporaryFolder folder;
  const RunRecord record = some_record();
  ASSERT_TRUE(write_run_record(folder.path(), record));
  const auto read = read_run_record(folder.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(record));
  EXPECT_EQ(read->settings.model.seed, UINT64_MAX);
  EXPECT_EQ(read->settings.decoding, record.settings.decoding);
  EXPECT_EQ(read->sessions[0].limits.deadline_ms, record.sessions[0].limits.deadline_ms);
  EXPECT_EQ(read->sessions[0].machine, record.sessions[0].machine);
  EXPECT_TRUE(changed_settings(read->settings, record.settings).empty());
}

TEST(RunRecord, R12_tells_the_machine) {
  const Machine machine = this_machine();
  EXPECT_FALSE(machine.host.empty());
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory_bytes, 1 << 20);
  EXPECT_THAT(machine.system, HasSubstr("Linux"));
}

TEST(RunRecord, keeps_the_first_session_and_the_last_ones) {
  const TemporaryFolder folder;
  RunRecord record = some_record();
  for (int i = 0; i < 200; ++i) {
    record.sessions.push_back(record.sessions[0]);
    record.sessions.back().started_unix_ms = 1000 + i;
  }
  ASSERT_TRUE(write_run_record(folder.path(), record));
  const auto read = read_run_record(folder.path());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->sessions.size(), kKeptSessions);
  EXPECT_EQ(read->sessions.front().started_unix_ms, 5);
  EXPECT_EQ(read->sessions.back().started_unix_ms, 1199);
}

TEST(RunRecord, Q1_damage_is_named) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"fathom_run\": 1", "\"fathom_run\": 9"},
      {"\"id\": \"0123\"", "\"id\": 5"},
      {"\"window_tokens\": 8192", "\"window_tokens\": \"many\""},
      {"\"prefix_policy\": \"in-prompt\"", "\"prefix_policy\": \"somehow\""},
      {"\"8192\": 2000", "\"long\": 2000"},
      {"\"seed\": 18446744073709551615", "\"seed\": -1"},
      {"\"sessions\": [", "\"sessions\": 5, \"x\": ["},
      {"{", "["},
  };
  for (const auto& [from, to] : cases) {
    const TemporaryFolder folder;
    std::string text = to_pretty_json(to_json(some_record()));
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    ASSERT_TRUE(
        write_file_atomic(folder.path("run.json"), text.replace(at, std::strlen(from), to)));
    const auto read = read_run_record(folder.path());
    ASSERT_FALSE(read) << to;
    EXPECT_EQ(read.error().code, ErrorCode::kInput) << to;
    EXPECT_THAT(read.error().message, HasSubstr("run.json")) << to;
  }
}

// R2: each setting that decides results refuses to resume, by name and with both values.
TEST(RunRecord, R2_changed_settings_are_named) {
  struct Case {
    const char* name;
    void (*change)(RunSettings&);
    const char* before;
    const char* now;
  };
  const Case cases[] = {
      {"model", [](RunSettings& s) { s.model.model = "openai/n"; }, "openai/m", "openai/n"},
      {"model.base_url", [](RunSettings& s) { s.model.base_url = "http://b"; },
       "http://localhost:8000/v1", "http://b"},
      {"model.api", [](RunSettings& s) { s.model.api = "completions"; }, "chat", "completions"},
      {"model.seed", [](RunSettings& s) { s.model.seed = 1; }, "18446744073709551615", "1"},
      {"model.version", [](RunSettings& s) { s.profile.version = "v2"; }, "v1", "v2"},
      {"model.window_tokens", [](RunSettings& s) { s.profile.window_tokens = 4096; }, "8192",
       "4096"},
      {"model.raw_prompts", [](RunSettings& s) { s.profile.raw_prompts = true; }, "no", "yes"},
      {"model.prefix_policy",
       [](RunSettings& s) { s.profile.prefix_policy = PrefixPolicy::kDropped; }, "in-prompt",
       "dropped"},
      {"model.chat_template", [](RunSettings& s) { s.profile.chat_template = "x"; }, "text of hash",
       "x"},
      {"decoding.temperature", [](RunSettings& s) { s.decoding.temperature = 1; }, "0.1", "1"},
      {"decoding.top_p", [](RunSettings& s) { s.decoding.top_p = 0.5; }, "1", "0.5"},
      {"decoding.seed", [](RunSettings& s) { s.decoding.seed = 3; }, "0", "3"},
      {"decoding.stop", [](RunSettings& s) { s.decoding.stop = {}; }, "[\"\\n\\n\"]", "[]"},
      {"max_output_tokens", [](RunSettings& s) { s.max_output_tokens = 9; }, "0", "9"},
      {"attempts", [](RunSettings& s) { s.attempts = 2; }, "1", "2"},
      {"add_special", [](RunSettings& s) { s.add_special = false; }, "yes", "no"},
      {"suite", [](RunSettings& s) { s.suite = "mine"; }, "ruler", "mine"},
      {"tokenizer_hash", [](RunSettings& s) { s.tokenizer_hash = "u"; }, "t", "u"},
      {"chat_template", [](RunSettings& s) { s.chat_template = "none"; }, "model", "none"},
      {"template_hash", [](RunSettings& s) { s.template_hash = ""; }, "h", ""},
      {"length_counts", [](RunSettings& s) { s.length_counts = "prompt"; }, "prompt+reserve",
       "prompt"},
      {"dataset_hash", [](RunSettings& s) { s.dataset_hash = "e"; }, "d", "e"},
      {"wording", [](RunSettings& s) { s.more["wording"] = "ruler"; }, "fathom", "ruler"},
      {"added", [](RunSettings& s) { s.more["added"] = "1"; }, "", "1"},
  };
  for (const Case& c : cases) {
    RunSettings now = some_settings();
    c.change(now);
    const auto changes = changed_settings(some_settings(), now);
    ASSERT_EQ(changes.size(), 1U) << c.name;
    EXPECT_EQ(changes[0].name, c.name);
    const auto refused = check_same_settings("runs/a", some_settings(), now, {});
    ASSERT_FALSE(refused) << c.name;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    for (const char* part : {"runs/a", c.name, c.before, c.now})
      EXPECT_THAT(refused.error().message, HasSubstr(part)) << c.name;
    const auto allowed = check_same_settings("runs/a", some_settings(), now, {c.name});
    ASSERT_TRUE(allowed) << c.name;
    EXPECT_EQ(allowed->size(), 1U);
  }
}

TEST(RunRecord, R2_what_does_not_decide_results_may_change) {
  RunSettings now = some_settings();
  now.model.threads = 64;
  now.model.idle_timeout_ms = 9;
  now.model.api_key_variable = "OTHER_KEY";
  now.profile.slots = 3;
  now.profile.notes = {};
  now.dataset = "elsewhere";
  now.tokenizer = "elsewhere";
  EXPECT_TRUE(changed_settings(some_settings(), now).empty());
  // A model file may lie elsewhere: its hash decides.
  RunSettings before = some_settings();
  before.profile.provider = now.profile.provider = "gguf";
  now.model.model = "/elsewhere/m.gguf";
  now.profile.name = "other file name";
  EXPECT_TRUE(changed_settings(before, now).empty());
}

TEST(RunRecord, R2_limits_may_change_and_settings_may_not_in_a_real_folder) {
  const TemporaryFolder folder;
  ScriptedSource source({1024}, 2);
  ScriptedRun first;
  ASSERT_TRUE(first.execute(scripted_options(folder.path()), source));
  RunOptions options = scripted_options(folder.path());
  options.limits.requests_in_flight = 99;
  options.threads = 9;
  ScriptedRun second;
  EXPECT_TRUE(second.execute(options, source));
  options.settings.decoding.temperature = 0.7;
  ScriptedRun third;
  const auto refused = third.execute(options, source);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("decoding.temperature '0', now it is '0.7'"));
  EXPECT_TRUE(third.model.sent.empty());
}

TEST(RunRecord, R11_no_secret_reaches_the_record) {
  const std::pair<const char*, const char*> urls[] = {
      {"https://host/v1", "https://host/v1"},
      {"https://user:sk-secret@host/v1", "https://host/v1"},
      {"https://sk-secret@host:8000", "https://host:8000"},
      {"https://host/v1?key=sk-secret", "https://host/v1"},
      {"https://host/v1#sk-secret", "https://host/v1"},
      {"https://host/a@b", "https://host/a@b"},
      {"user:sk-secret@host", "host"},
      {"", ""},
  };
  for (const auto& [url, clean] : urls) {
    EXPECT_EQ(without_secrets(url), clean);
    RunRecord record = some_record();
    record.settings.model.base_url = url;
    record.settings.model.api_key_variable = "sk-secret";  // a key given where a name belongs
    EXPECT_THAT(to_json_line(to_json(record)), testing::Not(HasSubstr("secret")));
  }
}

}  // namespace
}  // namespace fathom

#include "run/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <limits>

#include "run/folder_lock.h"
#include "run/journal_line.h"
#include "run/scripted_world_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;

Attempt some_attempt(const std::string& id, Outcome outcome = Outcome::kAnswered) {
  Attempt out;
  out.sample_id = id;
  out.sample_hash = "h-" + id;
  out.outcome = outcome;
  out.reply.text = "The answer is 42.";
  out.reply.usage = {.input = 1000, .output = 12};
  out.reply.stop = StopReason::kEnd;
  out.reply.first_token_ms = 12.25;
  out.reply.memory = {.kv = 46080, .peak = 123456789};
  out.reply.total_ms = 99.5;
  out.tries = 2;
  out.expected_prompt_tokens = 1000;
  out.started_unix_ms = 1'800'000'000'123;
  return out;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string header_line() { return to_journal_line(JournalHeader{.run_id = "r1"}) + "\n"; }

TEST(JournalLine, keeps_every_field) {
  std::vector<Attempt> attempts;
  attempts.push_back(some_attempt("plain"));
  Attempt full = some_attempt("quotes \" \\ and \n lines \t \x01 \x7f 日本語 🙂");
  full.number = 7;
  full.outcome = Outcome::kThinkingCut;
  full.reply.text = std::string("nul \0 inside", 12);
  full.reply.thinking = "hm\r\n";
  full.reply.usage = {.input = 0, .cached = 1, .cache_write = 2, .output = 3, .thinking = 4};
  full.reply.model = "m";
  full.reply.request_id = "req";
  full.detail = "</script>";
  full.prefix_policy = PrefixPolicy::kDropped;
  attempts.push_back(full);
  for (const Outcome outcome : {Outcome::kOutputCut, Outcome::kOverWindow, Outcome::kInputTruncated,
                                Outcome::kRefused, Outcome::kOutOfMemory, Outcome::kTimedOut,
                                Outcome::kErrorPermanent, Outcome::kErrorTransient})
    attempts.push_back(some_attempt("x", outcome));
  for (const Attempt& attempt : attempts) {
    const std::string line = to_journal_line(attempt);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto parsed = attempt_from_line(line, "here");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(*parsed, attempt);
  }
}

TEST(JournalLine, invalid_utf8_and_absurd_times_do_not_break_the_line) {
  Attempt attempt = some_attempt("x");
  attempt.reply.text = "\xff\xfe half \xe6\x97";
  attempt.reply.total_ms = std::numeric_limits<double>::quiet_NaN();
  attempt.reply.first_token_ms = std::numeric_limits<double>::infinity();
  const auto parsed = attempt_from_line(to_journal_line(attempt), "here");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->reply.text, HasSubstr("\xEF\xBF\xBD half \xEF\xBF\xBD"));
}

// Q1: a damaged line is named by file and line.
TEST(Journal, Q1_hostile_lines) {
  const std::string good = to_journal_line(some_attempt("a"));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string out = good;
    const size_t at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  struct Case {
    std::string line, error;
  };
  const Case cases[] = {
      {"{", "not valid JSON"},
      {"garbage", "not valid JSON"},
      {std::string(20, '\0'), "not valid JSON"},
      {good.substr(0, good.size() / 2), "not valid JSON"},
      {good + good, "not valid JSON"},
      {"[]", "must be an object"},
      {"{}", "key 'sample' is missing"},
      {replaced("\"sample\":\"a\"", "\"sample\":3"), "key 'sample' must be a string"},
      {replaced("\"sample\":\"a\"", "\"sample\":\"\""), "must be a sample's id"},
      {replaced("\"attempt\":0", "\"attempt\":-1"), "must be 0 or more"},
      {replaced("\"attempt\":0", "\"attempt\":99999999999999999999"), "not valid JSON"},
      {replaced("\"attempt\":0", "\"attempt\":9999999999999999999"),
       "key 'attempt' must be a whole number"},
      {replaced("\"outcome\":\"answered\"", "\"outcome\":\"fine\""), "'fine' is not an outcome"},
      {replaced("\"stop\":\"end\"", "\"stop\":\"stopped\""), "not a stop reason"},
      {replaced("\"prefix_policy\":\"in-prompt\"", "\"prefix_policy\":null"), "'prefix_policy'"},
      {replaced("\"usage\":{", "\"usage\":[{"), "not valid JSON"},
      {replaced("\"input\":1000", "\"input\":\"many\""), "key 'usage.input'"},
      {replaced("\"tries\":2", "\"tries\":2.5"), "key 'tries' must be a whole number"},
      {std::string(5'000, '['), "not valid JSON"},
      {"\xff\xfe\xfd", "not valid JSON"},
  };
  const TemporaryFolder folder;
  const std::string path = folder.path("attempts.jsonl");
  for (const Case& c : cases) {
    write_text(path, header_line() + good + "\n" + c.line + "\n" + good + "\n");
    const auto result = for_each_attempt(path, "r1", [](Attempt&&) -> Result<void> { return {}; });
    ASSERT_FALSE(result) << c.line;
    EXPECT_EQ(result.error().code, ErrorCode::kInput) << c.line;
    EXPECT_THAT(result.error().message, HasSubstr(path + ":3: ")) << c.line;
    EXPECT_THAT(result.error().message, HasSubstr(c.error)) << c.line;
  }
}

TEST(Journal, of_another_run_or_version_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.path("attempts.jsonl");
  write_text(path, header_line());
  EXPECT_TRUE(Journal::open(path, "r1"));
  const auto other = Journal::open(path, "r2");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("belongs to run r1"));
  write_text(path, "{\"fathom_journal\":2,\"run\":\"r1\"}\n");
  EXPECT_FALSE(Journal::open(path, "r1"));
  write_text(path, to_journal_line(some_attempt("a")) + "\n");
  EXPECT_FALSE(Journal::open(path, "r1"));
}

// Cut at every byte of the last line: the lines before it survive, and appending goes on.
TEST(Journal, Q3_torn_last_line_at_every_byte) {
  const TemporaryFolder folder;
  const std::string path = folder.path("attempts.jsonl");
  const std::string whole = header_line() + to_journal_line(some_attempt("a")) + "\n";
  const std::string last = to_journal_line(some_attempt("b")) + "\n";
  for (size_t cut = 0; cut < last.size(); ++cut) {
    write_text(path, whole + last.substr(0, cut));
    const auto before = read_attempts(folder.path());
    ASSERT_TRUE(before) << before.error().message;
    ASSERT_EQ(before->size(), 1U) << cut;
    auto journal = Journal::open(path, "r1");
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->append({some_attempt("c"), some_attempt("d")}));
    const auto after = read_attempts(folder.path());
    ASSERT_TRUE(after) << after.error().message;
    ASSERT_EQ(after->size(), 3U) << cut;
    EXPECT_EQ((*after)[1].sample_id, "c");
  }
  // Cut inside the first line of all: begun anew.
  write_text(path, header_line().substr(0, 9));
  auto journal = Journal::open(path, "r1");
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->append({some_attempt("c")}));
  EXPECT_EQ(read_attempts(folder.path())->size(), 1U);
}

TEST(Journal, of_several_lines_the_last_final_one_counts) {
  struct Case {
    std::vector<Outcome> first_file, second_file;
    Outcome wins;
  };
  const Outcome ok = Outcome::kAnswered;
  const Outcome cut = Outcome::kOutputCut;
  const Outcome bad = Outcome::kErrorTransient;
  const Outcome worse = Outcome::kErrorPermanent;
  const Case cases[] = {
      {{ok}, {}, ok},       {{bad, ok}, {}, ok},       {{ok, bad}, {}, ok},
      {{ok, cut}, {}, cut}, {{bad, worse}, {}, worse}, {{ok}, {bad}, ok},
      {{bad}, {ok}, ok},    {{cut}, {ok}, ok},         {{bad}, {worse}, worse},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::vector<Outcome>& outcomes) {
      std::string text = header_line();
      for (const Outcome outcome : outcomes)
        text += to_journal_line(some_attempt("a", outcome)) + "\n";
      write_text(folder.path(name), text);
    };
    write("attempts-0-of-2.jsonl", c.first_file);
    write("attempts-1-of-2.jsonl", c.second_file);
    const auto attempts = read_attempts(folder.path());
    ASSERT_TRUE(attempts) << attempts.error().message;
    ASSERT_EQ(attempts->size(), 1U);
    EXPECT_EQ(attempts->front().outcome, c.wins);
  }
}

// A hundred thousand lines reopen well within a second in an optimised build; here results are
// asserted, the time is printed.
TEST(Journal, a_hundred_thousand_lines) {
  const TemporaryFolder folder;
  const std::string path = folder.path("attempts.jsonl");
  {
    std::ofstream out(path, std::ios::binary);
    out << header_line();
    for (int i = 0; i < 100'000; ++i)
      out << to_journal_line(some_attempt(fmt::format("niah_single_1:4096:{}", i))) << "\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  size_t count = 0;
  ASSERT_TRUE(Journal::open(path, "r1"));
  ASSERT_TRUE(for_each_attempt(path, "r1", [&](Attempt&&) -> Result<void> {
    ++count;
    return {};
  }));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(count, 100'000U);
  RecordProperty("seconds", std::to_string(seconds.count()));
  fmt::print("100,000 journal lines reopened in {:.3f} s\n", seconds.count());
}

TEST(FolderLock, one_holder_and_stale_owners) {
  const TemporaryFolder folder;
  const std::string path = folder.path("lock");
  {
    const auto lock = FolderLock::take(path);
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_FALSE(FolderLock::take(path));
  }
  EXPECT_TRUE(FolderLock::take(path));

  const std::string owner = folder.path("owner");
  {
    const auto lock = FolderLock::take_by_owner_file(owner);
    ASSERT_TRUE(lock) << lock.error().message;
    const auto second = FolderLock::take_by_owner_file(owner);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("delete this file"));
  }
  EXPECT_FALSE(file_exists(owner));
  // Left by a process of this machine that is gone.
  const std::string stale = fmt::format(
      R"({{"host":"{}","process":999999999,"process_start":"1","boot":"x","since":"then"}})",
      this_machine().host);
  write_text(owner, stale);
  EXPECT_TRUE(FolderLock::take_by_owner_file(owner));
  // Of another machine: nobody can know.
  write_text(owner,
             R"({"host":"elsewhere","process":1,"process_start":"1","boot":"x","since":"then"})");
  const auto refused = FolderLock::take_by_owner_file(owner);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("process 1 on elsewhere"));
}

}  // namespace
}  // namespace fathom

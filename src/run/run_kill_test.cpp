// R2, Q3: a run killed at random moments and resumed equals an uninterrupted one and repeats no
// finished request.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "base/random.h"
#include "io/file.h"
#include "run/journal.h"
#include "run/scripted_world_test.h"

namespace fathom {
namespace {

constexpr int64_t kSamples = 60;

// Answers from threads of its own after a moment. What it was asked is written to a file with one
// write(2) per request, so that it survives the kill.
class ThreadedModel : public Model {
 public:
  explicit ThreadedModel(const std::string& log)
      : log_(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644)) {}
  ~ThreadedModel() override {
    threads_.clear();
    ::close(log_);
  }
  Result<ModelProfile> probe() override { return ModelProfile{}; }
  void start(Request request, std::function<void(Answer)> done) override {
    const std::string line = request.id + "\n";
    if (::write(log_, line.data(), line.size()) < 0) ::_exit(99);
    const auto wait = std::chrono::milliseconds(1 + std::hash<std::string>{}(request.id) % 7);
    threads_.emplace_back([request = std::move(request), done = std::move(done), wait] {
      std::this_thread::sleep_for(wait);
      done(good_reply(request));
    });
  }
  void cancel_all() override {}
  Result<std::optional<int64_t>> count_tokens(const std::string&, bool) override {
    return std::optional<int64_t>();
  }
  int64_t processed_prompt_tokens() const override { return 0; }

 private:
  int log_;
  std::vector<std::jthread> threads_;
};

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) out.push_back(line);
  return out;
}

// True when the whole run finished.
bool run_once(const std::string& folder, const std::string& log) {
  ScriptedSource source({1024, 2048, 4096}, kSamples / 3);
  auto run = Run::open(scripted_options(folder), source, system_clock());
  if (!run) return false;
  ThreadedModel model(log);
  StopFlag stop;
  return run->execute(model, stop, nullptr).has_value();
}

TEST(RunKill, R2_sigkill_at_random_moments) {
  const TemporaryFolder folder;
  const std::string run_folder = folder.path("run");
  const std::string log = folder.path("asked");
  Random random(RandomKey(7), "kill moments");
  int kills = 0;
  bool finished = false;
  for (int round = 0; round < 200 && !finished; ++round) {
    const auto before = file_exists(run_folder + "/run.json") ? read_attempts(run_folder)
                                                              : Result<std::vector<Attempt>>{};
    ASSERT_TRUE(before) << before.error().message;
    std::set<std::string> done;
    for (const Attempt& attempt : *before) done.insert(attempt.sample_id);
    const size_t asked_before = lines_of(log).size();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(run_once(run_folder, log) ? 0 : 1);
    if (round < 25) {
      ::usleep(static_cast<useconds_t>(1'000 + random.below(25'000)));
      ::kill(child, SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ++kills;
    finished = WIFEXITED(status) && WEXITSTATUS(status) == 0 && round >= 20;
    // Nothing that was on disk before this round was asked in it.
    const auto asked = lines_of(log);
    for (size_t i = asked_before; i < asked.size(); ++i)
      EXPECT_FALSE(done.contains(asked[i])) << asked[i] << " was asked again in round " << round;
  }
  EXPECT_TRUE(finished);
  EXPECT_GE(kills, 5);
  ScriptedSource source({1024, 2048, 4096}, kSamples / 3);
  const auto attempts = read_attempts(run_folder);
  ASSERT_TRUE(attempts) << attempts.error().message;
  std::map<std::string, int> count;
  for (const Attempt& attempt : *attempts) {
    ++count[attempt.sample_id];
    EXPECT_EQ(attempt.reply.text, "answer to " + attempt.sample_id);
  }
  ASSERT_EQ(count.size(), static_cast<size_t>(kSamples));
  for (const Sample& sample : source.samples) EXPECT_EQ(count[sample.id], 1) << sample.id;
}

// Twenty kills that each hit a run in the middle: the model answers slowly enough.
TEST(RunKillSlow, R2_twenty_kills_in_the_middle) {
  const TemporaryFolder folder;
  Random random(RandomKey(8), "kill moments");
  for (int kill = 0; kill < 20; ++kill) {
    const std::string run_folder = folder.path(fmt::format("run{}", kill));
    const std::string log = folder.path(fmt::format("asked{}", kill));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(run_once(run_folder, log) ? 0 : 1);
    // Killed after a random number of journal lines.
    const size_t wanted = 1 + random.below(kSamples - 10);
    for (int i = 0; i < 20'000 && lines_of(run_folder + "/attempts.jsonl").size() < wanted; ++i)
      ::usleep(500);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the run ended before it was killed";
    const auto before = read_attempts(run_folder);
    ASSERT_TRUE(before) << before.error().message;
    ASSERT_GE(before->size() + 1, wanted);
    std::set<std::string> done;
    for (const Attempt& attempt : *before) done.insert(attempt.sample_id);
    const size_t asked_before = lines_of(log).size();
    // At most the requests in flight are lost.
    EXPECT_LE(asked_before, before->size() + 4);
    ASSERT_TRUE(run_once(run_folder, log));
    const auto asked = lines_of(log);
    EXPECT_EQ(asked.size() - asked_before, kSamples - before->size());
    for (size_t i = asked_before; i < asked.size(); ++i) EXPECT_FALSE(done.contains(asked[i]));
    const auto after = read_attempts(run_folder);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->size(), static_cast<size_t>(kSamples));
  }
}

}  // namespace
}  // namespace fathom

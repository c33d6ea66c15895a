#include "run/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "run/limiter.h"
#include "run/order.h"
#include "run/progress_line.h"
#include "run/request.h"
#include "run/scripted_world_test.h"

namespace fathom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Order, short_lengths_first_then_haystack_then_index) {
  const auto info = [](const char* id, int64_t length, int64_t index, const char* haystack) {
    SampleInfo out;
    out.id = id;
    out.length = length;
    out.index = index;
    out.haystack = haystack;
    return out;
  };
  const std::vector<SampleInfo> infos = {
      info("a", 2048, 0, ""),  info("b", 1024, 1, "h"), info("c", 1024, 0, ""),
      info("d", 1024, 3, "h"), info("e", 1024, 2, ""),  info("f", 2048, 0, "h"),
  };
  EXPECT_THAT(running_order(infos), ElementsAre(2, 1, 3, 4, 0, 5));
  EXPECT_TRUE(running_order({}).empty());
}

TEST(Plan, R6_sums_what_is_left_and_counts_what_is_done) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 4096}, 5);
  RunOptions options = scripted_options(folder.path());
  options.settings.profile.window_tokens = 4096;
  ScriptedTime time;
  {
    const auto run = Run::open(options, source, time);
    ASSERT_TRUE(run) << run.error().message;
    const PlanRow total = run->plan().total();
    EXPECT_EQ(total.attempts, 10);
    EXPECT_EQ(total.finished, 0);
    EXPECT_EQ(total.prompt_tokens, 5 * (1024 - 28) + 5 * (4096 - 28));
    EXPECT_EQ(total.output_tokens, 10 * 28);
    EXPECT_GT(total.seconds, 0);
    EXPECT_FALSE(run->plan().speeds.measured);
    EXPECT_THAT(to_text(run->plan()), HasSubstr("25,320"));
  }
  ScriptedRun half;
  half.on_progress = [&](const Progress& progress) {
    if (progress.done >= 5) half.stop.request(ErrorCode::kStopped);
  };
  EXPECT_FALSE(half.execute(options, source));
  const auto run = Run::open(options, source, time);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->resumed());
  EXPECT_FALSE(run->finished());
  const auto rows = run->plan().by_length();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].finished, 5);
  EXPECT_EQ(rows[0].prompt_tokens, 0);
  EXPECT_TRUE(run->plan().speeds.measured);
  // 996 tokens in 60 ms, 9 further tokens in 40 ms.
  EXPECT_NEAR(run->plan().speeds.output_tokens_per_s, 225, 1);
  const Json json = to_json(run->plan());
  EXPECT_EQ(json["total"]["attempts"], 10);
  EXPECT_EQ(json["rows"].size(), 2U);
  EXPECT_EQ(json["rows"][0]["length"], 1024);
}

TEST(Request, shares_the_samples_text_and_counts_by_the_policy) {
  auto sample = std::make_shared<Sample>();
  sample->id = "s";
  sample->task = "t";
  sample->prompt = "<user>hello</user>";
  sample->messages = {{MessageRole::kUser, {6, 11}}};
  sample->answer_prefix = "The answer is";
  sample->references = {"r"};
  sample->tokens = {.prompt = 100, .reserve = 20, .total = 120, .prefix = 7};
  Evidence distractor, needle;
  distractor.distractor = true;
  distractor.depth = 0.1;
  needle.depth = 0.7;
  sample->evidence = {distractor, needle};
  RunSettings settings;
  settings.profile.prefix_policy = PrefixPolicy::kDropped;
  settings.decoding.seed = 5;
  const Request request = make_request(sample, 2, settings);
  EXPECT_EQ(request.prompt.get(), &sample->prompt);
  EXPECT_EQ(request.messages, (std::vector<ChatMessage>{{"user", "hello"}}));
  EXPECT_EQ(request.expected_prompt_tokens, 93);
  EXPECT_EQ(request.max_output_tokens, 20);
  EXPECT_EQ(request.decoding.seed, 7);
  EXPECT_EQ(request.answer_key->depth, 0.7);
  settings.profile.prefix_policy = PrefixPolicy::kContinue;
  settings.profile.raw_prompts = true;
  settings.max_output_tokens = 300;
  const Request raw = make_request(sample, 0, settings);
  EXPECT_TRUE(raw.messages.empty());
  EXPECT_EQ(raw.expected_prompt_tokens, 100);
  EXPECT_EQ(raw.max_output_tokens, 300);
}

TEST(RateLimit, large_amounts_go_when_the_bucket_is_full_and_are_paid_back) {
  RateLimit limit(60'000);  // one per millisecond, 5,000 at once
  EXPECT_EQ(limit.ready_ms(5'000, 0), 0);
  EXPECT_EQ(limit.ready_ms(100'000, 0), 0);
  limit.take(100'000, 0);
  EXPECT_EQ(limit.ready_ms(1, 0), 95'001);
  EXPECT_EQ(limit.ready_ms(100'000, 0), 100'000);
  EXPECT_EQ(RateLimit(0).ready_ms(1 << 30, 5), 5);
}

TEST(AtOnceLimit, cuts_once_per_round_trip) {
  AtOnceLimit limit(64, true);
  EXPECT_EQ(limit.allowed(), 1);
  for (int i = 0; i < 15; ++i) limit.succeeded();
  EXPECT_EQ(limit.allowed(), 16);
  limit.overloaded(10, 100);
  limit.overloaded(20, 101);  // sent before the cut
  EXPECT_EQ(limit.allowed(), 8);
  limit.overloaded(102, 200);
  EXPECT_EQ(limit.allowed(), 4);
  for (int i = 0; i < 4; ++i) limit.succeeded();
  EXPECT_EQ(limit.allowed(), 5);
}

Progress some_progress() {
  Progress out;
  for (const int64_t length : {1024, 4096, 131072, 1048576})
    out.lengths.push_back({.length = length,
                           .total = 500,
                           .done = 17,
                           .failed = 3,
                           .running = 2,
                           .per_minute = 12.5,
                           .eta_s = 3700});
  out.lengths[0].done = 500;
  out.total = 2000;
  out.done = 551;
  out.failed = 12;
  out.running = 8;
  out.prompt_tokens = 12'345'678;
  out.prompt_tokens_per_s = 4321;
  out.eta_s = 9000;
  out.waiting_for = "the server, which asks to wait 12 s";
  return out;
}

int columns(std::string_view line) {
  int out = 0;
  bool escape = false;
  for (const char c : line) {
    if (c == '\x1b')
      escape = true;
    else if (escape)
      escape = c != 'm';
    else if ((c & 0xC0) != 0x80)
      ++out;
  }
  return out;
}

TEST(ProgressLine, V1_never_wider_than_the_terminal) {
  for (int width = 1; width < 160; ++width)
    for (const bool colour : {false, true}) {
      const std::string text =
          live_text(some_progress(), {.live = true, .colour = colour, .width = width});
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);

      size_t begin = 0;
      for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
        EXPECT_LE(columns(std::string_view(text).substr(begin, end - begin)), width);
        begin = end + 1;
      }
    }
  const std::string wide = live_text(some_progress(), {.live = true, .width = 120});
  EXPECT_THAT(wide, HasSubstr("17/500"));
  EXPECT_THAT(wide, HasSubstr("12/min"));
  EXPECT_THAT(wide, HasSubstr("1 h 01 min left"));
  EXPECT_EQ(wide.find('\x1b'), std::string::npos);  // NO_COLOR
}

TEST(ProgressLine, V1_few_rows_show_the_lengths_in_work) {
  const std::string text = live_text(some_progress(), {.live = true, .width = 80, .height = 5});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_THAT(text, HasSubstr("4096"));
}

TEST(ProgressLine, V1_plain_lines_come_now_and_then_and_when_a_length_is_done) {
  std::vector<std::string> written;
  ProgressPainter painter({.live = false},
                          [&](const std::string& text) { written.push_back(text); });
  Progress progress = some_progress();
  for (int64_t now = 0; now <= 30'000; now += 100) painter.update(progress, now);
  EXPECT_EQ(written.size(), 3U);
  progress.lengths[1].done = 500;
  painter.update(progress, 30'100);
  EXPECT_EQ(written.size(), 4U);
  painter.finish(progress);
  EXPECT_EQ(written.size(), 4U);  // said already
  progress.done += 1;
  painter.finish(progress);
  EXPECT_EQ(written.size(), 5U);
  EXPECT_THAT(written[0], HasSubstr("551/2000 done"));
  for (const std::string& line : written) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  }
}

TEST(ProgressLine, V1_live_lines_are_painted_over) {
  std::string written;
  ProgressPainter painter({.live = true, .width = 80},
                          [&](const std::string& text) { written = text; });
  painter.update(some_progress(), 1000);
  EXPECT_FALSE(written.starts_with("\x1b["));
  painter.update(some_progress(), 2000);
  EXPECT_TRUE(written.starts_with("\x1b[5A"));
  painter.clear();
  EXPECT_EQ(written, "\x1b[5A\r\x1b[J");
  painter.update(some_progress(), 2001);
  EXPECT_FALSE(written.starts_with("\x1b["));
}

TEST(Progress, counts_rates_and_time_left) {
  const TemporaryFolder folder;
  ScriptedSource source({1024, 2048}, 50);
  // One millisecond per prompt token and 200 for the answer: 1.2 s and 2.2 s, four at once.
  ScriptedRun run([](const Request& request, int64_t) {
    Reply reply = good_reply(request);
    reply.first_token_ms = static_cast<double>(request.expected_prompt_tokens);
    reply.total_ms = reply.first_token_ms + 200;
    return ScriptedAnswer{reply, request.expected_prompt_tokens + 200};
  });
  const double whole = 50 * (0.996 + 0.2 + 2.020 + 0.2) / 4;
  double worst = 0;
  run.on_progress = [&](const Progress& progress) {
    if (progress.done < 20 || progress.done > 95) return;
    worst = std::max(worst, std::abs(progress.eta_s - (whole - progress.elapsed_s)));
  };
  const auto summary = run.execute(scripted_options(folder.path()), source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(run.last.done, 100);
  EXPECT_EQ(run.last.eta_s, 0);
  EXPECT_NEAR(run.last.elapsed_s, whole, 3);
  EXPECT_NEAR(run.last.lengths[0].per_minute, 4 * 60 / 1.196, 20);
  EXPECT_LT(worst, 0.1 * whole);
  EXPECT_EQ(run.last.prompt_tokens, 50 * (1024 - 28) + 50 * (2048 - 28));
}

TEST(Progress, duration_text) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(44.2), "45 s");
  EXPECT_EQ(duration_text(65), "1:05 min");
  EXPECT_EQ(duration_text(7380), "2 h 03 min");
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(duration_text(std::nan("")), "?");
}

}  // namespace
}  // namespace fathom

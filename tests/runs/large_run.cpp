#include "runs/large_run.h"

#include <fmt/format.h>

#include <iterator>

#include "base/random.h"

namespace fathom::testing_run {
namespace {

constexpr const char* kTasks[] = {"niah_single_1",
                                  "niah_single_2",
                                  "niah_single_3",
                                  "niah_multikey_1",
                                  "niah_multikey_2",
                                  "niah_multikey_3",
                                  "niah_multivalue",
                                  "niah_multiquery",
                                  "vt",
                                  "cwe",
                                  "fwe",
                                  "qa_1",
                                  "qa_2"};
constexpr int64_t kLengths = 6;

}  // namespace

LargeRun large_run(int64_t count, int64_t sharing) {
  LargeRun made;
  const auto tasks = static_cast<int64_t>(std::size(kTasks));
  const int64_t each = count / (tasks * kLengths);
  for (int64_t length = 0; length < kLengths; ++length)
    for (int64_t task = 0; task < tasks; ++task)
      for (int64_t index = 0; index < each; ++index) {
        const auto at = static_cast<uint64_t>((length * tasks + task) * each + index);
        Random random(RandomKey(1).with(at), "bench");
        SampleFacts facts;
        facts.cell = facts.task = kTasks[task];
        facts.length = int64_t{4096} << length;
        facts.index = index;
        facts.id = fmt::format("{}:{}:{}", facts.cell, facts.length, index);
        facts.hash = "0123456789abcdef0123456789abcdef";
        facts.haystack = fmt::format("noise:{}:{}", task, index / sharing);
        facts.prompt_tokens = facts.length;
        facts.evidence = task < 6 ? 1 : 4;
        if (task < 6) facts.depth = random.uniform();
        const uint64_t begin = random.below(static_cast<uint64_t>(facts.length) / 2);
        facts.evidence_tokens = {begin, begin + 1 + random.below(begin + 1)};
        const double skill = 0.99 - 0.03 * static_cast<double>(length * (1 + task % 4));
        ScoredAttempt score;
        score.sample_id = facts.id;
        score.sample_hash = facts.hash;
        score.task = score.cell = facts.cell;
        score.length = facts.length;
        score.index = index;
        score.outcome = random.uniform() < 0.01 ? Outcome::kTimedOut : Outcome::kAnswered;
        if (score.outcome == Outcome::kAnswered) {
          const int parts = task >= 6 && task < 10 ? 4 : 1;
          double right = 0;
          for (int part = 0; part < parts; ++part) right += random.uniform() < skill ? 1 : 0;
          score.official = right / parts;
          score.strict = *score.official;
          score.found = {right > 0};
          if (*score.strict < 1)
            score.misses = {{Miss::kWrongBinding, "7654321 belongs to calm-river"}};
        }
        score.spent = {.first_token_ms = 1 + 100 * random.uniform(),
                       .total_ms = 200 + 100 * random.uniform(),
                       .usage = {.input = facts.length, .output = 10},
                       .tries = 1};
        made.samples.push_back(std::move(facts));
        made.scores.push_back(std::move(score));
      }
  return made;
}

}  // namespace fathom::testing_run

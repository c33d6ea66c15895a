#include "runs/synthetic_run.h"

#include <fmt/format.h>

#include "base/random.h"

namespace fathom::testing_run {
namespace {

struct TaskShape {
  const char* name;
  int needles;
  Metric metric;
  double difficulty;  // lost per doubling
};

constexpr TaskShape kTasks[] = {{"niah_single_1", 1, Metric::kStringMatchAll, 0.00},
                                {"niah_single_2", 1, Metric::kStringMatchAll, 0.02},
                                {"niah_single_3", 1, Metric::kStringMatchAll, 0.05},
                                {"niah_multikey_1", 1, Metric::kStringMatchAll, 0.07},
                                {"niah_multikey_2", 1, Metric::kStringMatchAll, 0.15},
                                {"niah_multikey_3", 1, Metric::kStringMatchAll, 0.25},
                                {"niah_multivalue", 4, Metric::kStringMatchAll, 0.08},
                                {"niah_multiquery", 4, Metric::kStringMatchAll, 0.06},
                                {"vt", 5, Metric::kStringMatchAll, 0.10},
                                {"cwe", 10, Metric::kStringMatchAll, 0.22},
                                {"fwe", 3, Metric::kStringMatchAll, 0.09},
                                {"qa_fathom_1", 1, Metric::kStringMatchPart, 0.12},
                                {"qa_fathom_2", 2, Metric::kStringMatchPart, 0.14}};

constexpr const char* kFiller =
    "The ferry left the harbour before the fog had lifted. Nobody on the quay looked up from the "
    "nets. ";

// A prompt of a few thousand bytes whatever the length says: tests need the shape, not the size.
Sample make_sample(const TaskShape& shape, int64_t length, int64_t index, Random& random) {
  Sample sample;
  sample.id = fmt::format("{}:{}:{}", shape.name, length, index);
  sample.task = sample.cell = shape.name;
  sample.length = length;
  sample.index = index;
  sample.metric = shape.metric;
  sample.haystack = fmt::format("noise:{}", index);
  std::string context;
  for (int needle = 0; needle < shape.needles; ++needle) {
    const uint64_t sentences = 5 + random.below(30);
    for (uint64_t i = 0; i < sentences; ++i) context += kFiller;
    const std::string value = fmt::format("{}", 1000000 + random.below(9000000));
    Evidence evidence;
    evidence.role = shape.needles > 4 ? "hop" : "needle";
    evidence.order = needle;
    evidence.bytes.begin = context.size();
    context += fmt::format("The secret number of the lighthouse keeper is ");
    evidence.answer_bytes = {context.size(), context.size() + value.size()};
    context += value + ". ";
    evidence.bytes.end = context.size() - 1;
    sample.references.push_back(value);
    sample.evidence.push_back(evidence);
  }
  Evidence decoy;
  decoy.role = "distractor needle";
  decoy.distractor = true;
  decoy.bytes.begin = context.size();
  context += "The secret number of the baker is 31337. ";
  decoy.bytes.end = context.size() - 1;
  sample.evidence.push_back(decoy);
  for (uint64_t i = random.below(40); i > 0; --i) context += kFiller;
  // Tokens as if the context filled the length: the text is short, the shape is not.
  constexpr int64_t kReserve = 128;
  for (Evidence& evidence : sample.evidence) {
    evidence.depth =
        static_cast<double>(evidence.bytes.begin) / static_cast<double>(context.size());
    const auto prompt = static_cast<double>(length - kReserve);
    evidence.tokens.begin = static_cast<uint64_t>(evidence.depth * prompt);
    evidence.tokens.end = evidence.tokens.begin + 1;
  }
  sample.question = "What is the secret number of the lighthouse keeper?";
  sample.prompt = context + "\n" + sample.question;
  sample.answer_prefix = " The secret number is";
  sample.tokens = {.prompt = length - kReserve, .reserve = kReserve, .total = length};
  return sample;
}

// What small models write when they fail, and what hostile ones would.
constexpr const char* kWrongAnswers[] = {
    "I could not find that number in the text.",
    "31337",
    "<script>alert('answer')</script><img src=x onerror=alert(1)>",
    "\x1b[31mred\x1b[0m \xE2\x80\xAEright to left\xE2\x80\xAC",
    "not UTF-8: \xff\xfe, line separator: \xE2\x80\xA8, closing: </script><!--",
    "",
    "答案是：没有找到。🔍",
};

Outcome failure_for(int64_t length, Random& random) {
  const Outcome kinds[] = {Outcome::kTimedOut, Outcome::kThinkingCut, Outcome::kRefused,
                           Outcome::kErrorTransient, Outcome::kErrorPermanent};
  if (length >= 8192 && random.uniform() < 0.6) return Outcome::kOverWindow;
  return kinds[random.below(std::size(kinds))];
}

Attempt make_attempt(const Sample& sample, double skill, Random& random) {
  Attempt attempt;
  attempt.sample_id = sample.id;
  attempt.sample_hash = sample.hash();
  attempt.expected_prompt_tokens = sample.tokens.prompt;
  attempt.started_unix_ms = 1796077123000 + static_cast<int64_t>(random.below(100000));
  const double failing = sample.length >= 8192 ? 0.12 : 0.02;
  if (random.uniform() < failing) {
    attempt.outcome = failure_for(sample.length, random);
    attempt.detail = fmt::format("the server said: {}", to_text(attempt.outcome));
    return attempt;
  }
  attempt.outcome = random.uniform() < 0.05 ? Outcome::kOutputCut : Outcome::kAnswered;
  std::string text;
  for (const std::string& reference : sample.references)
    if (random.uniform() < skill) text += (text.empty() ? " " : ", ") + reference;
  if (text.empty()) text = kWrongAnswers[random.below(std::size(kWrongAnswers))];
  attempt.reply.text = text;
  attempt.reply.stop =
      attempt.outcome == Outcome::kAnswered ? StopReason::kEnd : StopReason::kLength;
  attempt.reply.usage = {.input = sample.tokens.prompt, .output = 12};
  attempt.reply.memory = {.kv = sample.length * 23'040,
                          .peak = (200 << 20) + sample.length * 23'040};
  attempt.reply.total_ms = static_cast<double>(sample.length) * 1.5;
  attempt.reply.first_token_ms = static_cast<double>(sample.length) * 1.2;
  return attempt;
}

RunDescription describe(const SyntheticOptions& options) {
  return {.name = fmt::format("runs/{}", options.seed),
          .model = fmt::format("skill {:.2f}", options.skill),
          .provider = "simulated",
          .suite = "ruler",
          .simulated = true,
          .started = "2026-11-30T22:18:43Z",
          .settings = "greedy, answer prefix in the prompt",
          .conditions = {{"Model", "name", fmt::format("skill {:.2f}", options.skill)},
                         {"Model", "window", "8,192 tokens"},
                         {"Suite", "tokenizer", "tokenizer.json (sha256 0c1f…)"},
                         {"Suite", "length counts", "prompt+reserve"},
                         {"Decoding", "temperature", "0"},
                         {"Run", "fathom", "0.1.0"}},
          .remake_command =
              "fathom generate ruler --tokenizer tokenizer.json --lengths 1024,2048,4096,8192 "
              "--samples 10 --seed 42 --only {id} -o sample/"};
}

}  // namespace

const Attempt* SyntheticRun::attempt_of(const std::string& sample_id) const {
  for (const Attempt& attempt : attempts)
    if (attempt.sample_id == sample_id) return &attempt;
  return nullptr;
}

SyntheticRun synthetic_run(const SyntheticOptions& options) {
  SyntheticRun run;
  run.description = describe(options);
  std::vector<SampleFacts> facts;
  for (const TaskShape& shape : kTasks)
    for (size_t step = 0; step < options.lengths.size(); ++step)
      for (int64_t index = 0; index < options.samples_per_cell; ++index) {
        const RandomKey key = RandomKey(options.seed).with(shape.name).with(step).with(index);
        Random random(key, "synthetic");
        Sample sample = make_sample(shape, options.lengths[step], index, random);
        const double skill = options.skill - shape.difficulty * static_cast<double>(step);
        facts.push_back(facts_of(sample));
        run.attempts.push_back(make_attempt(sample, skill, random));
        run.samples.push_back(std::move(sample));
      }
  for (int i = 0; i < options.unanswered; ++i) run.attempts.pop_back();
  auto scores = score_run(facts, run.attempts, 1);
  if (!scores) return run;
  run.results = build_results(std::move(facts), std::move(*scores));
  return run;
}

}  // namespace fathom::testing_run

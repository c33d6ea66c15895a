#include "results/scores.h"

#include <algorithm>
#include <unordered_map>

#include "base/threads.h"
#include "io/json.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

Json to_json(const ScoredAttempt& score) {
  Json found = Json::array();
  for (const bool one : score.found) found.push_back(one);
  Json json = {{"id", score.sample_id},
               {"hash", score.sample_hash},
               {"attempt", score.number},
               {"task", score.task},
               {"cell", score.cell},
               {"length", score.length},
               {"index", score.index},
               {"metric", std::string(to_text(score.metric))},
               {"outcome", std::string(to_text(score.outcome))},
               {"official", nullptr},
               {"empty", score.empty},
               {"found", std::move(found)}};
  if (score.official) json["official"] = *score.official;
  return json;
}

Result<ScoredAttempt> score_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  ScoredAttempt score;
  TRY(score.sample_id, reader.text("id"));
  TRY(score.sample_hash, reader.text("hash"));
  TRY(score.number, reader.integer("attempt"));
  TRY(score.task, reader.text("task"));
  TRY(score.cell, reader.text("cell"));
  TRY(score.length, reader.integer("length"));
  TRY(score.index, reader.integer("index"));
  TRY(const std::string metric, reader.text("metric"));
  TRY_CONTEXT(score.metric, metric_from_text(metric), where);
  TRY(const std::string outcome, reader.text("outcome"));
  TRY_CONTEXT(score.outcome, outcome_from_text(outcome), where);
  if (reader.has("official")) {
    TRY(score.official, reader.number("official"));
    if (!(*score.official >= 0 && *score.official <= 1))
      return fail(ErrorCode::kInput, "{}: key 'official' must be within 0 and 1", where);
  }
  TRY(score.empty, reader.boolean("empty"));
  TRY(const Json* found, reader.array("found"));
  for (const Json& one : *found) {
    if (!one.is_boolean())
      return fail(ErrorCode::kInput, "{}: key 'found' must hold true and false only", where);
    score.found.push_back(one.get<bool>());
  }
  return score;
}

}  // namespace

ScoredAttempt score_attempt(const SampleFacts& sample, const Attempt& attempt) {
  ScoredAttempt scored{.sample_id = sample.id,
                       .sample_hash = sample.hash,
                       .number = attempt.number,
                       .task = sample.task,
                       .cell = sample.cell,
                       .length = sample.length,
                       .index = sample.index,
                       .metric = sample.metric,
                       .outcome = attempt.outcome,
                       .official = std::nullopt};
  if (!is_complete(attempt.outcome)) return scored;
  Score score = grade(sample.metric, attempt.reply.text, sample.references);
  scored.official = score.official;
  scored.empty = score.empty;
  scored.found = std::move(score.found);
  return scored;
}

Result<std::vector<ScoredAttempt>> score_run(std::span<const SampleFacts> samples,
                                             std::span<const Attempt> attempts, int threads) {
  std::unordered_map<std::string_view, size_t> row_of;
  for (size_t row = 0; row < samples.size(); ++row) row_of.emplace(samples[row].id, row);

  struct Pair {
    size_t row = 0;
    int64_t number = 0;
    size_t attempt = 0;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    const auto found = row_of.find(attempt.sample_id);
    if (found == row_of.end())
      return fail(ErrorCode::kInput,
                  "sample '{}' of the journal is not in the dataset; score the run with the "
                  "dataset it was made with",
                  attempt.sample_id);
    const SampleFacts& sample = samples[found->second];
    if (!attempt.sample_hash.empty() && attempt.sample_hash != sample.hash)
      return fail(ErrorCode::kInput,
                  "sample '{}' was another one when it was answered (hash {}, now {}); score the "
                  "run with the dataset it was made with",
                  attempt.sample_id, attempt.sample_hash, sample.hash);
    pairs.push_back({.row = found->second, .number = attempt.number, .attempt = i});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::pair(a.row, a.number) < std::pair(b.row, b.number);
  });
  // Of equal ones the last counts.
  std::vector<Pair> kept;
  for (const Pair& pair : pairs) {
    const bool again =
        !kept.empty() && kept.back().row == pair.row && kept.back().number == pair.number;
    if (again) kept.pop_back();
    kept.push_back(pair);
  }
  std::vector<ScoredAttempt> scores(kept.size());
  parallel_for(kept.size(), threads, [&](size_t i) {
    scores[i] = score_attempt(samples[kept[i].row], attempts[kept[i].attempt]);
  });
  return scores;
}

Result<void> write_scores(const std::string& path, std::span<const ScoredAttempt> scores) {
  TRY(LineWriter writer, LineWriter::create(path));
  for (const ScoredAttempt& score : scores) TRY_VOID(writer.write(to_json_line(to_json(score))));
  return writer.finish();
}

Result<std::vector<ScoredAttempt>> read_scores(const std::string& path) {
  std::vector<ScoredAttempt> scores;
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    const std::string where = fmt::format("{}:{}", path, number);
    TRY(const Json json, parse_json(text, where));
    TRY(ScoredAttempt score, score_from_json(json, where));
    scores.push_back(std::move(score));
    return {};
  }));
  return scores;
}

}  // namespace fathom

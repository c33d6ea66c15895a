#include "results/scores.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/threads.h"
#include "io/json.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

using SpentCount = std::pair<const char*, int64_t*>;
std::array<SpentCount, 7> spent_counts(Spent& spent) {
  return {{{"input", &spent.usage.input},
           {"cached", &spent.usage.cached},
           {"cache_write", &spent.usage.cache_write},
           {"output", &spent.usage.output},
           {"thinking", &spent.usage.thinking},
           {"kv_bytes", &spent.memory.kv},
           {"peak_bytes", &spent.memory.peak}}};
}

Json to_json(Spent spent) {
  Json json = {{"first_token_ms", spent.first_token_ms},
               {"total_ms", spent.total_ms},
               {"tries", spent.tries}};
  for (const auto& [name, count] : spent_counts(spent))
    if (*count >= 0) json[name] = *count;
  return json;
}

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
               {"strict", nullptr},
               {"empty", score.empty},
               {"found", std::move(found)}};
  if (score.official) json["official"] = *score.official;
  if (score.strict) json["strict"] = *score.strict;
  if (!score.misses.empty()) {
    Json& misses = json["misses"] = Json::array();
    for (const MissNote& miss : score.misses) {
      Json& note = misses.emplace_back(Json{{"kind", to_text(miss.kind)}});
      if (!miss.detail.empty()) note["detail"] = miss.detail;
    }
  }
  json["spent"] = to_json(score.spent);
  return json;
}

Result<Spent> spent_from(const JsonReader& reader) {
  Spent spent;
  TRY(spent.first_token_ms, reader.number("first_token_ms"));
  TRY(spent.total_ms, reader.number("total_ms"));
  TRY(spent.tries, reader.integer("tries"));
  for (const auto& [name, count] : spent_counts(spent)) {
    if (!reader.has(name)) continue;
    TRY(*count, reader.integer(name));
  }
  return spent;
}

Result<std::vector<MissNote>> misses_from(const Json& json, const std::string& where) {
  std::vector<MissNote> misses;
  for (const Json& each : json) {
    TRY(const JsonReader reader, JsonReader::of(each, where));
    MissNote& note = misses.emplace_back();
    TRY(const std::string kind, reader.text("kind"));
    TRY_CONTEXT(note.kind, miss_from_text(kind), where);
    if (reader.has("detail")) {
      TRY(note.detail, reader.text("detail"));
    }
  }
  return misses;
}

Result<double> share_from(const JsonReader& reader, const char* key) {
  TRY(const double share, reader.number(key));
  if (share >= 0 && share <= 1) return share;
  return fail(ErrorCode::kInput, "{}: key '{}' must be within 0 and 1", reader.where(), key);
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
    TRY(score.official, share_from(reader, "official"));
  }
  if (reader.has("strict")) {
    TRY(score.strict, share_from(reader, "strict"));
  }
  if (reader.has("misses")) {
    TRY(const Json* misses, reader.array("misses"));
    TRY(score.misses, misses_from(*misses, where));
  }
  if (reader.has("spent")) {
    TRY(const JsonReader spent, reader.object("spent"));
    TRY(score.spent, spent_from(spent));
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

Spent spent_of(const Attempt& attempt) {
  return {.first_token_ms = attempt.reply.first_token_ms,
          .total_ms = attempt.reply.total_ms,
          .usage = attempt.reply.usage,
          .memory = attempt.reply.memory,
          .tries = attempt.tries};
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
                       .official = std::nullopt,
                       .spent = spent_of(attempt)};
  if (!is_complete(attempt.outcome)) return scored;
  Score score = grade(sample.metric, attempt.reply.text, sample.references, sample.expectation);
  scored.official = score.official;
  scored.strict = score.strict;
  scored.empty = score.empty;
  scored.found = std::move(score.found);
  scored.misses = std::move(score.misses);
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
  // Making the lines takes longer than writing them: they are made on all cores, a block at a time.
  constexpr size_t kBlock = 8192;
  TRY(LineWriter writer, LineWriter::create(path));
  std::vector<std::string> lines(std::min(kBlock, scores.size()));
  for (size_t begin = 0; begin < scores.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, scores.size() - begin);
    parallel_for(count, 0, [&](size_t i) { lines[i] = to_json_line(to_json(scores[begin + i])); });
    for (size_t i = 0; i < count; ++i) TRY_VOID(writer.write(lines[i]));
  }
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

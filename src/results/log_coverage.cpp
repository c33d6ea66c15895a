#include "results/log_coverage.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "attention/selection_log_file.h"
#include "coverage/coverage_file.h"
#include "io/jsonl.h"
#include "results/run_folder.h"
#include "run/request.h"
#include "suite/sample_access.h"

namespace fathom {
namespace {

using Places = std::unordered_map<std::string, std::vector<TokenSpan>>;

struct LoggedRun {
  std::string folder;
  std::string log;
  RunRecord record;
  std::vector<SampleLine> index;
  std::unordered_map<std::string, size_t> by_id = {};
};

Result<LoggedRun> open_run(const std::string& folder, const std::string& log) {
  LoggedRun run{.folder = folder, .log = log, .record = {}, .index = {}};
  TRY(run.record, read_run_record(folder));
  TRY(run.index, read_sample_index(folder + "/samples.jsonl"));
  for (size_t i = 0; i < run.index.size(); ++i) run.by_id.emplace(run.index[i].facts.id, i);
  return run;
}

// A position is worth nothing where the two counted from different texts.
Result<void> check_prompt(const SelectionLog& log, const LoggedRun& run, const SampleLine& line) {
  const int64_t expected =
      expected_prompt_tokens(line.tokens, run.record.settings.profile.prefix_policy);
  if (log.prompt_tokens == expected) return {};
  return fail(ErrorCode::kInput,
              "{}: sample {} has a prompt of {} tokens in the log and of {} in {}; the log must "
              "count all that the chat template and the tokenizer add, and the run must ask with "
              "the model's own tokenizer and template (-t, --template model, or --api completions)",
              run.log, log.sample_id, log.prompt_tokens, expected, run.folder);
}

Result<void> check_model(const SelectionLog& log, const std::optional<SelectionLog>& first,
                         const LoggedRun& run) {
  if (!first || (log.shape == first->shape && log.layers == first->layers)) return {};
  return fail(ErrorCode::kInput,
              "{}: sample {} is of a model with {} layers, {} query heads and {} kv heads, sample "
              "{} of one with {}, {} and {}; a log is of one model",
              run.log, log.sample_id, log.layers, log.shape.query_heads, log.shape.kv_heads,
              first->sample_id, first->layers, first->shape.query_heads, first->shape.kv_heads);
}

// The places of the samples that the log tells of; empty lists of evidence until they are made.
Result<Places> check_log(const LoggedRun& run, LogCoverage& out) {
  Places places;
  std::unordered_set<std::string> unknown;
  std::optional<SelectionLog> first;
  const auto check = [&](SelectionLog&& log) -> Result<void> {
    const auto found = run.by_id.find(log.sample_id);
    if (found == run.by_id.end()) {
      unknown.insert(log.sample_id);
      return {};
    }
    TRY_VOID(check_prompt(log, run, run.index[found->second]));
    TRY_VOID(check_model(log, first, run));
    places.try_emplace(log.sample_id);
    log.selections.clear();
    if (!first) first = std::move(log);
    return {};
  };
  TRY_VOID(for_each_selection_log(run.log, check));
  out.unknown = static_cast<int64_t>(unknown.size());
  out.missing = static_cast<int64_t>(run.index.size() - places.size());
  if (!places.empty()) return places;
  return fail(ErrorCode::kInput,
              "{}: none of its {} samples is one of {}, which has for example {}; the log's "
              "'sample' must be the id of the dataset",
              run.log, out.unknown, run.folder,
              run.index.empty() ? "none" : run.index.front().facts.id);
}

Result<void> find_evidence(const LoggedRun& run, Places& places) {
  TRY(const Dataset dataset, Dataset::open(dataset_of_run(run.folder, run.record)));
  TRY(const auto samples, open_samples(dataset));
  for (size_t i = 0; i < run.index.size(); ++i) {
    const auto place = places.find(run.index[i].facts.id);
    if (place == places.end()) continue;
    TRY(const Sample sample, samples->at(place_in_dataset(run.index[i].facts, i)));
    if (sample.hash() != run.index[i].facts.hash)
      return fail(ErrorCode::kInput,
                  "{}: sample {} is made differently today than when it was answered, so that "
                  "nobody knows where its evidence stood",
                  run.folder, sample.id);
    place->second = evidence_places(sample);
  }
  return {};
}

Result<void> write_coverage(const LoggedRun& run, const std::string& arm, const Places& places,
                            LogCoverage& out) {
  TRY(LineWriter coverage, LineWriter::create(run.folder + "/coverage.jsonl"));
  TRY(LineWriter kept, LineWriter::create(run.folder + "/selections.jsonl.zst"));
  const auto cover = [&](size_t number, std::string_view text) -> Result<void> {
    TRY(SelectionLog log, selection_log_from_line(text, fmt::format("{}:{}", run.log, number)));
    const auto place = places.find(log.sample_id);
    if (place == places.end()) return {};
    log.arm = arm;
    TRY_VOID(coverage.write(coverage_line(coverage_of(log, place->second))));
    return kept.write(text);
  };
  TRY_VOID(for_each_line(run.log, cover));
  TRY_VOID(kept.finish());
  TRY_VOID(coverage.finish());
  TRY(out.samples, read_coverage(run.folder + "/coverage.jsonl"));
  return {};
}

}  // namespace

Result<LogCoverage> take_selection_log(const std::string& folder, const std::string& arm,
                                       const std::string& log) {
  LogCoverage out;
  TRY(const LoggedRun run, open_run(folder, log));
  TRY(Places places, check_log(run, out));
  TRY_VOID(find_evidence(run, places));
  TRY_VOID(write_coverage(run, arm, places, out));
  return out;
}

}  // namespace fathom

#include "report/inspect_log.h"

#include <algorithm>
#include <filesystem>

#include "base/clock.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "report/answered_samples.h"
#include "results/labels.h"

namespace fathom {
namespace {

constexpr int kLogVersion = 2;
// Texts from this size on stand once, among the sample's attachments, as inspect itself has it.
constexpr size_t kAttachedBytes = 100;
constexpr const char* kLeftOut = "(left out: exported without prompts)";

// inspect writes the zone as an offset.
std::string inspect_time(int64_t unix_ms) {
  std::string text = utc_text(unix_ms);
  text.pop_back();
  return text + "+00:00";
}

std::string model_name(const FinishedRun& run) {
  return run.record.settings.profile.provider + "/" + run.description.model;
}

const char* stop_reason(const Attempt& attempt) {
  switch (attempt.outcome) {
    case Outcome::kOutputCut:
    case Outcome::kThinkingCut:
      return "max_tokens";
    case Outcome::kOverWindow:
    case Outcome::kInputTruncated:
      return "model_length";
    case Outcome::kRefused:
      return "content_filter";
    case Outcome::kAnswered:
      return attempt.reply.stop == StopReason::kLength ? "max_tokens" : "stop";
    case Outcome::kOutOfMemory:
    case Outcome::kTimedOut:
    case Outcome::kErrorPermanent:
    case Outcome::kErrorTransient:
      break;
  }
  return "unknown";
}

struct TokenSums {
  int64_t input = 0;  // without cached ones, as inspect counts
  int64_t cached = 0;
  int64_t cache_write = 0;
  int64_t output = 0;
  int64_t thinking = 0;

  void add(const Usage& usage) {
    cached += std::max<int64_t>(usage.cached, 0);
    cache_write += std::max<int64_t>(usage.cache_write, 0);
    input += std::max<int64_t>(usage.input - std::max<int64_t>(usage.cached, 0), 0);
    output += std::max<int64_t>(usage.output, 0);
    thinking += std::max<int64_t>(usage.thinking, 0);
  }
  [[nodiscard]] Json json() const {
    return {{"input_tokens", input},
            {"output_tokens", output},
            {"total_tokens", input + cached + output},
            {"input_tokens_cache_write", cache_write},
            {"input_tokens_cache_read", cached},
            {"reasoning_tokens", thinking}};
  }
};

TokenSums tokens_of(const Attempt& attempt) {
  TokenSums sums;
  sums.add(attempt.reply.usage);
  return sums;
}

// Texts of one sample that stand once.
class Attachments {
 public:
  std::string put(const std::string& text) {
    if (text.size() <= kAttachedBytes) return text;
    const std::string name = hash_hex(text);
    texts_[name] = text;
    return "attachment://" + name;
  }
  [[nodiscard]] Json take() { return std::move(texts_); }

 private:
  Json texts_ = Json::object();
};

class InspectExporter {
 public:
  InspectExporter(const FinishedRun& run, bool with_prompts)
      : run_(run), with_prompts_(with_prompts), model_(model_name(run)) {}

  // One JSON document over several lines: its head, a line a sample, its end.
  Result<InspectExport> write(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (!folder.empty()) TRY_VOID(make_directories(folder));
    TRY(LineWriter writer, LineWriter::create(path));
    std::string head = to_json_line(head_json());
    head.back() = ',';
    TRY_VOID(put(writer, head + "\"samples\":["));
    bool first = true;
    const auto add = [&](const AnsweredSample& each) -> Result<void> {
      for (size_t i = 0; i < each.attempts.size(); ++i) {
        const std::string line = to_json_line(sample_json(each, i));
        TRY_VOID(put(writer, (first ? "" : ",") + line));
        first = false;
        ++made_.samples;
      }
      return {};
    };
    TRY_VOID(for_each_answered(run_, add));
    TRY_VOID(put(writer, "]}"));
    TRY_VOID(writer.finish());
    return made_;
  }

 private:
  Result<void> put(LineWriter& writer, const std::string& line) {
    made_.bytes += static_cast<int64_t>(line.size()) + 1;
    return writer.write(line);
  }

  Json head_json() const {
    const Tally& total = run_.results.total;
    return {{"version", kLogVersion},
            {"status", total.attempted == total.samples ? "success" : "cancelled"},
            {"eval", eval_json()},
            {"plan",
             {{"name", "plan"},
              {"steps", Json::array({{{"solver", "generate"},
                                      {"params", Json::object()},
                                      {"params_passed", Json::object()}}})},
              {"config", generation_json()}}},
            {"results", results_json()},
            {"stats", stats_json()},
            {"invalidated", false},
            {"tags", Json::array()},
            {"metadata", metadata_json()}};
  }

  Json generation_json() const {
    const RunSettings& settings = run_.record.settings;
    Json json = {{"temperature", settings.decoding.temperature},
                 {"top_p", settings.decoding.top_p},
                 {"seed", settings.decoding.seed}};
    if (settings.max_output_tokens > 0) json["max_tokens"] = settings.max_output_tokens;
    if (!settings.decoding.stop.empty()) json["stop_seqs"] = settings.decoding.stop;
    return json;
  }

  Json eval_json() const {
    const Suite& suite = run_.manifest.recipe.suite;
    Json ids = Json::array();
    for (const SampleFacts& sample : run_.results.samples) ids.push_back(sample.id);
    for (const ControlSample& sample : run_.results.control_samples) ids.push_back(sample.facts.id);
    const auto samples = static_cast<int64_t>(ids.size());
    const Json dataset = {{"name", run_.description.suite},
                          {"samples", samples},
                          {"sample_ids", std::move(ids)},
                          {"shuffled", false}};
    return {{"eval_id", run_.record.id},
            {"run_id", run_.record.id},
            {"created", inspect_time(run_.record.created_unix_ms)},
            {"task", run_.description.suite},
            {"task_id", run_.record.settings.dataset_hash},
            {"task_version", suite.version},
            {"task_attribs", Json::object()},
            {"task_args", {{"lengths", suite.lengths}, {"seed", suite.seed}}},
            {"task_args_passed", Json::object()},
            {"dataset", dataset},
            {"model", model_},
            {"model_generate_config", generation_json()},
            {"model_args", Json::object()},
            {"config", {{"epochs", run_.record.settings.attempts}}},
            {"packages", {{"fathom", FATHOM_VERSION}}},
            {"metadata", metadata_json()},
            {"scorers", Json::array({{{"name", "official"}}, {{"name", "strict"}}})}};
  }

  Json metadata_json() const {
    Json conditions = Json::object();
    for (const Condition& each : run_.description.conditions)
      conditions[each.group + ": " + each.name] = each.value;
    return {{"made_by", std::string("fathom ") + FATHOM_VERSION},
            {"simulated", run_.description.simulated},
            {"conditions", std::move(conditions)}};
  }

  static Json metric(const std::string& name, double value) {
    return {{"name", name}, {"value", value}, {"params", Json::object()}};
  }

  // The mean over all requests, failures counting as 0, and means over tasks by length.
  Json score_json(const std::string& name, const Estimate& total,
                  Estimate LengthSummary::*by_length) const {
    Json metrics = Json::object();
    if (total.known()) metrics["mean"] = metric("mean", total.value);
    for (const LengthSummary& point : run_.results.curves.front().points) {
      const Estimate& value = point.*by_length;
      const std::string own = fmt::format("mean_{}", run_.results.lengths[point.length]);
      if (value.known()) metrics[own] = metric(own, value.value);
    }
    return {{"name", name},
            {"scorer", name},
            {"params", Json::object()},
            {"metrics", std::move(metrics)},
            {"scored_samples", run_.results.total.attempted},
            {"unscored_samples", run_.results.total.samples - run_.results.total.attempted}};
  }

  Json results_json() const {
    const Results& results = run_.results;
    return {
        {"total_samples", results.total.samples},
        {"completed_samples", results.total.completed},
        {"scores",
         Json::array({score_json("official", results.total.usability, &LengthSummary::usability),
                      score_json("strict", results.total.strict, &LengthSummary::strict)})}};
  }

  Json stats_json() const {
    int64_t last = run_.record.created_unix_ms;
    TokenSums sums;
    for (const Attempt& attempt : run_.attempts) {
      sums.add(attempt.reply.usage);
      last = std::max(last, attempt.started_unix_ms + static_cast<int64_t>(attempt.reply.total_ms));
    }
    return {{"started_at", inspect_time(run_.record.created_unix_ms)},
            {"completed_at", inspect_time(last)},
            {"model_usage", {{model_, sums.json()}}},
            {"role_usage", Json::object()},
            {"connection_limit_history", Json::array()}};
  }

  Json sample_json(const AnsweredSample& each, size_t number) const {
    const Sample& sample = each.sample;
    const Attempt& attempt = *each.attempts[number];
    Attachments attachments;
    Json input = Json::array();
    for (const SampleMessage& message : sample.messages) {
      const std::string text =
          sample.prompt.substr(message.bytes.begin, message.bytes.end - message.bytes.begin);
      input.push_back({{"content", attachments.put(with_prompts_ ? text : kLeftOut)},
                       {"source", "input"},
                       {"role", to_text(message.role)}});
    }
    const Json answer = answer_json(attempt, attachments);
    Json messages = input;
    messages.push_back(answer);
    const int64_t ended = attempt.started_unix_ms + static_cast<int64_t>(attempt.reply.total_ms);
    Json json = {
        {"id", sample.id},
        {"epoch", attempt.number + 1},
        {"input", std::move(input)},
        {"target", sample.references},
        {"messages", std::move(messages)},
        {"output", output_json(attempt, answer)},
        {"scores", scores_json(*each.scores[number], attempt, attachments)},
        {"metadata", facts_json(sample, attempt)},
        {"store", Json::object()},
        {"events", Json::array()},
        {"model_usage", {{model_, tokens_of(attempt).json()}}},
        {"role_usage", Json::object()},
        {"started_at", inspect_time(attempt.started_unix_ms)},
        {"completed_at", inspect_time(ended)},
        {"total_time", attempt.reply.total_ms / 1000},
        {"uuid", hash_hex(fmt::format("{} {} {}", run_.record.id, sample.id, attempt.number))}};
    if (!is_complete(attempt.outcome))
      json["error"] = {
          {"message", failure_text(attempt)}, {"traceback", ""}, {"traceback_ansi", ""}};
    json["attachments"] = attachments.take();
    return json;
  }

  static std::string failure_text(const Attempt& attempt) {
    const std::string label = outcome_label(attempt.outcome);
    return attempt.detail.empty() ? label : label + ": " + attempt.detail;
  }

  Json answer_json(const Attempt& attempt, Attachments& attachments) const {
    Json json;
    if (attempt.reply.thinking.empty()) {
      json["content"] = attachments.put(attempt.reply.text);
    } else {
      json["content"] = Json::array(
          {{{"type", "reasoning"}, {"reasoning", attachments.put(attempt.reply.thinking)}},
           {{"type", "text"}, {"text", attachments.put(attempt.reply.text)}}});
    }
    json["source"] = "generate";
    json["role"] = "assistant";
    json["model"] = model_;
    return json;
  }

  Json output_json(const Attempt& attempt, const Json& answer) const {
    Json json = {
        {"model", attempt.reply.model.empty() ? model_ : attempt.reply.model},
        {"choices", Json::array({{{"message", answer}, {"stop_reason", stop_reason(attempt)}}})},
        {"completion",
         answer["content"].is_string() ? answer["content"] : answer["content"].back()["text"]},
        {"usage", tokens_of(attempt).json()},
        {"time", attempt.reply.total_ms / 1000}};
    if (!is_complete(attempt.outcome)) json["error"] = failure_text(attempt);
    return json;
  }

  static Json scores_json(const ScoredAttempt& score, const Attempt& attempt,
                          Attachments& attachments) {
    std::string why;
    for (const MissNote& miss : score.misses)
      why += (why.empty() ? "" : " ") + std::string(sentence(miss.kind)) +
             (miss.detail.empty() ? "" : " (" + miss.detail + ")");
    if (!is_complete(attempt.outcome))
      why = failure_text(attempt) + "; a failed request counts as wrong";
    const std::string answer = attachments.put(attempt.reply.text);
    const auto one = [&](const std::optional<double>& value, const std::string& explanation) {
      return Json{{"value", value.value_or(0)},
                  {"answer", answer},
                  {"explanation", explanation},
                  {"history", Json::array()}};
    };
    return {{"official", one(score.official, std::string(to_text(score.metric)))},
            {"strict", one(score.strict, why)}};
  }

  static Json facts_json(const Sample& sample, const Attempt& attempt) {
    Json evidence = Json::array();
    for (const Evidence& each : sample.evidence) {
      constexpr size_t kListed = 50;
      if (evidence.size() == kListed) break;
      evidence.push_back({{"role", each.role},
                          {"distractor", each.distractor},
                          {"depth", each.depth},
                          {"tokens", {each.tokens.begin, each.tokens.end}}});
    }
    Json json = {{"task", sample.task},
                 {"cell", sample.cell},
                 {"length", sample.length},
                 {"index", sample.index},
                 {"question", sample.question},
                 {"prompt_tokens", sample.tokens.prompt},
                 {"hash", attempt.sample_hash},
                 {"outcome", to_text(attempt.outcome)},
                 {"requests", attempt.tries},
                 {"first_token_ms", attempt.reply.first_token_ms},
                 {"evidence", std::move(evidence)}};
    if (!sample.variant.ordinary())
      json["variant"] = fmt::format("{}={}", to_text(sample.variant.axis), sample.variant.value);
    return json;
  }

  const FinishedRun& run_;
  const bool with_prompts_;
  const std::string model_;
  InspectExport made_;
};

}  // namespace

Result<InspectExport> export_inspect_log(const FinishedRun& run, const std::string& path,
                                         bool with_prompts) {
  return InspectExporter(run, with_prompts).write(path);
}

}  // namespace fathom

#include "report/lm_eval.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "report/answered_samples.h"

namespace fathom {
namespace {

constexpr size_t kMostFiles = 500;
constexpr double kOtherLength = -1;  // lm-eval's mark in the metric of a length that is not this
                                     // sample's
constexpr const char* kFilter = "none";

const std::map<std::string, std::string>& ruler_names() {
  static const std::map<std::string, std::string> names = {{"niah_single_1", "niah_single_1"},
                                                           {"niah_single_2", "niah_single_2"},
                                                           {"niah_single_3", "niah_single_3"},
                                                           {"niah_multikey_1", "niah_multikey_1"},
                                                           {"niah_multikey_2", "niah_multikey_2"},
                                                           {"niah_multikey_3", "niah_multikey_3"},
                                                           {"niah_multiquery", "niah_multiquery"},
                                                           {"niah_multivalue", "niah_multivalue"},
                                                           {"vt", "ruler_vt"},
                                                           {"cwe", "ruler_cwe"},
                                                           {"fwe", "ruler_fwe"},
                                                           {"qa_1", "ruler_qa_squad"},
                                                           {"qa_2", "ruler_qa_hotpot"}};
  return names;
}

// lm-eval's own rules for names in paths.
std::string task_file_name(const std::string& task) {
  std::string name = task;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
  }
  return name;
}

std::string model_folder_name(const std::string& model) {
  std::string name;
  for (const char c : model) {
    const bool unfit = std::string_view("\"<>:/|\\?*[]").find(c) != std::string_view::npos ||
                       static_cast<unsigned char>(c) < 0x20;
    if (!unfit) name += c;
    if (unfit && !name.ends_with("__")) name += "__";
  }
  return name.empty() || name == "." || name == ".." ? "model" : name;
}

// "2026-11-30T22-18-43.123000"
std::string file_time(int64_t unix_ms) {
  std::string text = utc_text(unix_ms);
  text.pop_back();
  std::replace(text.begin(), text.end(), ':', '-');
  return fmt::format("{}.{:06d}", text, unix_ms % 1000 * 1000);
}

// Everything about one of lm-eval's tasks, gathered while its samples pass.
struct ExportedTask {
  std::string cell;
  std::string task;
  std::set<int64_t> lengths;
  std::map<int64_t, std::vector<double>> scores;  // by length; failures 0
  std::string hashes;                             // of its samples, joined
  int64_t samples = 0;
  int64_t answered = 0;
  int64_t max_output_tokens = 0;
  std::optional<LineWriter> writer;
  std::string file;
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// As lm-eval gives a mean's error: standard deviation of the sample over the root of n.
Json standard_error(const std::vector<double>& values) {
  if (values.size() < 2) return "N/A";
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

Json doc_json(const Sample& sample, bool with_prompts) {
  std::string input;
  for (const SampleMessage& message : sample.messages) {
    if (message.role != MessageRole::kUser || !with_prompts) continue;
    input += sample.prompt.substr(message.bytes.begin, message.bytes.end - message.bytes.begin);
  }
  return {{"index", sample.index},        {"input", std::move(input)},
          {"outputs", sample.references}, {"length", sample.tokens.total},
          {"max_length", sample.length},  {"gen_prefix", sample.answer_prefix},
          {"fathom_id", sample.id}};
}

class LmEvalExporter {
 public:
  LmEvalExporter(const FinishedRun& run, bool with_prompts)
      : run_(run), with_prompts_(with_prompts), time_(file_time(run.record.created_unix_ms)) {}

  Result<LmEvalExport> write(const std::string& folder) {
    folder_ = folder + "/" + model_folder_name(run_.description.model);
    TRY_VOID(make_directories(folder_));
    for (const SampleFacts& sample : run_.results.samples) add_task(sample);
    for (const ControlSample& sample : run_.results.control_samples) add_task(sample.facts);
    if (tasks_.size() > kMostFiles)
      return fail(ErrorCode::kUsage,
                  "lm-eval's form is one file a task, and this run has {} of them; at most {} can "
                  "be written",
                  tasks_.size(), kMostFiles);
    for (auto& [name, task] : tasks_) {
      task.file = fmt::format("{}/samples_{}_{}.jsonl", folder_, task_file_name(name), time_);
      TRY(LineWriter writer, LineWriter::create(task.file));
      task.writer = std::move(writer);
    }
    TRY_VOID(for_each_answered(run_, [&](const AnsweredSample& each) { return add(each); }));
    LmEvalExport made;
    for (auto& [name, task] : tasks_) {
      TRY_VOID(task.writer->finish());
      made.sample_files.push_back(task.file);
      made.samples += task.answered;
    }
    made.results_file = fmt::format("{}/results_{}.json", folder_, time_);
    TRY_VOID(write_file_atomic(made.results_file, to_pretty_json(results_json())));
    return made;
  }

 private:
  void add_task(const SampleFacts& sample) {
    ExportedTask& task = tasks_[lm_eval_task_name(sample.task, sample.cell)];
    task.cell = sample.cell;
    task.task = sample.task;
    task.lengths.insert(sample.length);
    ++task.samples;
  }

  Result<void> add(const AnsweredSample& each) {
    const Sample& sample = each.sample;
    const auto found = tasks_.find(lm_eval_task_name(sample.task, sample.cell));
    if (found == tasks_.end() || each.attempts.empty()) return {};
    ExportedTask& task = found->second;
    const double score = each.scores.front()->official.value_or(0);
    task.scores[sample.length].push_back(score);
    ++task.answered;
    task.max_output_tokens = std::max(task.max_output_tokens, output_ceiling_of(sample));
    return task.writer->write(to_json_line(sample_json(task, each, score)));
  }

  [[nodiscard]] int64_t output_ceiling_of(const Sample& sample) const {
    const int64_t asked = run_.record.settings.max_output_tokens;
    return asked > 0 ? asked : sample.tokens.reserve;
  }

  Json sample_json(ExportedTask& task, const AnsweredSample& each, double score) const {
    const Sample& sample = each.sample;
    const std::string prompt = sample.full_text();
    const Json doc = doc_json(sample, with_prompts_);
    const std::string target = sample.references.empty() ? "" : sample.references.front();
    const std::string hashes[] = {sha256_hex(to_indented(doc)), sha256_hex(prompt),
                                  sha256_hex(target)};
    for (const std::string& hash : hashes) task.hashes += hash;
    Json replies = Json::array();
    for (const Attempt* attempt : each.attempts) replies.push_back(attempt->reply.text);
    Json metrics = Json::array();
    for (const int64_t length : task.lengths) metrics.push_back(std::to_string(length));
    Json json = {
        {"doc_id", sample.index},
        {"doc", doc},
        {"target", target},
        {"arguments",
         {{"gen_args_0", {{"arg_0", with_prompts_ ? prompt : ""}, {"arg_1", generation(sample)}}}}},
        {"resps", Json::array({replies})},
        {"filtered_resps", Json::array({each.attempts.front()->reply.text})},
        {"filter", kFilter},
        {"metrics", std::move(metrics)},
        {"doc_hash", hashes[0]},
        {"prompt_hash", hashes[1]},
        {"target_hash", hashes[2]}};
    for (const int64_t length : task.lengths)
      json[std::to_string(length)] = length == sample.length ? score : kOtherLength;
    json["fathom_outcome"] = to_text(each.attempts.front()->outcome);
    return json;
  }

  // The text that lm-eval takes the hash of a document of.
  static std::string to_indented(const Json& doc) {
    return doc.dump(2, ' ', false, Json::error_handler_t::replace);
  }

  Json generation(const Sample& sample) const {
    const Decoding& decoding = run_.record.settings.decoding;
    return {{"until", decoding.stop},
            {"do_sample", decoding.temperature > 0},
            {"temperature", decoding.temperature},
            {"max_gen_toks", output_ceiling_of(sample)}};
  }

  Json task_results(const std::string& name, const ExportedTask& task) const {
    Json json = {{"alias", name}};
    for (const auto& [length, scores] : task.scores) {
      json[fmt::format("{},{}", length, kFilter)] = mean(scores);
      json[fmt::format("{}_stderr,{}", length, kFilter)] = standard_error(scores);
    }
    json["sample_len"] = task.answered;
    return json;
  }

  // lm-eval's group of the thirteen, where all of them are there: the mean over tasks.
  [[nodiscard]] Json group_results() const {
    Json json = Json::object();
    std::map<int64_t, std::vector<double>> means;
    for (const auto& [own, name] : ruler_names()) {
      const auto task = tasks_.find(name);
      if (task == tasks_.end()) return Json::object();
      for (const auto& [length, scores] : task->second.scores)
        means[length].push_back(mean(scores));
    }
    json["alias"] = "ruler";
    for (const auto& [length, values] : means) {
      if (values.size() != ruler_names().size()) continue;
      json[fmt::format("{},{}", length, kFilter)] = mean(values);
      json[fmt::format("{}_stderr,{}", length, kFilter)] = "N/A";
    }
    return {{"ruler", std::move(json)}};
  }

  Json task_config(const std::string& name, const ExportedTask& task) const {
    const Decoding& decoding = run_.record.settings.decoding;
    Json metrics = Json::array();
    for (const int64_t length : task.lengths)
      metrics.push_back({{"metric", std::to_string(length)}, {"higher_is_better", true}});
    return {{"task", name},
            {"output_type", "generate_until"},
            {"generation_kwargs",
             {{"until", decoding.stop},
              {"do_sample", decoding.temperature > 0},
              {"temperature", decoding.temperature},
              {"max_gen_toks", task.max_output_tokens}}},
            {"repeats", run_.record.settings.attempts},
            {"num_fewshot", 0},
            {"metric_list", std::move(metrics)},
            {"metadata",
             {{"version", 1},
              {"made_by", std::string("fathom ") + FATHOM_VERSION},
              {"task", task.task},
              {"cell", task.cell},
              {"dataset_hash", run_.record.settings.dataset_hash}}}};
  }

  Json config_json() const {
    const RunSettings& settings = run_.record.settings;
    const auto seed = run_.manifest.recipe.suite.seed;
    Json arguments = "model=" + settings.profile.name;
    return {{"model", settings.profile.provider},
            {"model_args", std::move(arguments)},
            {"batch_size", 1},
            {"batch_sizes", Json::array()},
            {"device", nullptr},
            {"use_cache", nullptr},
            {"limit", nullptr},
            {"bootstrap_iters", 0},
            {"gen_kwargs", nullptr},
            {"random_seed", seed},
            {"numpy_seed", seed},
            {"torch_seed", seed},
            {"fewshot_seed", seed}};
  }

  Json results_json() const {
    Json results = Json::object();
    Json configs = Json::object();
    Json versions = Json::object();
    Json shots = Json::object();
    Json better = Json::object();
    Json counts = Json::object();
    Json hashes = Json::object();
    Json members = Json::array();
    for (const auto& [name, task] : tasks_) {
      results[name] = task_results(name, task);
      configs[name] = task_config(name, task);
      versions[name] = 1;
      shots[name] = 0;
      for (const int64_t length : task.lengths) better[name][std::to_string(length)] = true;
      counts[name] = {{"original", task.samples}, {"effective", task.answered}};
      hashes[name] = sha256_hex(task.hashes);
    }
    const Json groups = group_results();
    Json subtasks = Json::object();
    if (!groups.empty()) {
      for (const auto& [own, name] : ruler_names()) members.push_back(name);
      subtasks["ruler"] = std::move(members);
      results["ruler"] = groups["ruler"];
      versions["ruler"] = 1;
    }
    const RunSettings& settings = run_.record.settings;
    Json json = {{"results", std::move(results)}};
    if (!groups.empty()) json["groups"] = groups;
    json.update(Json{{"group_subtasks", std::move(subtasks)},
                     {"configs", std::move(configs)},
                     {"versions", std::move(versions)},
                     {"n-shot", std::move(shots)},
                     {"higher_is_better", std::move(better)},
                     {"n-samples", std::move(counts)},
                     {"config", config_json()},
                     {"git_hash", nullptr},
                     {"date", static_cast<double>(run_.record.created_unix_ms) / 1000},
                     {"pretty_env_info", nullptr},
                     {"transformers_version", nullptr},
                     {"lm_eval_version", nullptr},
                     {"upper_git_hash", nullptr},
                     {"max_length", settings.profile.window_tokens},
                     {"task_hashes", std::move(hashes)},
                     {"model_source", settings.profile.provider},
                     {"model_name", run_.description.model},
                     {"model_name_sanitized", model_folder_name(run_.description.model)},
                     {"system_instruction", nullptr},
                     {"system_instruction_sha", nullptr},
                     {"fewshot_as_multiturn", false},
                     {"chat_template", settings.chat_template},
                     {"chat_template_sha", settings.template_hash},
                     {"total_evaluation_time_seconds", std::to_string(run_seconds())},
                     {"fathom", fathom_json()}});
    return json;
  }

  // What lm-eval's keys cannot say.
  Json fathom_json() const {
    Json conditions = Json::array();
    for (const Condition& each : run_.description.conditions)
      conditions.push_back({{"group", each.group}, {"name", each.name}, {"value", each.value}});
    return {{"version", FATHOM_VERSION},
            {"simulated", run_.description.simulated},
            {"failures", "a failed request scores 0 in every mean"},
            {"attempted", run_.results.total.attempted},
            {"completed", run_.results.total.completed},
            {"conditions", std::move(conditions)}};
  }

  double run_seconds() const {
    double last = 0;
    for (const Attempt& attempt : run_.attempts)
      last = std::max(last, static_cast<double>(attempt.started_unix_ms) + attempt.reply.total_ms);
    return std::max(0.0, last - static_cast<double>(run_.record.created_unix_ms)) / 1000;
  }

  const FinishedRun& run_;
  const bool with_prompts_;
  const std::string time_;
  std::string folder_;
  std::map<std::string, ExportedTask> tasks_;
};

}  // namespace

std::string lm_eval_task_name(const std::string& task, const std::string& cell) {
  const auto found = ruler_names().find(task);
  return found != ruler_names().end() && cell == task ? found->second : "fathom_" + cell;
}

Result<LmEvalExport> export_lm_eval(const FinishedRun& run, const std::string& folder,
                                    bool with_prompts) {
  return LmEvalExporter(run, with_prompts).write(folder);
}

}  // namespace fathom

#include "run/record.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.h"
#include "io/file.h"
#include "run/settings_json.h"

namespace fathom {
namespace {

constexpr int64_t kRecordVersion = 1;

Json to_json(const Machine& machine) {
  Json out;
  out["host"] = machine.host;
  out["cpu"] = machine.cpu;
  out["cores"] = machine.cores;
  out["memory_bytes"] = machine.memory_bytes;
  out["system"] = machine.system;
  return out;
}

Json to_json(const RunSession& session) {
  Json out;
  out["started_unix_ms"] = session.started_unix_ms;
  out["fathom_version"] = session.fathom_version;
  out["machine"] = to_json(session.machine);
  out["shard"] = session.shard.index;
  out["shards"] = session.shard.count;
  out["threads"] = session.threads;
  out["limits"] = to_json(session.limits);
  out["changed"] = session.changed;
  return out;
}

Result<Machine> machine_from_json(const JsonReader& reader) {
  Machine out;
  TRY(out.host, reader.text("host"));
  TRY(out.cpu, reader.text("cpu"));
  TRY(const int64_t cores, reader.integer("cores"));
  out.cores = static_cast<int>(cores);
  TRY(out.memory_bytes, reader.integer("memory_bytes"));
  TRY(out.system, reader.text("system"));
  return out;
}

Result<RunSession> session_from_json(const JsonReader& reader) {
  RunSession out;
  TRY(out.started_unix_ms, reader.integer("started_unix_ms"));
  TRY(out.fathom_version, reader.text("fathom_version"));
  TRY(const JsonReader machine, reader.object("machine"));
  TRY(out.machine, machine_from_json(machine));
  TRY(out.shard.index, reader.integer("shard"));
  TRY(out.shard.count, reader.integer("shards"));
  TRY(const int64_t threads, reader.integer("threads"));
  out.threads = static_cast<int>(threads);
  TRY(const JsonReader limits, reader.object("limits"));
  TRY(out.limits, run_limits_from_json(limits));
  TRY(out.changed, reader.texts("changed"));
  return out;
}

std::string record_path(const std::string& folder) { return folder + "/run.json"; }

// Long texts are compared by hash, so that a difference can be printed.
std::string short_form(const std::string& text) {
  if (text.size() <= 120 && text.find('\n') == std::string::npos) return text;
  return "text of hash " + hash_hex(text);
}

using NamedValues = std::vector<std::pair<std::string, std::string>>;

NamedValues deciding_settings(const RunSettings& settings) {
  const ModelProfile& profile = settings.profile;
  NamedValues out;
  const auto add = [&](std::string name, std::string value) {
    out.emplace_back(std::move(name), std::move(value));
  };
  // A model file is its hash (model.version), wherever it lies.
  if (profile.provider != "gguf") add("model", settings.model.model);
  add("model.base_url", without_secrets(settings.model.base_url));
  add("model.api", settings.model.api);
  add("model.seed", std::to_string(settings.model.seed));
  add("model.provider", profile.provider);
  add("model.name", profile.provider == "gguf" ? "" : profile.name);
  add("model.version", profile.version);
  add("model.window_tokens", std::to_string(profile.window_tokens));
  add("model.raw_prompts", profile.raw_prompts ? "yes" : "no");
  add("model.prefix_policy", to_text(profile.prefix_policy));
  add("model.chat_template", short_form(profile.chat_template));
  add("decoding.temperature", fmt::format("{}", settings.decoding.temperature));
  add("decoding.top_p", fmt::format("{}", settings.decoding.top_p));
  add("decoding.seed", std::to_string(settings.decoding.seed));
  add("decoding.stop", to_json_line(Json(settings.decoding.stop)));
  add("max_output_tokens", std::to_string(settings.max_output_tokens));
  add("attempts", std::to_string(settings.attempts));
  add("add_special", settings.add_special ? "yes" : "no");
  add("suite", settings.suite);
  add("tokenizer_hash", settings.tokenizer_hash);
  add("chat_template", settings.chat_template);
  add("template_hash", settings.template_hash);
  add("length_counts", settings.length_counts);
  add("dataset_hash", settings.dataset_hash);
  return out;
}

}  // namespace

Json to_json(const RunRecord& record) {
  Json out;
  out["fathom_run"] = kRecordVersion;
  out["id"] = record.id;
  out["created_unix_ms"] = record.created_unix_ms;
  out["created"] = utc_text(record.created_unix_ms);
  out["settings"] = to_json(record.settings);
  out["sessions"] = Json::array();
  for (const RunSession& session : record.sessions) out["sessions"].push_back(to_json(session));
  return out;
}

Result<RunRecord> run_record_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  TRY(const int64_t version, reader.integer("fathom_run"));
  if (version != kRecordVersion)
    return fail(ErrorCode::kInput, "{}: is of version {}, this fathom reads version {}", where,
                version, kRecordVersion);
  RunRecord out;
  TRY(out.id, reader.text("id"));
  TRY(out.created_unix_ms, reader.integer("created_unix_ms"));
  TRY(const JsonReader settings, reader.object("settings"));
  TRY(out.settings, run_settings_from_json(settings));
  TRY(const Json* sessions, reader.array("sessions"));
  for (size_t i = 0; i < sessions->size(); ++i) {
    TRY(const JsonReader session,
        JsonReader::of((*sessions)[i], fmt::format("{}: sessions[{}]", where, i)));
    TRY(RunSession parsed, session_from_json(session));
    out.sessions.push_back(std::move(parsed));
  }
  return out;
}

Result<RunRecord> read_run_record(const std::string& folder) {
  const std::string path = record_path(folder);
  if (!file_exists(path))
    return fail(ErrorCode::kIo,
                "{}: no run is here (run.json is missing); `fathom run SUITE --model MODEL -o {}` "
                "makes one",
                folder, folder);
  TRY(const std::string text, read_file(path));
  TRY(const Json json, parse_json(text, path));
  return run_record_from_json(json, path);
}

Result<void> write_run_record(const std::string& folder, const RunRecord& record) {
  RunRecord kept = record;
  if (kept.sessions.size() > kKeptSessions) {
    const auto surplus = static_cast<std::ptrdiff_t>(kept.sessions.size() - kKeptSessions);
    kept.sessions.erase(kept.sessions.begin() + 1, kept.sessions.begin() + 1 + surplus);
  }
  return write_file_atomic(record_path(folder), to_pretty_json(to_json(kept)));
}

std::vector<SettingChange> changed_settings(const RunSettings& before, const RunSettings& now) {
  std::vector<SettingChange> out;
  const NamedValues old_values = deciding_settings(before);
  const NamedValues new_values = deciding_settings(now);
  std::map<std::string, std::pair<std::string, std::string>> more;
  for (const auto& [name, value] : before.more) more[name].first = value;
  for (const auto& [name, value] : now.more) more[name].second = value;
  for (const auto& [name, values] : more)
    if (values.first != values.second) out.push_back({name, values.first, values.second});
  // The dataset's hash comes last: it differs as a consequence of every setting before it.
  for (const auto& [name, value] : new_values) {
    const auto same_name = [&](const auto& item) { return item.first == name; };
    const auto old = std::find_if(old_values.begin(), old_values.end(), same_name);
    const std::string old_value = old == old_values.end() ? "" : old->second;
    if (old_value != value) out.push_back({name, old_value, value});
  }
  return out;
}

Result<std::vector<std::string>> check_same_settings(const std::string& folder,
                                                     const RunSettings& before,
                                                     const RunSettings& now,
                                                     const std::set<std::string>& allowed) {
  std::vector<std::string> accepted;
  for (const SettingChange& change : changed_settings(before, now)) {
    if (!allowed.contains(change.name))
      return fail(ErrorCode::kUsage,
                  "{}: this run began with {} '{}', now it is '{}'; results of both must not be "
                  "mixed: go back to the old value or use another folder",
                  folder, change.name, change.before, change.now);
    accepted.push_back(fmt::format("{}: '{}' → '{}'", change.name, change.before, change.now));
  }
  return accepted;
}

}  // namespace fathom

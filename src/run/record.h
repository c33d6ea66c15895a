// run.json: everything needed to repeat a run and to refuse mixing it with another (R2, R12). File
// form: docs/formats/run.md.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "io/json.h"
#include "run/machine.h"
#include "run/settings.h"

namespace fathom {

// One start of the program on this run. Nothing in it decides results.
struct RunSession {
  int64_t started_unix_ms = 0;
  std::string fathom_version;
  Machine machine;
  RunShard shard;
  int threads = 0;
  RunLimits limits;
  std::vector<std::string>
      changed;  // settings that differed and were allowed to: "model.base_url: 'a' → 'b'"
};

struct RunRecord {
  std::string id;  // of this run, 32 hex digits; the journals name it
  int64_t created_unix_ms = 0;
  RunSettings settings;
  std::vector<RunSession> sessions;  // the last ones (kKeptSessions) and always the first
};

inline constexpr size_t kKeptSessions = 50;

[[nodiscard]] Json to_json(const RunRecord& record);
[[nodiscard]] Result<RunRecord> run_record_from_json(const Json& json, const std::string& where);

// Reads FOLDER/run.json. Errors: kIo, kInput naming file and key.
[[nodiscard]] Result<RunRecord> read_run_record(const std::string& folder);
[[nodiscard]] Result<void> write_run_record(const std::string& folder, const RunRecord& record);

struct SettingChange {
  std::string name;  // "model.model", "decoding.temperature", "dataset.hash" …
  std::string before;
  std::string now;
  bool operator==(const SettingChange&) const = default;
};

// The settings that decide results and differ, by name.
[[nodiscard]] std::vector<SettingChange> changed_settings(const RunSettings& before,
                                                          const RunSettings& now);

// kUsage naming the first difference with both values, unless all of them are in `allowed`. Returns
// the allowed ones, as RunSession::changed holds them.
[[nodiscard]] Result<std::vector<std::string>> check_same_settings(
    const std::string& folder, const RunSettings& before, const RunSettings& now,
    const std::set<std::string>& allowed);

}  // namespace fathom

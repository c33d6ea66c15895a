#include "results/arm_folder.h"

#include <algorithm>
#include <utility>

#include "coverage/coverage_file.h"
#include "io/file.h"
#include "io/json.h"

namespace fathom {
namespace {

constexpr int kVersion = 1;

std::string arms_file(const std::string& folder) { return folder + "/arms.json"; }

Error changed(const std::string& folder, const AttentionArm& old, const AttentionArm& now) {
  const auto place = [](const AttentionArm& arm) {
    return arm.server.empty() ? std::string("in-process") : "at " + arm.server;
  };
  if (old.server != now.server)
    return {ErrorCode::kUsage, fmt::format("{}: arm {} was run {}, not {}; use another folder",
                                           folder, old.name, place(old), place(now))};
  const auto asked = [](const AttentionArm& arm) {
    return arm.only_failed.empty() ? std::string("every sample")
                                   : "only what " + arm.only_failed + " failed";
  };
  if (old.only_failed != now.only_failed)
    return {ErrorCode::kUsage, fmt::format("{}: arm {} was asked {}, not {}; use another folder",
                                           folder, old.name, asked(old), asked(now))};
  const Json before = arm_json(old);
  const Json after = arm_json(now);
  for (const auto& [key, value] : before.items())
    if (after[key] != value)
      return {ErrorCode::kUsage,
              fmt::format("{}: arm {} was run with {} {}, not {}; use another folder", folder,
                          old.name, key, to_json_line(value), to_json_line(after[key]))};
  return {ErrorCode::kInternal, folder};
}

}  // namespace

bool is_arm_folder(const std::string& folder) { return file_exists(arms_file(folder)); }

Result<std::vector<AttentionArm>> read_arms(const std::string& folder) {
  const std::string path = arms_file(folder);
  TRY(const std::string text, read_file(path));
  TRY(const Json json, parse_json(text, path));
  TRY(const JsonReader reader, JsonReader::of(json, path));
  TRY(const int64_t version, reader.integer("fathom_arms"));
  if (version != kVersion)
    return fail(ErrorCode::kInput, "{}: version {} is not one that this fathom reads", path,
                version);
  TRY(const Json* list, reader.array("arms"));
  std::vector<AttentionArm> arms;
  for (const Json& each : *list) {
    TRY(const JsonReader one, JsonReader::of(each, fmt::format("{}: arms[{}]", path, arms.size())));
    TRY(arms.emplace_back(), arm_from_json(one));
    const std::string& name = arms.back().name;
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
      return fail(ErrorCode::kInput, "{}: arms[{}]: '{}' cannot be a folder's name", path,
                  arms.size() - 1, name);
  }
  return arms;
}

Result<void> add_arms(const std::string& folder, const std::vector<AttentionArm>& arms) {
  std::vector<AttentionArm> all;
  if (is_arm_folder(folder)) {
    TRY(all, read_arms(folder));
  }
  for (const AttentionArm& arm : arms) {
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const AttentionArm& each) { return each.name == arm.name; });
    if (known == all.end()) {
      all.push_back(arm);
    } else if (*known != arm) {
      return fail(changed(folder, *known, arm));
    }
  }
  Json list = Json::array();
  for (const AttentionArm& arm : all) list.push_back(arm_json(arm));
  const Json json = {{"fathom_arms", kVersion}, {"arms", std::move(list)}};
  return write_file_atomic(arms_file(folder), to_pretty_json(json));
}

Result<std::vector<FinishedArm>> read_finished_arms(const std::string& folder,
                                                    const ResultsOptions& options) {
  TRY(std::vector<AttentionArm> arms, read_arms(folder));
  std::vector<FinishedArm> finished;
  for (AttentionArm& arm : arms) {
    const std::string own = folder + "/" + arm.name;
    if (!file_exists(own + "/run.json")) continue;  // not begun
    FinishedArm& one = finished.emplace_back();
    one.arm = std::move(arm);
    TRY(one.run, read_run(own, options));
    one.run.description.name = one.arm.name;
    TRY(one.coverage, read_coverage(own + "/coverage.jsonl"));
  }
  if (finished.empty())
    return fail(ErrorCode::kInput, "{}: no arm has begun yet; the command that made it resumes",
                folder);
  return finished;
}

const FinishedArm* first_of(std::span<const FinishedArm> arms, SelectorKind kind) {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const FinishedArm& each) {
    return each.arm.options.kind == kind;
  });
  return found == arms.end() ? nullptr : &*found;
}

}  // namespace fathom

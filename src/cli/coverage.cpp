// fathom coverage: what was read of the evidence, out of the logs that any engine writes.
#include <filesystem>
#include <map>

#include "cli/arm_study_output.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "coverage/coverage_file.h"
#include "io/file.h"
#include "report/arm_table.h"
#include "report/coverage_table.h"
#include "results/arm_folder.h"
#include "results/log_coverage.h"

namespace fathom {
namespace {

struct CoverageFlags {
  std::string folder;
  std::vector<std::string> logs;  // FILE, or ARM=FILE in a study
  bool json = false;
};

void note_what_is_missing(const std::string& log, const LogCoverage& taken) {
  if (taken.unknown > 0)
    print_note(fmt::format("note: {}: {} samples are none of this run and were left out", log,
                           taken.unknown));
  if (taken.missing > 0)
    print_note(fmt::format("note: {}: {} samples of the run are not in it", log, taken.missing));
}

Result<void> take_log(const std::string& folder, const std::string& arm, const std::string& log) {
  print_note("reading " + log);
  TRY(const LogCoverage taken, take_selection_log(folder, arm, log));
  note_what_is_missing(log, taken);
  return {};
}

// Coverage that fathom's own engine recorded is not written over.
Result<void> refuse_own_arm(const std::string& name, bool own) {
  if (!own) return {};
  return fail(ErrorCode::kUsage,
              "--log: arm {} is of fathom's own engine, which recorded its coverage as it ran",
              name);
}

// ARM=FILE, by arm.
Result<std::map<std::string, std::string>> logs_of(const CoverageFlags& flags,
                                                   const std::vector<AttentionArm>& arms) {
  std::map<std::string, std::string> logs;
  for (const std::string& each : flags.logs) {
    const size_t equals = each.find('=');
    const std::string name = each.substr(0, equals);
    if (equals == std::string::npos)
      return fail(ErrorCode::kUsage, "--log {}: which arm of {} wrote it? Say --log ARM={}", each,
                  flags.folder, each);
    const auto arm = std::ranges::find(arms, name, &AttentionArm::name);
    if (arm == arms.end()) {
      std::string known;
      for (const AttentionArm& one : arms) known += (known.empty() ? "" : ", ") + one.name;
      return fail(ErrorCode::kUsage, "--log {}: {} has no arm '{}'; it has {}", each, flags.folder,
                  name, known);
    }
    TRY_VOID(refuse_own_arm(name, arm->server.empty()));
    if (!logs.emplace(name, each.substr(equals + 1)).second)
      return fail(ErrorCode::kUsage, "--log: arm {} has two logs; put their lines in one file",
                  name);
  }
  return logs;
}

void show_coverage(const std::vector<CoveredArm>& arms, const ArmStudy* study, bool json) {
  if (json) {
    Json list = Json::array();
    for (const CoveredArm& arm : arms) list.push_back(covered_arm_json(arm));
    print(to_pretty_json({{"arms", std::move(list)},
                          {"study", study == nullptr ? Json(nullptr) : arm_study_json(*study)}}));
    return;
  }
  const Terminal terminal = stdout_terminal();
  print_text(coverage_table(arms, {static_cast<size_t>(terminal.width), terminal.color}));
  if (study == nullptr) return;
  print("\n");
  print_arm_study(*study, false);
}

Result<int> cover_study(const CoverageFlags& flags) {
  TRY(const std::vector<AttentionArm> arms, read_arms(flags.folder));
  TRY(const auto logs, logs_of(flags, arms));
  for (const auto& [arm, log] : logs) TRY_VOID(take_log(flags.folder + "/" + arm, arm, log));
  std::vector<CoveredArm> covered;
  for (const AttentionArm& arm : arms) {
    if (arm.options.kind == SelectorKind::kFull && !logs.contains(arm.name)) continue;
    CoveredArm one{.name = arm.name, .samples = {}};
    TRY(one.samples, read_coverage(flags.folder + "/" + arm.name + "/coverage.jsonl"));
    if (!one.samples.empty()) covered.push_back(std::move(one));
  }
  if (covered.empty())
    return fail(ErrorCode::kUsage,
                "{}: no arm has a coverage yet; give the log that a server wrote: --log ARM=FILE",
                flags.folder);
  TRY(const ArmStudy study, write_arm_study(flags.folder));
  show_coverage(covered, &study, flags.json);
  return 0;
}

Result<int> cover_run(const CoverageFlags& flags) {
  const std::string folder = std::filesystem::path(flags.folder + "/").parent_path().filename();
  const std::string name = folder.empty() || folder == "." ? "run" : folder;
  if (flags.logs.size() > 1)
    return fail(ErrorCode::kUsage, "{} is one run: give it one --log", flags.folder);
  TRY(const RunRecord record, read_run_record(flags.folder));
  const auto& more = record.settings.more;
  if (!flags.logs.empty()) {
    TRY_VOID(refuse_own_arm(name, more.contains("arm.kind") && !more.contains("arm.server")));
    TRY_VOID(take_log(flags.folder, name, flags.logs.front()));
  }
  CoveredArm covered{.name = name, .samples = {}};
  TRY(covered.samples, read_coverage(flags.folder + "/coverage.jsonl"));
  if (covered.samples.empty())
    return fail(ErrorCode::kUsage,
                "{}: it has no coverage yet; give the log that its server wrote: --log FILE",
                flags.folder);
  show_coverage({covered}, nullptr, flags.json);
  return 0;
}

Result<int> cover(const CoverageFlags& flags) {
  return is_arm_folder(flags.folder) ? cover_study(flags) : cover_run(flags);
}

}  // namespace

void add_coverage(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<CoverageFlags>();
  CLI::App* command = add_command(
      app, "coverage", "Show what was read of the evidence, from an engine's own selection log",
      "  fathom coverage runs/servers --log real=quest.jsonl.zst    an arm of a study of servers\n"
      "  fathom coverage runs/b --log quest.jsonl.zst               an ordinary run\n"
      "  fathom coverage runs/arms                                  as recorded while it ran\n");
  command->add_option("run", flags->folder, "Folder of a run or of a study of arms")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option(
          "--log", flags->logs,
          "What the engine read (docs/formats/selection-log.md); of a study ARM=FILE, once "
          "an arm")
      ->type_name("[ARM=]FILE");
  command->add_flag("--json", flags->json, "Print it as JSON");
  command->callback([&chosen, flags] { chosen.action = [flags] { return cover(*flags); }; });
}

}  // namespace fathom

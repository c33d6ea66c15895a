// fathom replay: selectors tried on recorded keys and queries, without the model.
#include "attention/replay.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "attention/selection_log_file.h"
#include "cli/arm_flags.h"
#include "cli/command.h"
#include "cli/progress_note.h"
#include "cli/terminal.h"
#include "coverage/coverage_file.h"
#include "io/file.h"
#include "io/jsonl.h"
#include "report/coverage_table.h"

namespace fathom {
namespace {

struct ReplayFlags {
  std::string recordings;
  std::string folder;  // empty: nothing is written
  ArmFlags arms;
  bool json = false;
};

// An arm and where its lines go.
struct ReplayedArm {
  AttentionArm arm;
  CoveredArm covered;
  std::optional<LineWriter> coverage;
  std::optional<LineWriter> selections;
};

Result<std::vector<std::string>> recordings_in(const std::string& place) {
  if (!is_directory(place)) return std::vector<std::string>{place};
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(place, error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".kq") files.push_back(at->path().string());
  if (error) return fail(ErrorCode::kIo, "{}: cannot be read: {}", place, error.message());
  if (files.empty())
    return fail(ErrorCode::kUsage,
                "{}: no recordings (*.kq); fathom run --arms full,… --record deep makes them in "
                "full/deep",
                place);
  std::ranges::sort(files);
  return files;
}

Result<std::vector<ReplayedArm>> open_arms(const ReplayFlags& flags) {
  TRY(std::vector<AttentionArm> arms, arms_of(flags.arms));
  std::vector<ReplayedArm> out;
  for (AttentionArm& arm : arms) {
    if (!arm.server.empty())
      return fail(ErrorCode::kUsage,
                  "--arms {}={}: a recording is tried with selectors, not servers", arm.name,
                  arm.server);
    ReplayedArm& one = out.emplace_back();
    one.covered.name = arm.name;
    if (!flags.folder.empty()) {
      const std::string folder = flags.folder + "/" + arm.name;
      if (file_exists(folder + "/run.json"))
        return fail(ErrorCode::kUsage,
                    "-o {}: {} is a run with a coverage of its own; name another", flags.folder,
                    folder);
      TRY_VOID(make_directories(folder));
      TRY(one.coverage, LineWriter::create(folder + "/coverage.jsonl"));
      TRY(one.selections, LineWriter::create(folder + "/selections.jsonl.zst"));
    }
    one.arm = std::move(arm);
  }
  return out;
}

Result<void> try_arm(const AttentionRecording& recording, ReplayedArm& arm) {
  TRY(const SelectionLog log, replay(recording, arm.arm));
  arm.covered.samples.push_back(coverage_of(log, recording.evidence));
  if (arm.coverage) TRY_VOID(arm.coverage->write(coverage_line(arm.covered.samples.back())));
  if (arm.selections) TRY_VOID(arm.selections->write(selection_log_line(log)));
  return {};
}

void show(const std::vector<CoveredArm>& arms, bool json) {
  if (json) {
    Json list = Json::array();
    for (const CoveredArm& arm : arms) list.push_back(covered_arm_json(arm));
    print(to_pretty_json({{"arms", std::move(list)}}));
    return;
  }
  const Terminal terminal = stdout_terminal();
  print_text(coverage_table(arms, {static_cast<size_t>(terminal.width), terminal.color}));
}

Result<int> replay_arms(const ReplayFlags& flags) {
  TRY(std::vector<ReplayedArm> arms, open_arms(flags));
  TRY(const std::vector<std::string> files, recordings_in(flags.recordings));
  const auto progress = progress_note("replaying");
  for (size_t i = 0; i < files.size(); ++i) {
    TRY(const AttentionRecording recording, read_recording(files[i]));
    for (ReplayedArm& arm : arms) TRY_VOID(try_arm(recording, arm));
    progress(static_cast<int64_t>(i + 1), static_cast<int64_t>(files.size()));
  }
  std::vector<CoveredArm> covered;
  for (ReplayedArm& arm : arms) {
    if (arm.coverage) TRY_VOID(arm.coverage->finish());
    if (arm.selections) TRY_VOID(arm.selections->finish());
    covered.push_back(std::move(arm.covered));
  }
  show(covered, flags.json);
  return 0;
}

}  // namespace

void add_replay(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command = add_command(
      app, "replay", "Try selectors on recorded keys and queries, without the model",
      "  fathom replay runs/deep/full/deep --arms quest,snapkv,mass-oracle --budget 128,256\n"
      "  fathom replay runs/deep/full/deep --arms quest --budget 256 --block 16 -o "
      "runs/quest-16\n");
  command
      ->add_option("recordings", flags->recordings,
                   "Folder of recordings, or one, as fathom run --record deep makes them "
                   "(docs/formats/recording.md)")
      ->required()
      ->type_name("PLACE");
  command
      ->add_option("-o,--output", flags->folder,
                   "Folder for each arm's coverage.jsonl and selections.jsonl.zst")
      ->type_name("FOLDER");
  add_selector_flags(*command, flags->arms);
  command->get_option("--arms")->required();
  command->add_flag("--json", flags->json, "Print it as JSON");
  command->callback([&chosen, flags] { chosen.action = [flags] { return replay_arms(*flags); }; });
}

}  // namespace fathom

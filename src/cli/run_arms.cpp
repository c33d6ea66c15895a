#include "cli/run_arms.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "attention/selection_log_file.h"
#include "cli/prepared_run.h"
#include "cli/results_output.h"
#include "cli/run_execution.h"
#include "cli/terminal.h"
#include "coverage/coverage_file.h"
#include "io/file.h"
#include "io/line_appender.h"
#include "model/arm_model.h"
#include "report/arm_table.h"
#include "results/arm_folder.h"
#include "run/stop.h"
#include "text/lines.h"

namespace fathom {
namespace {

// An arm's run and what it needs while it goes on.
struct ArmRun {
  std::string folder;
  std::unique_ptr<IndexedSamples> samples;
  std::unique_ptr<AppendFile> coverage;
  std::unique_ptr<LineAppender> selections;  // null: not recorded
  std::unique_ptr<ArmModel> model;
  std::optional<Run> run;
  std::optional<Error> stopped;
};

// Settings that decide what an arm answers, compared by name when it is resumed.
std::map<std::string, std::string> settings_of(const AttentionArm& arm) {
  std::map<std::string, std::string> settings;
  const Json json = arm_json(arm);
  for (const auto& [key, value] : json.items())
    settings["arm." + key] = value.is_string() ? value.get<std::string>() : to_json_line(value);
  return settings;
}

Result<void> copy_index(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (error) return fail(ErrorCode::kIo, "{}: cannot be written: {}", to, error.message());
  return {};
}

// What was weighed is in the coverage; the log keeps what was read.
std::string log_line(SelectionLog log) {
  for (LoggedSelection& each : log.selections) each.candidates.clear();
  return selection_log_line(log);
}

Result<void> open_arm(const std::string& folder, const AttentionArm& arm, ArmRecord record,
                      const PreparedRun& prepared, ArmRun& out) {
  out.folder = folder + "/" + arm.name;
  TRY_VOID(make_directories(out.folder));
  TRY_VOID(copy_index(folder + "/samples.jsonl", out.folder + "/samples.jsonl"));
  TRY(out.samples, prepared.samples_again());
  TRY(AppendFile coverage, AppendFile::open(out.folder + "/coverage.jsonl"));
  out.coverage = std::make_unique<AppendFile>(std::move(coverage));
  if (record != ArmRecord::kCoverage && arm.options.kind != SelectorKind::kFull) {
    TRY(LineAppender selections, LineAppender::open(out.folder + "/selections.jsonl.zst"));
    out.selections = std::make_unique<LineAppender>(std::move(selections));
  }
  out.model = std::make_unique<ArmModel>(*prepared.model, arm,
                                         [&file = *out.coverage, logs = out.selections.get()](
                                             const Request& request, const SelectionLog& log) {
                                           const SampleCoverage covered =
                                               coverage_of(log, request.places.evidence);
                                           // A coverage that cannot be kept is missing from the
                                           // study, which says how many it has.
                                           (void)file.append(coverage_line(covered) + "\n", false);
                                           if (logs != nullptr) (void)logs->append(log_line(log));
                                         });
  RunOptions options = prepared.options;
  options.folder = out.folder;
  options.settings.more = settings_of(arm);
  options.limits.requests_in_flight = 1;  // arms take turns, sample by sample
  TRY(out.run, Run::open(std::move(options), *out.samples, system_clock()));
  return {};
}

// Every arm asks from a thread of its own; the model answers one request at a time in the order
// they were asked, so that the arms of a sample follow one another and share its context.
void execute(std::vector<ArmRun>& arms) {
  StopFlag stop;
  const SignalStop signals(stop);
  TerminalProgress display(arms.size());
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < arms.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto ended = arms[i].run->execute(
          *arms[i].model, stop, [&](const Progress& progress) { display.update(i, progress); });
      display.update(i, arms[i].run->summary().last);
      if (ended) return;
      arms[i].stopped = ended.error();
      stop.request(ErrorCode::kStopped);  // an arm alone compares with nothing
    });
  }
  threads.clear();
  display.finish();
}

Result<void> show_study(const ArmStudyFlags& flags) {
  TRY(const std::vector<FinishedArm> arms, read_finished_arms(flags.folder, {}));
  const ArmStudy study = arm_study(arms);
  TRY_VOID(write_file_atomic(flags.folder + "/arms-summary.json",
                             to_pretty_json(arm_study_json(study))));
  if (flags.json) {
    print(to_pretty_json(arm_study_json(study)));
  } else {
    const Terminal terminal = stdout_terminal();
    print_text(arm_table(study, {static_cast<size_t>(terminal.width), terminal.color}));
  }
  std::vector<FinishedRun> runs;
  for (const FinishedArm& arm : arms) runs.push_back(arm.run);
  const std::string page = flags.folder + "/report.html";
  TRY_VOID(write_page(runs, page));
  print_note("report: " + page);
  return {};
}

}  // namespace

Result<int> run_arms(const ArmStudyFlags& flags) {
  TRY(const PreparedRun prepared,
      prepare_run(flags.folder, flags.suite, flags.model, flags.requests));
  const ModelProfile& profile = prepared.options.settings.profile;
  if (profile.provider != "gguf")
    return fail(ErrorCode::kUsage,
                "--arms needs a GGUF file: only in-process can attention be masked; compare two "
                "servers as two runs");
  for (const std::string& note : profile.notes) print_note("note: " + note);
  TRY_VOID(add_arms(flags.folder, flags.arms));
  std::vector<ArmRun> all(flags.arms.size());
  std::vector<ArmRun> open;
  for (size_t i = 0; i < flags.arms.size(); ++i) {
    TRY_VOID(open_arm(flags.folder, flags.arms[i], flags.record, prepared, all[i]));
    if (!all[i].run->finished()) open.push_back(std::move(all[i]));
  }
  if (open.empty()) {
    print_note(flags.folder + ": nothing is left to ask");
  } else {
    print_note(fmt::format("{} of {} arms have something to ask; of the first:", open.size(),
                           flags.arms.size()));
    const std::string plan = to_text(open.front().run->plan());
    for (const std::string_view line : split_lines(plan)) print_note(line);
    execute(open);
  }
  std::optional<Error> stopped;
  for (const ArmRun& arm : open) {
    for (const std::string& warning : arm.run->summary().warnings)
      print_note("warning: " + arm.folder + ": " + warning);
    // An arm that fails stops the others: its own reason counts, not theirs.
    const bool first = !stopped || stopped->code == ErrorCode::kStopped;
    if (arm.stopped && first) stopped = with_context(*arm.stopped, arm.folder);
  }
  if (stopped && stopped->code != ErrorCode::kFailedAttempts) return fail(*stopped);
  TRY_VOID(show_study(flags));
  if (stopped) return fail(*stopped);
  return 0;
}

}  // namespace fathom

#include "cli/run_arms.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "attention/recording.h"
#include "attention/selection_log_file.h"
#include "cli/arm_study_output.h"
#include "cli/prepared_run.h"
#include "cli/run_execution.h"
#include "cli/server_arms.h"
#include "cli/terminal.h"
#include "coverage/coverage_file.h"
#include "io/file.h"
#include "io/line_appender.h"
#include "model/arm_model.h"
#include "results/arm_folder.h"
#include "results/failed_samples.h"
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
  std::unique_ptr<Model> own;                // in-process: the shared one seen through the arm
  Model* model = nullptr;
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

constexpr std::string_view kRecordedArm = "full";  // not full-again, which is the same

// What was weighed is in the coverage; the log keeps what was read.
std::string log_line(SelectionLog log) {
  for (LoggedSelection& each : log.selections) each.candidates.clear();
  return selection_log_line(log);
}

Result<void> begin_arm(const std::string& folder, const AttentionArm& arm,
                       const PreparedRun& prepared, ArmRun& out) {
  out.folder = folder + "/" + arm.name;
  TRY_VOID(make_directories(out.folder));
  const std::string index = out.folder + "/samples.jsonl";
  if (arm.only_failed.empty()) {
    TRY_VOID(copy_index(folder + "/samples.jsonl", index));
  } else if (!file_exists(index)) {  // which ones is settled once
    TRY(const auto failed, failed_samples_of_arm(folder, arm.only_failed));
    TRY(std::vector<SampleLine> all, read_sample_index(folder + "/samples.jsonl"));
    TRY_VOID(write_sample_index(index, only_samples(std::move(all), failed)));
  }
  TRY(out.samples, prepared.samples_of(index));
  return {};
}

Result<void> open_run(RunOptions options, const AttentionArm& arm, ArmRun& out) {
  options.folder = out.folder;
  options.settings.more = settings_of(arm);
  TRY(out.run, Run::open(std::move(options), *out.samples, system_clock()));
  return {};
}

// Pairs of answers say nothing where the questions differ.
Result<void> check_same_form(const AttentionArm& arm, const ModelProfile& profile,
                             const ModelProfile& first) {
  if (profile.raw_prompts != first.raw_prompts || profile.prefix_policy != first.prefix_policy)
    return fail(ErrorCode::kSetup,
                "arm {}: {} takes {} prompts with the answer's start {}, the first arm {} with it "
                "{}; give --api and --prefix so that all are asked alike",
                arm.name, arm.server, profile.raw_prompts ? "exact" : "chat",
                to_text(profile.prefix_policy), first.raw_prompts ? "exact" : "chat",
                to_text(first.prefix_policy));
  if (!profile.chat_template.empty() && !first.chat_template.empty() &&
      profile.chat_template != first.chat_template)
    return fail(ErrorCode::kSetup, "arm {}: {} has another chat template than the first arm",
                arm.name, arm.server);
  return {};
}

// `first`: the arm whose model the samples were prepared with.
Result<void> open_server_arm(const ArmStudyFlags& flags, const AttentionArm& arm, bool first,
                             const PreparedRun& prepared, ArmRun& out) {
  TRY_VOID(begin_arm(flags.folder, arm, prepared, out));
  out.model = prepared.model.get();
  RunOptions options = prepared.options;
  if (!first) {
    TRY(const ModelFlags own, flags_of_arm(arm, flags.model));
    TRY(options.settings.model, model_options_of(own));
    TRY_CONTEXT(out.own, open_model(options.settings.model), "arm " + arm.name);
    out.model = out.own.get();
    TRY_CONTEXT(options.settings.profile, out.model->probe(), "arm " + arm.name);
    const ModelProfile& profile = options.settings.profile;
    TRY_VOID(check_same_form(arm, profile, prepared.options.settings.profile));
    for (const std::string& note : profile.notes) print_note("note: " + arm.name + ": " + note);
  }
  return open_run(std::move(options), arm, out);
}

Result<void> open_arm(const std::string& folder, const AttentionArm& arm, ArmRecord record,
                      const PreparedRun& prepared, ArmRun& out) {
  TRY_VOID(begin_arm(folder, arm, prepared, out));
  TRY(AppendFile coverage, AppendFile::open(out.folder + "/coverage.jsonl"));
  out.coverage = std::make_unique<AppendFile>(std::move(coverage));
  const bool full = arm.options.kind == SelectorKind::kFull;
  if (record != ArmRecord::kCoverage && !full) {
    TRY(LineAppender selections, LineAppender::open(out.folder + "/selections.jsonl.zst"));
    out.selections = std::make_unique<LineAppender>(std::move(selections));
  }
  std::string deep;
  if (record == ArmRecord::kDeep && arm.name == kRecordedArm) {
    deep = out.folder + "/deep";
    TRY_VOID(make_directories(deep));
  }
  // What cannot be kept is missing from the study, which says how many samples it has.
  out.own = std::make_unique<ArmModel>(
      *prepared.model, arm, !deep.empty(),
      [&file = *out.coverage, logs = out.selections.get(), deep](const Request& request,
                                                                 const Reply& reply) {
        const SelectionLog& log = *reply.selection;
        const SampleCoverage covered = coverage_of(log, request.places.evidence);
        (void)file.append(coverage_line(covered) + "\n", false);
        if (logs != nullptr) (void)logs->append(log_line(log));
        if (reply.recording != nullptr)
          (void)write_recording(deep + "/" + recording_name(request.id), *reply.recording);
      });
  out.model = out.own.get();
  RunOptions options = prepared.options;
  options.limits.requests_in_flight = 1;  // arms take turns, sample by sample
  return open_run(std::move(options), arm, out);
}

// Every arm asks from a thread of its own. In-process the model answers one request at a time in
// the order they were asked, so that the arms of a sample follow one another and share its context;
// servers answer side by side, each within the run's limits.
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

// `all` is as long as the arms are.
Result<void> open_arms(const ArmStudyFlags& flags, const PreparedRun& prepared,
                       std::vector<ArmRun>& all) {
  for (size_t i = 0; i < flags.arms.size(); ++i) {
    const AttentionArm& arm = flags.arms[i];
    if (arm.server.empty()) {
      TRY_VOID(open_arm(flags.folder, arm, flags.record, prepared, all[i]));
    } else {
      TRY_VOID(open_server_arm(flags, arm, i == 0, prepared, all[i]));
    }
  }
  return {};
}

Result<void> check_record(const ArmStudyFlags& flags) {
  const auto recorded = std::ranges::find(flags.arms, kRecordedArm, &AttentionArm::name);
  const bool possible = recorded != flags.arms.end() && recorded->server.empty();
  if (flags.record != ArmRecord::kDeep || possible) return {};
  return fail(ErrorCode::kUsage,
              "--record deep keeps keys and queries of full attention in-process: put full among "
              "the arms of a GGUF file");
}

Result<void> show_study(const ArmStudyFlags& flags) {
  TRY(const ArmStudy study, write_arm_study(flags.folder));
  print_arm_study(study, flags.json);
  return {};
}

}  // namespace

Result<int> run_arms(const ArmStudyFlags& flags) {
  ModelFlags model = flags.model;
  if (!flags.arms.front().server.empty()) {
    TRY(model, flags_of_arm(flags.arms.front(), flags.model));
  }
  TRY(const PreparedRun prepared, prepare_run(flags.folder, flags.suite, model, flags.requests));
  const ModelProfile& profile = prepared.options.settings.profile;
  if (profile.provider != "gguf" && flags.arms.front().server.empty())
    return fail(ErrorCode::kUsage,
                "--arms needs a GGUF file: only in-process can attention be masked; servers are "
                "arms by address: --arms full=http://HOST:8000/v1,real=http://HOST:8001/v1");
  for (const std::string& note : profile.notes) print_note("note: " + note);
  TRY_VOID(check_record(flags));
  const std::string& failed_arm = flags.arms.front().only_failed;
  if (!failed_arm.empty()) TRY_VOID(failed_samples_of_arm(flags.folder, failed_arm));
  TRY_VOID(add_arms(flags.folder, flags.arms));
  std::vector<ArmRun> all(flags.arms.size());
  std::vector<ArmRun> open;
  TRY_VOID(open_arms(flags, prepared, all));
  for (ArmRun& arm : all)
    if (!arm.run->finished()) open.push_back(std::move(arm));
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

// fathom run: generate, ask, grade, show. The same command again resumes.
#include <filesystem>

#include "cli/arm_flags.h"
#include "cli/command.h"
#include "cli/kept.h"
#include "cli/prepared_run.h"
#include "cli/results_output.h"
#include "cli/run_arms.h"
#include "cli/run_execution.h"
#include "cli/terminal.h"
#include "text/lines.h"

namespace fathom {
namespace {

struct RunFlags {
  SuiteFlags suite;
  ModelFlags model;
  RequestFlags requests;
  ArmFlags arms;
  std::string folder;
  bool json = false;
};

// runs/SUITE-MODEL, where no folder is given.
std::string default_folder(const RunFlags& flags) {
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).lexically_normal().stem().string();
  };
  const std::string& model = flags.model.model.model;
  return "runs/" + name(flags.suite.suite) + "-" + (model.empty() ? "arms" : name(model));
}

Result<int> run_suite(const RunFlags& flags) {
  const std::string folder = flags.folder.empty() ? default_folder(flags) : flags.folder;
  TRY(const std::vector<AttentionArm> arms, arms_of(flags.arms));
  const bool names_models = !arms.empty() && !arms.front().server.empty();
  if (flags.model.model.model.empty() && !names_models)
    return fail(ErrorCode::kUsage, "--model is required; see fathom run --help");
  if (!arms.empty())
    return run_arms(
        {folder, flags.suite, flags.model, flags.requests, arms, flags.arms.record, flags.json});
  TRY(PreparedRun prepared, prepare_run(folder, flags.suite, flags.model, flags.requests));
  for (const std::string& note : prepared.options.settings.profile.notes)
    print_note("note: " + note);
  TRY(Run run, Run::open(prepared.options, *prepared.samples, system_clock()));
  std::optional<Error> stopped;
  if (run.finished()) {
    print_note(folder + ": nothing is left to ask");
  } else {
    if (run.resumed()) print_note(folder + ": resumed");
    const std::string plan = to_text(run.plan());
    for (const std::string_view line : split_lines(plan)) print_note(line);
    const auto result = execute_run(run, *prepared.model);
    for (const std::string& warning : run.summary().warnings) print_note("warning: " + warning);
    if (!result) stopped = result.error();
  }
  if (stopped && stopped->code != ErrorCode::kFailedAttempts) return fail(*stopped);
  TRY(FinishedRun read, read_run(folder, flags.model.model.threads));
  const FinishedRun& finished = kept(std::move(read));
  TRY_VOID(show_results({&finished, 1}, flags.json, false));
  TRY_VOID(write_results(finished));
  if (stopped) return fail(*stopped);
  return 0;
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command = add_command(
      app, "run", "Generate, ask, grade, show; the same command again resumes",
      "  fathom run ruler --model model.gguf --lengths 1024,2048 --samples 5 -o runs/a\n"
      "  fathom run ruler --model openai/NAME --base-url http://localhost:8000/v1 -t "
      "tokenizer.json --template model -o runs/b\n"
      "  fathom run data/ --model openai/NAME --base-url http://localhost:8000/v1 --api "
      "completions -o runs/c\n"
      "  fathom run ruler --model simulated/weak -t tokenizer.json --lengths 4k..64k --samples 50 "
      "-o runs/d\n"
      "  fathom run ruler --model model.gguf --lengths 1k,2k --tasks niah_single_2,vt --arms "
      "full,oracle,quest --budget 256,512 -o runs/arms\n"
      "  fathom run ruler --model model.gguf --lengths 1k,2k --tasks niah_single_2,vt --arms quest "
      "--budget 256 --dense-every 4 --only-failed quest-256 -o runs/arms\n"
      "  fathom run ruler --model openai/NAME --arms "
      "full=http://localhost:8000/v1,real=http://localhost:8001/v1 -t tokenizer.json --template "
      "model -o runs/servers\n");
  command->add_option("suite", flags->suite.suite, "Suite name, YAML file, or dataset folder")
      ->required()
      ->type_name("SUITE");
  command->add_option("-o,--output", flags->folder, "Folder of the run (default runs/SUITE-MODEL)")
      ->type_name("FOLDER");
  add_model_flags(*command, flags->model);
  command->get_option("--model")->required(false);  // arms may be models themselves
  add_suite_flags(*command, flags->suite);
  add_request_flags(*command, flags->requests);
  add_arm_flags(*command, flags->arms);
  command->add_flag("--json", flags->json, "Print the summary as JSON");
  command->callback([&chosen, flags] { chosen.action = [flags] { return run_suite(*flags); }; });
}

}  // namespace fathom

// fathom plan: what a run would ask and how long it would take. fathom probe: what a model is and
// can do. Neither asks anything that is graded or paid for.
#include <unistd.h>

#include <filesystem>

#include "base/hash.h"
#include "cli/command.h"
#include "cli/prepared_run.h"
#include "cli/terminal.h"

namespace fathom {
namespace {

struct PlanFlags {
  SuiteFlags suite;
  ModelFlags model;
  RequestFlags requests;
  std::string folder;
  bool json = false;
};

// A folder of our own that goes when the plan has been shown.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_((std::filesystem::temp_directory_path() / fmt::format("fathom-plan-{}", ::getpid()))
                  .string()) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<int> plan(const PlanFlags& flags) {
  const TemporaryFolder temporary;
  const std::string folder = flags.folder.empty() ? temporary.path() : flags.folder;
  TRY(PreparedRun prepared, prepare_run(folder, flags.suite, flags.model, flags.requests));
  TRY(const Run run, Run::open(prepared.options, *prepared.samples, system_clock()));
  print(flags.json ? to_pretty_json(to_json(run.plan())) : to_text(run.plan()));
  return 0;
}

Json profile_json(const ModelProfile& profile) {
  return {{"provider", profile.provider},
          {"name", profile.name},
          {"version", profile.version},
          {"window_tokens", profile.window_tokens},
          {"slots", profile.slots},
          {"raw_prompts", profile.raw_prompts},
          {"prefix_policy", to_text(profile.prefix_policy)},
          {"chat_template", !profile.chat_template.empty()},
          {"reports_prompt_tokens", profile.reports_prompt_tokens},
          {"notes", profile.notes}};
}

std::string profile_text(const ModelProfile& profile) {
  const auto known = [](int64_t value) { return value > 0 ? std::to_string(value) : "not told"; };
  std::string text = fmt::format(
      "model          {} ({})\nversion        {}\nwindow         {} tokens\nslots          "
      "{}\nprompts        {}\nanswer prefix  {}\n"
      "chat template  {}\n",
      profile.name, profile.provider, profile.version.empty() ? "not told" : profile.version,
      known(profile.window_tokens), known(profile.slots),
      profile.raw_prompts ? "exact text" : "chat messages", to_text(profile.prefix_policy),
      profile.chat_template.empty() ? "not told" : "the model's own");
  for (const std::string& note : profile.notes) text += "note           " + note + "\n";
  return text;
}

Result<int> probe(const ModelFlags& flags, bool json) {
  TRY(const ModelOptions options, model_options_of(flags));
  TRY(const auto model, open_model(options));
  TRY(const ModelProfile profile, model->probe());
  print(json ? to_pretty_json(profile_json(profile)) : profile_text(profile));
  return 0;
}

}  // namespace

void add_plan(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* command =
      add_command(app, "plan", "Show samples, tokens and expected time of a run before it starts",
                  "  fathom plan ruler --model model.gguf --lengths 1k..8k --samples 20\n"
                  "  fathom plan ruler --model model.gguf --lengths 1k..8k --samples 20 -o runs/a  "
                  " what is left of a run\n");
  command->add_option("suite", flags->suite.suite, "Suite name, YAML file, or dataset folder")
      ->required()
      ->type_name("SUITE");
  command->add_option("-o,--output", flags->folder, "Folder of a run that was started")
      ->type_name("FOLDER");
  add_model_flags(*command, flags->model);
  add_suite_flags(*command, flags->suite);
  add_request_flags(*command, flags->requests);
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([&chosen, flags] { chosen.action = [flags] { return plan(*flags); }; });
}

void add_probe(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ModelFlags>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      add_command(app, "probe", "Show what a model is and can do: window, template, prefix policy",
                  "  fathom probe --model model.gguf\n"
                  "  fathom probe --model openai/NAME --base-url http://localhost:8000/v1\n");
  add_model_flags(*command, *flags);
  command->add_flag("--json", *json, "Print JSON");
  command->callback(
      [&chosen, flags, json] { chosen.action = [flags, json] { return probe(*flags, *json); }; });
}

}  // namespace fathom

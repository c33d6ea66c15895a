// fathom tasks: which tasks there are; one of them with its parameters and an example prompt.
#include <algorithm>

#include "cli/command.h"
#include "cli/suite_flags.h"
#include "cli/terminal.h"
#include "io/json.h"
#include "suite/factory.h"
#include "task/task.h"

namespace fathom {
namespace {

struct TasksOptions {
  bool json = false;
  std::string name;
  int64_t length = 0;
  SuiteFlags suite;
};

Json task_json(const TaskInfo& info) {
  Json parameters = Json::array();
  for (const ParameterSpec& spec : info.parameters)
    parameters.push_back({{"name", spec.name},
                          {"default", to_text(spec.fallback)},
                          {"help", spec.help},
                          {"choices", spec.choices}});
  return {{"name", info.name},
          {"family", info.family},
          {"description", info.description},
          {"spec", info.spec},
          {"metric", to_text(info.metric)},
          {"corpus", info.corpus},
          {"parameters", parameters}};
}

Result<int> list(const TasksOptions& options) {
  if (options.json) {
    Json all = Json::array();
    for (const Task* task : tasks()) all.push_back(task_json(task->info()));
    print(to_pretty_json(all));
    return 0;
  }
  size_t width = 0;
  for (const Task* task : tasks()) width = std::max(width, task->info().name.size());
  for (const Task* task : tasks()) {
    const TaskInfo& info = task->info();
    print(fmt::format(
        "{:<{}}  {}{}\n", info.name, width, info.description,
        info.corpus.empty() ? "" : fmt::format(" (needs --corpus {}=FILE)", info.corpus)));
  }
  print(
      "\nfathom tasks show NAME prints a task's parameters; with --length 512 -t TOKENIZER an "
      "example, too.\n");
  return 0;
}

std::string limits_words(const ParameterSpec& spec) {
  if (!spec.choices.empty()) return fmt::format(" ({})", fmt::join(spec.choices, ", "));
  return spec.minimum == spec.maximum ? ""
                                      : fmt::format(" ({:g} to {:g})", spec.minimum, spec.maximum);
}

void print_task(const TaskInfo& info) {
  print(fmt::format("{}: {}\nscored by {}; requirement {}\n", info.name, info.description,
                    to_text(info.metric), fmt::join(info.spec, ", ")));
  if (!info.corpus.empty()) print(fmt::format("needs --corpus {}=FILE\n", info.corpus));
  print("\nparameters (in a suite file, as a value or a list to sweep):\n");
  for (const ParameterSpec& spec : info.parameters)
    print(fmt::format("  {:<18} {:<12} {}{}\n", spec.name, to_text(spec.fallback), spec.help,
                      limits_words(spec)));
}

Result<void> print_example(const TasksOptions& options) {
  SuiteFlags flags = options.suite;
  flags.tasks = options.name;
  TRY(SuiteOverrides overrides, overrides_of(flags));
  overrides.lengths = {options.length};
  overrides.samples = 1;
  if (!overrides.chat_template) overrides.chat_template = "none";
  TRY(const Suite suite, load_suite("ruler", overrides));
  TRY(const SampleFactory factory, open_factory(suite, {options.suite.tokenizer, ""}));
  TRY(const Sample sample, factory.make(suite_slots(suite).at(0)));
  print(
      fmt::format("\nexample {} ({} tokens of prompt, {} kept for the "
                  "answer):\n----\n{}\n----\nreferences: {}\n",
                  sample.id, sample.tokens.prompt, sample.tokens.reserve, sample.full_text(),
                  fmt::join(sample.references, " | ")));
  return {};
}

Result<int> show(const TasksOptions& options) {
  TRY(const Task* task, find_task(options.name));
  if (options.json) {
    print(to_pretty_json(task_json(task->info())));
    return 0;
  }
  print_task(task->info());
  if (options.length > 0) TRY_VOID(print_example(options));
  return 0;
}

}  // namespace

void add_tasks(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<TasksOptions>();
  CLI::App* command =
      add_command(app, "tasks", "List the tasks; show one with its parameters and an example",
                  "  fathom tasks\n"
                  "  fathom tasks show niah_multikey_1\n"
                  "  fathom tasks show vt --length 512 -t tokenizer.json\n");
  command->add_flag("--json", options->json, "Print JSON");
  CLI::App* one = command->add_subcommand(
      "show", "Print one task's parameters and, with --length, an example prompt");
  one->add_option("name", options->name, "Task")->required()->type_name("NAME");
  one->add_option("--length", options->length, "Length of the example in tokens")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  one->add_flag("--json", options->json, "Print JSON");
  add_suite_flags(*one, options->suite);
  command->require_subcommand(0, 1);
  command->callback([&chosen, options, one] {
    const bool shown = one->parsed();
    chosen.action = [options, shown] { return shown ? show(*options) : list(*options); };
  });
}

}  // namespace fathom

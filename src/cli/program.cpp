#include "cli/program.h"

#include <csignal>
#include <exception>

#include "cli/command.h"
#include "cli/terminal.h"
#include "text/nearest.h"

namespace fathom {
namespace {

constexpr char kExitCodes[] =
    "Exit codes:\n"
    "  0 done   1 internal error   2 usage or a malformed file   3 set-up (key, address, window, "
    "disk)\n"
    "  4 too many failed attempts   5 stopped, the same command resumes   100 gate failed   130 "
    "interrupted\n";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// The innermost command that the arguments name.
const CLI::App& deepest(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : deepest(*given.front());
}

// The first word that looks like a flag and is none of the command's.
std::string unknown_option(const CLI::App& command, int argc, char** argv) {
  const auto known = option_names(command);
  for (int i = 1; i < argc; ++i) {
    std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (word == "--") break;
    if (word.starts_with("--") && std::find(known.begin(), known.end(), word) == known.end())
      return word;
  }
  return "";
}

// What is wrong with the arguments, in one line, with what was probably meant.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc,
                          char** argv) {
  const CLI::App& command = deepest(app);
  const auto commands = command_names(command);
  const std::string first = argc > 1 ? argv[argc > 2 && &command != &app ? 2 : 1] : "";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !commands.empty() &&
      !first.empty() && !first.starts_with("-"))
    return "unknown command '" + first + "'" + did_you_mean(first, commands);
  // A mistyped flag is often reported as the missing one that it was meant to be: the slip itself
  // says more.
  if (const std::string word = unknown_option(command, argc, argv); !word.empty())
    return "unknown option '" + word + "'" + did_you_mean(word, option_names(command));
  std::string message = error.what();
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return message;
}

void add_commands(CLI::App& app, Chosen& chosen) {
  add_run(app, chosen);
  add_generate(app, chosen);
  add_score(app, chosen);
  add_report(app, chosen);
  add_compare(app, chosen);
  add_coverage(app, chosen);
  add_replay(app, chosen);
  add_gate(app, chosen);
  add_audit(app, chosen);
  add_plan(app, chosen);
  add_probe(app, chosen);
  add_import(app, chosen);
  add_export(app, chosen);
  add_tokens(app, chosen);
  add_tasks(app, chosen);
  add_completion(app, chosen);
}

int report_error(const Error& error) {
  print_error(error.message);
  return exit_code(error.code);
}

int run_chosen(const Chosen& chosen) {
  auto result = chosen.action();
  if (!result) return report_error(result.error());
  if (auto flushed = flush_output(); !flushed) return report_error(flushed.error());
  return *result;
}

}  // namespace

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->footer("\nExamples:\n" + examples + "\n" + kExitCodes);
  return command;
}

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write
  CLI::App app("fathom finds how much of its context window a language model can really use.",
               "fathom");
  app.set_version_flag("--version", std::string("fathom ") + FATHOM_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "\nStart here:\n"
      "  fathom run demo --model model.gguf -o runs/a      generate, ask, grade, show; again = "
      "resume\n"
      "  fathom COMMAND --help                             options and examples\n\n" +
      std::string(kExitCodes));
  Chosen chosen;
  add_commands(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return 0;
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const CLI::App& command = deepest(app);
    const std::string name =
        command.get_parent() == nullptr ? "fathom" : "fathom " + command.get_name();
    print_error(usage_message(app, error, argc, argv) + "; see " + name + " --help");
    return exit_code(ErrorCode::kUsage);
  }
  try {
    return run_chosen(chosen);
  } catch (const std::bad_alloc&) {
    return report_error({ErrorCode::kInternal, "out of memory"});
  } catch (const std::exception& error) {
    return report_error({ErrorCode::kInternal, std::string("internal error: ") + error.what()});
  }
}

}  // namespace fathom

// fathom completion: a script that teaches a shell fathom's commands and flags, made from the same
// tables as --help.
#include "cli/command.h"
#include "cli/terminal.h"

namespace fathom {
namespace {

std::vector<CLI::App*> commands_of(const CLI::App& app) {
  auto* commands = const_cast<CLI::App*>(&app);  // CLI11's list is not const
  return commands->get_subcommands([](CLI::App*) { return true; });
}

std::string words_of(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : commands_of(app)) words += command->get_name() + " ";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

// case labels "run", "tokens count" … with their words
std::string bash_cases(const CLI::App& app, const std::string& path) {
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    const std::string name = path.empty() ? command->get_name() : path + " " + command->get_name();
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", name, words_of(*command)) +
             bash_cases(*command, name);
  }
  return cases;
}

std::string bash_script(const CLI::App& app) {
  return "_fathom() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} path=\"\" words i\n"
         "  for ((i = 1; i < COMP_CWORD && i < 3; i++)); do\n"
         "    case ${COMP_WORDS[i]} in -*) break ;; *) path=\"${path:+$path }${COMP_WORDS[i]}\" ;; "
         "esac\n"
         "  done\n"
         "  while :; do\n"
         "    words=\"\"\n"
         "    case $path in\n" +
         fmt::format("    \"\") words=\"{}\" ;;\n", words_of(app)) + bash_cases(app, "") +
         "    esac\n"
         "    [ -n \"$words\" ] || [ -z \"$path\" ] && break\n"
         "    case $path in *' '*) path=${path% *} ;; *) path=\"\" ;; esac\n"
         "  done\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  case $current in -*) ;; *) COMPREPLY+=($(compgen -f -- \"$current\")) ;; esac\n"
         "}\n"
         "complete -o filenames -F _fathom fathom\n";
}

std::string fish_lines(const CLI::App& app, const std::string& path) {
  std::string lines;
  const std::string condition =
      path.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + path;
  const auto quoted = [](std::string text) {
    std::replace(text.begin(), text.end(), '\'', ' ');
    return "'" + text + "'";
  };
  for (const CLI::App* command : commands_of(app)) {
    lines += fmt::format("complete -c fathom -n '{}' -a {} -d {}\n", condition, command->get_name(),
                         quoted(command->get_description()));
    lines += fish_lines(*command, command->get_name());
  }
  if (path.empty()) return lines;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      lines += fmt::format("complete -c fathom -n '{}' -l {} -d {}\n", condition, name,
                           quoted(option->get_description()));
  return lines;
}

Result<int> completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") print(bash_script(app));
  if (shell == "zsh") print("autoload -U +X bashcompinit && bashcompinit\n" + bash_script(app));
  if (shell == "fish") print(fish_lines(app, ""));
  return 0;
}

}  // namespace

void add_completion(CLI::App& app, Chosen& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      add_command(app, "completion", "Print a completion script for a shell",
                  "  source <(fathom completion bash)\n"
                  "  fathom completion fish > ~/.config/fish/completions/fathom.fish\n");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const CLI::App* root = &app;
  command->callback([&chosen, root, shell] {
    chosen.action = [root, shell] { return completion(*root, *shell); };
  });
}

}  // namespace fathom

// What every command is: a name, options, examples, and an action that returns an exit code.
// One file per command defines one `add_…` function; program.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "base/result.h"

namespace fathom {

// The action of the command that was given; set by its callback while the arguments are read, run
// afterwards.
struct Chosen {
  std::function<Result<int>()> action;
};

void add_generate(CLI::App& app, Chosen& chosen);
void add_run(CLI::App& app, Chosen& chosen);
void add_score(CLI::App& app, Chosen& chosen);
void add_report(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_replay(CLI::App& app, Chosen& chosen);
void add_coverage(CLI::App& app, Chosen& chosen);
void add_gate(CLI::App& app, Chosen& chosen);
void add_audit(CLI::App& app, Chosen& chosen);
void add_plan(CLI::App& app, Chosen& chosen);
void add_probe(CLI::App& app, Chosen& chosen);
void add_import(CLI::App& app, Chosen& chosen);
void add_export(CLI::App& app, Chosen& chosen);
void add_tokens(CLI::App& app, Chosen& chosen);
void add_tasks(CLI::App& app, Chosen& chosen);
void add_completion(CLI::App& app, Chosen& chosen);

// For CLI::Option::check: whole numbers from 0.
inline const CLI::Validator kNotNegative(
    [](std::string& text) {
      const bool digits =
          !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
      return digits && text.size() < 19 ? "" : "must be a whole number from 0, not '" + text + "'";
    },
    "0 or more");

// A subcommand with its examples under the options in --help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples);

}  // namespace fathom

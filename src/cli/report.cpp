// fathom report: one page over one or several runs.
#include "cli/command.h"
#include "cli/result_flags.h"
#include "cli/results_output.h"
#include "cli/terminal.h"

namespace fathom {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string page;
  ResultFlags flags;
  bool json = false;
};

Result<int> report(const ReportOptions& options) {
  TRY(const ResultsOptions how, results_options_of(options.flags));
  std::vector<FinishedRun> runs;
  for (const std::string& folder : options.folders) {
    TRY(runs.emplace_back(), read_run(folder, how));
  }
  TRY_VOID(show_results(runs, options.json, options.flags.strict));
  const std::string page =
      options.page.empty() ? options.folders.front() + "/report.html" : options.page;
  TRY_VOID(write_page(runs, page));
  print_note("report: " + page);
  return 0;
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = add_command(
      app, "report", "Write one self-contained HTML page over one or several runs",
      "  fathom report runs/a\n"
      "  fathom report runs/a runs/b -o report.html     paired, where samples are shared\n"
      "  fathom report runs/a --threshold 90 --category-threshold retrieval=99\n");
  command->add_option("runs", options->folders, "Run folders")->required()->type_name("FOLDER");
  command
      ->add_option("-o,--output", options->page,
                   "The page (default: report.html in the first folder)")
      ->type_name("FILE");
  add_result_flags(*command, options->flags);
  command->add_flag("--json", options->json, "Print summary.json, of several runs a list of them");
  command->callback([&chosen, options] { chosen.action = [options] { return report(*options); }; });
}

}  // namespace fathom

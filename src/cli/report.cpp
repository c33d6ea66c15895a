// fathom report: one page over one or several runs, or over a study of arms.
#include <algorithm>

#include "cli/arm_study_output.h"
#include "cli/command.h"
#include "cli/kept.h"
#include "cli/result_flags.h"
#include "cli/results_output.h"
#include "cli/terminal.h"
#include "results/arm_folder.h"

namespace fathom {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string page;
  ResultFlags flags;
  bool json = false;
};

Result<int> report_study(const ReportOptions& options, const ResultsOptions& how) {
  TRY(const ArmStudy study, write_arm_study(options.folders.front(), how, options.page));
  print_arm_study(study, options.json);
  return 0;
}

Result<int> report(const ReportOptions& options) {
  TRY(const ResultsOptions how, results_options_of(options.flags));
  const auto study = std::ranges::find_if(options.folders, is_arm_folder);
  if (study != options.folders.end()) {
    if (options.folders.size() == 1) return report_study(options, how);
    return fail(ErrorCode::kUsage,
                "{}: a study of arms has a page of its own; name it alone, or its arms' folders as "
                "runs: {}/ARM",
                *study, *study);
  }
  std::vector<FinishedRun>& runs = kept(std::vector<FinishedRun>());
  for (const std::string& folder : options.folders) {
    TRY(runs.emplace_back(), read_run(folder, how));
  }
  TRY_VOID(show_results(runs, options.json, options.flags.strict));
  const std::string page =
      options.page.empty() ? options.folders.front() + "/report.html" : options.page;
  TRY_VOID(write_page(runs, page));
  return 0;
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = add_command(
      app, "report", "Write one self-contained HTML page over runs or a study of arms",
      "  fathom report runs/a\n"
      "  fathom report runs/a runs/b -o report.html     paired, where samples are shared\n"
      "  fathom report runs/arms                        a study of arms\n"
      "  fathom report runs/a --threshold 90 --category-threshold retrieval=99\n");
  command->add_option("runs", options->folders, "Run folders, or the folder of a study")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("-o,--output", options->page,
                   "The page (default: report.html in the first folder)")
      ->type_name("FILE");
  add_result_flags(*command, options->flags);
  command->add_flag("--json", options->json,
                    "Print summary.json, of several runs a list of them, of a study\n"
                    "arms-summary.json");
  command->callback([&chosen, options] { chosen.action = [options] { return report(*options); }; });
}

}  // namespace fathom

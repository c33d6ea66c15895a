#include "cli/results_output.h"

#include "base/clock.h"
#include "cli/terminal.h"
#include "io/file.h"
#include "report/page_file.h"
#include "report/result_files.h"
#include "report/terminal_table.h"
#include "report/terminal_text.h"

namespace fathom {
namespace {

PageFileOptions page_options() {
  PageFileOptions options;
  options.made_by = std::string("fathom ") + FATHOM_VERSION;
  options.made_at = utc_text(system_clock().unix_ms());
  return options;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_note("note: " + note);
}

}  // namespace

Result<void> show_results(std::span<const FinishedRun> runs, bool json, bool strict) {
  if (json) {
    Json summaries = Json::array();
    for (const FinishedRun& run : runs)
      summaries.push_back(summary_json(run.results, run.description));
    print(to_pretty_json(runs.size() == 1 ? summaries.front() : summaries));
    return {};
  }
  const Terminal terminal = stdout_terminal();
  const TableStyle style{static_cast<size_t>(terminal.width), terminal.color, strict};
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) print("\n");
    if (runs.size() > 1) print_text(terminal_safe(runs[i].folder) + ":\n");
    print_text(terminal_table(runs[i].results, runs[i].description, style));
  }
  return {};
}

Result<void> write_results(const FinishedRun& run) {
  TRY_VOID(write_result_files(run.folder, run.results, run.description));
  const std::string page = run.folder + "/report.html";
  return write_page({&run, 1}, page);
}

Result<void> write_page(std::span<const FinishedRun> runs, const std::string& path) {
  TRY(const std::vector<std::string> notes, write_page_file(runs, path, page_options()));
  print_notes(notes);
  print_note("report: " + path);
  return {};
}

Result<void> write_arm_page(const std::vector<FinishedArm>& arms, const ArmStudy& study,
                            const std::string& path) {
  TRY(const std::vector<std::string> notes, write_arm_page_file(arms, study, path, page_options()));
  print_notes(notes);
  return {};
}

}  // namespace fathom

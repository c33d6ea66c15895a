#include "cli/results_output.h"

#include <filesystem>
#include <sstream>

#include "base/clock.h"
#include "cli/terminal.h"
#include "io/file.h"
#include "report/casebook.h"
#include "report/page.h"
#include "report/page_data.h"
#include "report/result_files.h"
#include "report/terminal_table.h"

namespace fathom {
namespace {

constexpr size_t kCasesPerRun = 2000;

}  // namespace

Result<void> show_results(const FinishedRun& run, bool json) {
  if (json) {
    print(to_pretty_json(summary_json(run.results, run.description)));
    return {};
  }
  const Terminal terminal = stdout_terminal();
  print(terminal_table(run.results, run.description,
                       {static_cast<size_t>(terminal.width), terminal.color}));
  return {};
}

Result<void> write_results(const FinishedRun& run) {
  TRY_VOID(write_result_files(run.folder, run.results, run.description));
  const std::string page = run.folder + "/report.html";
  TRY_VOID(write_page({run}, page));
  print_note("report: " + page);
  return {};
}

Result<void> write_page(const std::vector<FinishedRun>& runs, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty()) TRY_VOID(make_directories(folder));
  std::vector<std::vector<CaseDetail>> cases;
  for (const FinishedRun& run : runs) {
    auto book = casebook(run, kCasesPerRun / runs.size());
    if (!book) {
      print_note("note: the page shows no prompts of " + run.folder + ": " + book.error().message);
      book = std::vector<CaseDetail>();
    }
    cases.push_back(std::move(*book));
  }
  std::vector<PageRun> pages;
  for (size_t i = 0; i < runs.size(); ++i)
    pages.push_back({&runs[i].description, &runs[i].results, cases[i]});
  PageOptions options;
  options.made_by = std::string("fathom ") + FATHOM_VERSION;
  options.made_at = utc_text(system_clock().unix_ms());
  TRY(const std::string html, render_page(page_data(pages, options)));
  return write_file_atomic(path, html);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace fathom

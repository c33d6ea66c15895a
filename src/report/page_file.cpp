#include "report/page_file.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "io/file.h"
#include "report/casebook.h"
#include "report/page.h"
#include "report/page_data.h"

namespace fathom {
namespace {

using Rows = std::vector<size_t>;

// Appends those of `more` that are not in `rows` yet.
void append_new(Rows& rows, const Rows& more) {
  std::set<size_t> known(rows.begin(), rows.end());
  for (const size_t row : more)
    if (known.insert(row).second) rows.push_back(row);
}

// Pairs first where the run is compared, so that both answers to one prompt are shown; then the
// run's own most telling samples.
std::vector<Rows> chosen_rows(std::span<const FinishedRun> runs, const PageParts& parts,
                              size_t most) {
  std::vector<Rows> rows(runs.size());
  const size_t of_pairs = parts.comparisons.empty() ? 0 : most / (2 * parts.comparisons.size());
  for (const PageParts::Compared& one : parts.comparisons) {
    Rows a;
    Rows b;
    for (const size_t place : choose_pairs(one.comparison, runs[one.a].results, of_pairs)) {
      a.push_back(one.comparison.samples[place].row_a);
      b.push_back(one.comparison.samples[place].row_b);
    }
    append_new(rows[one.a], a);
    append_new(rows[one.b], b);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    append_new(rows[i], choose_cases(runs[i].results, most));
    rows[i].resize(std::min(rows[i].size(), most));
  }
  return rows;
}

void keep_within(Rows& rows, const Results& results, int64_t tokens) {
  for (size_t i = 0; i < rows.size(); ++i) {
    tokens -= results.samples[rows[i]].prompt_tokens;
    if (tokens < 0) {
      rows.resize(i);
      return;
    }
  }
}

}  // namespace

Result<std::vector<std::string>> write_page_file(std::span<const FinishedRun> runs,
                                                 const std::string& path,
                                                 const PageFileOptions& options) {
  std::vector<PageRun> pages;
  for (const FinishedRun& run : runs)
    pages.push_back({&run.description, &run.results, &run.record, {}});
  const PageParts parts = page_parts(pages);

  std::vector<std::string> notes;
  std::vector<std::vector<CaseDetail>> cases(runs.size());
  std::vector<Rows> rows = chosen_rows(runs, parts, options.most_cases);
  const int64_t share =
      options.most_prompt_tokens / static_cast<int64_t>(std::max<size_t>(1, runs.size()));
  for (size_t i = 0; i < runs.size(); ++i) {
    keep_within(rows[i], runs[i].results, share);
    auto book = casebook(runs[i], rows[i], options.threads);
    if (book) {
      cases[i] = std::move(*book);
    } else {
      notes.push_back("the page shows no prompts of " + runs[i].folder + ": " +
                      book.error().message);
    }
    pages[i].cases = cases[i];
  }
  TRY(const std::string html,
      render_page(
          page_data(pages, parts, {.made_by = options.made_by, .made_at = options.made_at})));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty()) TRY_VOID(make_directories(folder));
  TRY_VOID(write_file_atomic(path, html));
  return notes;
}

}  // namespace fathom

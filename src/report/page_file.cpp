#include "report/page_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "io/file.h"
#include "report/arm_pictures.h"
#include "report/casebook.h"
#include "report/page.h"
#include "report/page_arms.h"
#include "report/page_data.h"

namespace fathom {
namespace {

using Rows = std::vector<size_t>;
using Runs = std::span<const FinishedRun* const>;

// Appends those of `more` that are not in `rows` yet.
void append_new(Rows& rows, const Rows& more) {
  std::set<size_t> known(rows.begin(), rows.end());
  for (const size_t row : more)
    if (known.insert(row).second) rows.push_back(row);
}

// Pairs first where the run is compared, so that both answers to one prompt are shown; then the
// run's own most telling samples.
// `first`: rows that are shown before all others.
std::vector<Rows> chosen_rows(Runs runs, const PageParts& parts, std::vector<Rows> first,
                              size_t most) {
  std::vector<Rows> rows = std::move(first);
  rows.resize(runs.size());
  const size_t of_pairs = parts.comparisons.empty() ? 0 : most / (2 * parts.comparisons.size());
  for (const PageParts::Compared& one : parts.comparisons) {
    Rows a;
    Rows b;
    for (const size_t place : choose_pairs(one.comparison, runs[one.a]->results, of_pairs)) {
      a.push_back(one.comparison.samples[place].row_a);
      b.push_back(one.comparison.samples[place].row_b);
    }
    append_new(rows[one.a], a);
    append_new(rows[one.b], b);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    append_new(rows[i], choose_cases(runs[i]->results, most));
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

std::vector<PageRun> page_runs(Runs runs) {
  std::vector<PageRun> pages;
  for (const FinishedRun* run : runs)
    pages.push_back({&run->description, &run->results, &run->record, {}});
  return pages;
}

// The cases of every run, within the prompts that may be made again; `pages` refer to them.
std::vector<std::vector<CaseDetail>> add_cases(Runs runs, std::vector<Rows> rows,
                                               const PageFileOptions& options,
                                               std::vector<PageRun>& pages,
                                               std::vector<std::string>& notes) {
  std::vector<std::vector<CaseDetail>> cases(runs.size());
  const int64_t share =
      options.most_prompt_tokens / static_cast<int64_t>(std::max<size_t>(1, runs.size()));
  std::map<std::string, std::vector<std::string>> unseen;  // why → the runs, which often share it
  for (size_t i = 0; i < runs.size(); ++i) {
    keep_within(rows[i], runs[i]->results, share);
    auto book = casebook(*runs[i], rows[i], options.threads);
    if (book) {
      cases[i] = std::move(*book);
    } else {
      unseen[book.error().message].push_back(runs[i]->folder);
    }
    pages[i].cases = cases[i];
  }
  for (const auto& [why, folders] : unseen)
    notes.push_back(
        fmt::format("the page shows no prompts of {}: {}", fmt::join(folders, ", "), why));
  return cases;
}

Result<void> write_data(std::span<const PageRun> pages, const PageParts& parts,
                        const std::string& path, const PageFileOptions& options) {
  TRY(const std::string html,
      render_page(
          page_data(pages, parts, {.made_by = options.made_by, .made_at = options.made_at})));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty()) TRY_VOID(make_directories(folder));
  return write_file_atomic(path, html);
}

// Where full attention stands among the arms; the first arm where it did not run.
size_t place_of_full(std::span<const FinishedArm> arms) {
  const auto full = std::ranges::find_if(
      arms, [](const FinishedArm& arm) { return arm.arm.options.kind == SelectorKind::kFull; });
  return full == arms.end() ? 0 : static_cast<size_t>(full - arms.begin());
}

Rows rows_of(const Results& results, const std::vector<std::string>& ids) {
  Rows rows;
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(results.samples, id, &SampleFacts::id);
    if (found != results.samples.end())
      rows.push_back(static_cast<size_t>(found - results.samples.begin()));
  }
  return rows;
}

}  // namespace

Result<std::vector<std::string>> write_page_file(std::span<const FinishedRun> runs,
                                                 const std::string& path,
                                                 const PageFileOptions& options) {
  std::vector<const FinishedRun*> views;
  for (const FinishedRun& run : runs) views.push_back(&run);
  std::vector<PageRun> pages = page_runs(views);
  const PageParts parts = page_parts(pages);
  std::vector<std::string> notes;
  const auto cases =
      add_cases(views, chosen_rows(views, parts, {}, options.most_cases), options, pages, notes);
  TRY_VOID(write_data(pages, parts, path, options));
  return notes;
}

Result<std::vector<std::string>> write_arm_page_file(std::span<const FinishedArm> arms,
                                                     const ArmStudy& study, const std::string& path,
                                                     const PageFileOptions& options) {
  if (arms.empty()) return fail(ErrorCode::kInternal, "{}: a study without an arm", path);
  std::vector<const FinishedRun*> views;
  for (const FinishedArm& arm : arms) views.push_back(&arm.run);
  std::vector<PageRun> pages = page_runs(views);
  const size_t full = place_of_full(arms);
  PageParts parts = study_parts(pages, full);

  std::vector<std::string> notes;
  const std::vector<std::string> pictured = picture_samples(arms);
  std::vector<Rows> first(arms.size());
  first[full] = rows_of(arms[full].run.results, pictured);
  const auto cases =
      add_cases(views, chosen_rows(views, parts, std::move(first), options.most_cases), options,
                pages, notes);
  auto pictures = read_pictures(arms, pictured);
  if (!pictures) {
    notes.push_back("the page shows no pictures of what was read: " + pictures.error().message);
    pictures.emplace();
  }
  parts.arms = page_arms_json({arms, &study, *pictures}, pages);
  TRY_VOID(write_data(pages, parts, path, options));
  return notes;
}

}  // namespace fathom

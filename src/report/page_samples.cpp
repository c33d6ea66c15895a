#include "report/page_samples.h"

#include <fmt/format.h>

#include "io/json.h"
#include "report/page_columns.h"
#include "report/page_values.h"

namespace fathom {
namespace {

// Where each of the results' cells stands in the page's list, which leaves out holes of the grid.
std::vector<int64_t> listed_cells(const Results& results) {
  std::vector<int64_t> place(results.cells.size(), kNoPageValue);
  int64_t next = 0;
  for (size_t i = 0; i < results.cells.size(); ++i)
    if (results.cells[i].mark != CellMark::kNoSamples) place[i] = next++;
  return place;
}

std::string usual_id(const SampleFacts& sample) {
  return fmt::format("{}:{}:{}", sample.cell, sample.length, sample.index);
}

}  // namespace

std::string page_samples_json(const Results& results) {
  const size_t count = results.rows.size();
  const std::vector<int64_t> place = listed_cells(results);
  const auto none = [&] { return std::vector<int64_t>(count, kNoPageValue); };
  PageColumn columns[] = {{"cell", none()},  {"index", none()},  {"outcome", none()},
                          {"score", none()}, {"strict", none()}, {"depth", none()},
                          {"miss", none()}};
  auto& [cell, index, outcome, score, strict, depth, miss] = columns;
  Json ids = Json::object();
  for (size_t i = 0; i < count; ++i) {
    const SampleFacts& sample = results.samples[i];
    const SampleRow& row = results.rows[i];
    cell.values[i] = place[row.task * results.lengths.size() + row.length];
    index.values[i] = sample.index;
    if (sample.depth) depth.values[i] = thousandths(*sample.depth);
    if (sample.id != usual_id(sample)) ids[std::to_string(i)] = sample.id;
    if (!row.score) continue;
    const ScoredAttempt& attempt = results.scores[*row.score];
    outcome.values[i] = static_cast<int64_t>(attempt.outcome);
    if (attempt.official) score.values[i] = thousandths(*attempt.official);
    if (attempt.strict) strict.values[i] = thousandths(*attempt.strict);
    if (!attempt.misses.empty()) miss.values[i] = static_cast<int64_t>(attempt.misses.front().kind);
  }
  return fmt::format("{{\"count\":{},\"columns\":{},\"ids\":{}}}", count, packed_columns(columns),
                     to_json_line(ids));
}

}  // namespace fathom

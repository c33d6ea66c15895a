// V2, V3, Q2: the page's data and the page made of it.
#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/json.h"
#include "report/page_data.h"
#include "report/synthetic_run_test.h"
#include "text/utf8.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

std::vector<CaseDetail> cases_of(const SyntheticRun& run, size_t limit) {
  std::vector<CaseDetail> cases;
  for (const size_t row : choose_cases(run.results, limit)) {
    const SampleRow& place = run.results.rows[row];
    const std::vector<bool> found =
        place.score ? run.results.scores[*place.score].found : std::vector<bool>{};
    cases.push_back(make_case(row, run.samples[row], run.attempt_of(run.samples[row].id), found));
  }
  return cases;
}

// The example of docs/formats/page.md: two runs, one of them weaker.
std::string example_data() {
  const SyntheticRun strong = synthetic_run();
  const SyntheticRun weak = synthetic_run({.skill = 0.85, .seed = 2, .unanswered = 0});
  const std::vector<CaseDetail> strong_cases = cases_of(strong, 24);
  const std::vector<CaseDetail> weak_cases = cases_of(weak, 12);
  const PageRun runs[] = {{&strong.description, &strong.results, strong_cases},
                          {&weak.description, &weak.results, weak_cases}};
  return page_data(runs, {.made_by = "fathom 0.1.0", .made_at = "2026-11-30T22:30:00Z"});
}

TEST(PageData, ExampleIsUpToDate) {
  const std::string path = std::string(FATHOM_TEST_DATA) + "/report/page_example.json";
  const std::string data = example_data() + "\n";
  const Result<std::string> stored = read_file(path);
  if (!stored || *stored != data) {
    ASSERT_TRUE(write_file_atomic(path, data));
    FAIL() << path << " differed from what page_data() writes and was written anew: look at the "
           << "change, adapt docs/formats/page.md and web/, and commit it";
  }
}

}  // namespace
}  // namespace fathom

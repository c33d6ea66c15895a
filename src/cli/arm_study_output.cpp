#include "cli/arm_study_output.h"

#include <utility>
#include <vector>

#include "cli/results_output.h"
#include "cli/terminal.h"
#include "io/file.h"
#include "report/arm_table.h"
#include "results/arm_folder.h"

namespace fathom {

Result<ArmStudy> write_arm_study(const std::string& folder, const ResultsOptions& options,
                                 const std::string& page) {
  TRY(const std::vector<FinishedArm> arms, read_finished_arms(folder, options));
  ArmStudy study = arm_study(arms);
  if (auto readings = read_log_study(folder, arms)) {
    study.readings = std::move(*readings);
  } else {
    print_note("note: arms-summary.json says nothing of steps, words and agreement: " +
               readings.error().message);
  }
  TRY_VOID(write_file_atomic(folder + "/arms-summary.json", to_pretty_json(arm_study_json(study))));
  const std::string path = page.empty() ? folder + "/report.html" : page;
  TRY_VOID(write_arm_page(arms, study, path));
  print_note("report: " + path);
  return study;
}

void print_arm_study(const ArmStudy& study, bool json) {
  if (json) {
    print(to_pretty_json(arm_study_json(study)));
    return;
  }
  const Terminal terminal = stdout_terminal();
  print_text(arm_table(study, {static_cast<size_t>(terminal.width), terminal.color}));
}

}  // namespace fathom

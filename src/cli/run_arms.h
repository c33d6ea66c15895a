// fathom run … --arms: one ordinary run an arm, side by side on one in-process model.
#pragma once

#include <string>
#include <vector>

#include "attention/arm.h"
#include "base/result.h"
#include "cli/arm_flags.h"
#include "cli/model_flags.h"
#include "cli/suite_flags.h"

namespace fathom {

struct ArmStudyFlags {
  std::string folder;
  SuiteFlags suite;
  ModelFlags model;
  RequestFlags requests;
  std::vector<AttentionArm> arms;
  ArmRecord record = ArmRecord::kSelections;
  bool json = false;
};

// Returns the exit code. The same call again resumes.
[[nodiscard]] Result<int> run_arms(const ArmStudyFlags& flags);

}  // namespace fathom

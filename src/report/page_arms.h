// The study of arms on the page (docs/formats/page.md, "arms").
#pragma once

#include <span>
#include <string>

#include "report/arm_pictures.h"
#include "report/page_data.h"
#include "results/arm_folder.h"
#include "results/arm_study.h"

namespace fathom {

struct PageArms {
  std::span<const FinishedArm> arms;
  const ArmStudy* study = nullptr;  // of these arms, in their order
  std::span<const ArmPicture> pictures;
};

// `runs`: the page's, one an arm in the same order; their cases say where a picture's evidence
// stands. The text of a JSON object.
[[nodiscard]] std::string page_arms_json(const PageArms& page, std::span<const PageRun> runs);

}  // namespace fathom

// What `fathom score --labels` prints.
#pragma once

#include <string>

#include "results/grader_agreement.h"

namespace fathom {

// Accuracy, kappa and confusion of both readings, then the replies on which grader and label
// differ. Safe for terminals.
[[nodiscard]] std::string agreement_text(const GraderAgreement& agreement);

}  // namespace fathom

#include "stats/estimate.h"

namespace fathom {

std::string_view to_text(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::kNone:
      return "none";
    case IntervalMethod::kWilson:
      return "Wilson";
    case IntervalMethod::kClopperPearson:
      return "Clopper-Pearson";
    case IntervalMethod::kStudentT:
      return "Student t";
    case IntervalMethod::kWilsonBound:
      return "Wilson bound";
    case IntervalMethod::kMover:
      return "MOVER";
    case IntervalMethod::kSumBound:
      return "sum bound";
  }
  return "none";
}

}  // namespace fathom

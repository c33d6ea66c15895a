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
    case IntervalMethod::kWilsonScaled:
      return "Wilson, effective n";
    case IntervalMethod::kStratified:
      return "stratified";
    case IntervalMethod::kMover:
      return "MOVER";
    case IntervalMethod::kSumBound:
      return "sum bound";
    case IntervalMethod::kBootstrap:
      return "bootstrap";
    case IntervalMethod::kBootstrapBca:
      return "BCa bootstrap";
    case IntervalMethod::kClusterRobust:
      return "cluster-robust";
    case IntervalMethod::kClusterBootstrap:
      return "cluster bootstrap";
    case IntervalMethod::kGainsLosses:
      return "gains less losses";
    case IntervalMethod::kTango:
      return "Tango";
    case IntervalMethod::kGaffke:
      return "Gaffke bound";
    case IntervalMethod::kNewcombe:
      return "Newcombe";
    case IntervalMethod::kOrderStatistics:
      return "order statistics";
    case IntervalMethod::kFisher:
      return "Fisher z";
    case IntervalMethod::kVarianceRatio:
      return "variance ratio";
    case IntervalMethod::kDelta:
      return "large-sample error";
  }
  return "none";
}

}  // namespace fathom

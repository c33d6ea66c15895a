#include "run/outcome.h"

namespace fathom {

Outcome outcome_of(const Reply& reply) {
  switch (reply.stop) {
    case StopReason::kFiltered:
      return Outcome::kRefused;
    case StopReason::kLength:
      return reply.text.empty() && !reply.thinking.empty() ? Outcome::kThinkingCut
                                                           : Outcome::kOutputCut;
    case StopReason::kEnd:
    case StopReason::kUnknown:
      return Outcome::kAnswered;
  }
  return Outcome::kAnswered;
}

Outcome outcome_of(const Failure& failure) {
  switch (failure.kind) {
    case FailureKind::kOverWindow:
      return Outcome::kOverWindow;
    case FailureKind::kRefused:
      return Outcome::kRefused;
    case FailureKind::kOutOfMemory:
      return Outcome::kOutOfMemory;
    case FailureKind::kTimedOut:
      return Outcome::kTimedOut;
    case FailureKind::kRateLimited:
    case FailureKind::kTransient:
    case FailureKind::kCancelled:
      return Outcome::kErrorTransient;
    case FailureKind::kPermanent:
      return Outcome::kErrorPermanent;
  }
  return Outcome::kErrorPermanent;
}

}  // namespace fathom

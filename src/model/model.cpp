#include "model/model.h"

namespace fathom {

const char* to_text(PrefixPolicy policy) {
  switch (policy) {
    case PrefixPolicy::kInPrompt:
      return "in-prompt";
    case PrefixPolicy::kContinue:
      return "continue";
    case PrefixPolicy::kInMessage:
      return "in-message";
    case PrefixPolicy::kDropped:
      return "dropped";
  }
  return "";
}

const char* to_text(StopReason reason) {
  switch (reason) {
    case StopReason::kEnd:
      return "end";
    case StopReason::kLength:
      return "length";
    case StopReason::kFiltered:
      return "filtered";
    case StopReason::kUnknown:
      return "unknown";
  }
  return "";
}

const char* to_text(FailureKind kind) {
  switch (kind) {
    case FailureKind::kOverWindow:
      return "over-window";
    case FailureKind::kRefused:
      return "refused";
    case FailureKind::kOutOfMemory:
      return "out-of-memory";
    case FailureKind::kTimedOut:
      return "timed-out";
    case FailureKind::kRateLimited:
      return "rate-limited";
    case FailureKind::kTransient:
      return "transient";
    case FailureKind::kPermanent:
      return "permanent";
    case FailureKind::kCancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace fathom

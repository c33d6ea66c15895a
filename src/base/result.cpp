#include "base/result.h"

namespace fathom {

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
      return 1;
    case ErrorCode::kUsage:
    case ErrorCode::kInput:
      return 2;
    case ErrorCode::kIo:
    case ErrorCode::kSetup:
      return 3;
    case ErrorCode::kFailedAttempts:
      return 4;
    case ErrorCode::kStopped:
      return 5;
    case ErrorCode::kGateFailed:
      return 100;
    case ErrorCode::kInterrupted:
      return 130;
  }
  return 1;
}

Error with_context(Error error, const std::string& context) {
  error.message = context + ": " + error.message;
  return error;
}

}  // namespace fathom

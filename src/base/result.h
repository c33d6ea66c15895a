// Errors as values. Every expected failure travels as Result<T>; exceptions are left to bugs.
//
//   [[nodiscard]] Result<Suite> load_suite(const std::string& path) {
//   [[nodiscard]] Result<Suite> load_suite(const std::string& path) {
//     TRY(const std::string text, read_file(path));  // returns the error of read_file
//     TRY_VOID(check(text));
//     return parse(text);
//   }
// An Error says what failed, on what, and what to do about it; its code maps to the exit code of
// the program.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace fathom {

enum class ErrorCode {
  kInternal,        // a bug in fathom
  kUsage,           // a wrong flag or argument
  kInput,           // a file the user gave is malformed or holds something unsupported
  kIo,              // the file system or network refused
  kSetup,           // model or server cannot be used as asked: key, address, window, template
  kFailedAttempts,  // the run ended with more failed attempts than allowed
  kStopped,         // stopped before the end; the same command resumes
  kGateFailed,      // a regression gate failed
  kInterrupted,     // Ctrl-C
};

// The documented exit code of the program for an error: 1, 2, 3, 4, 5, 100 or 130.
[[nodiscard]] int exit_code(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // "FILE: PLACE: what is wrong; what to do", innermost context last

  bool operator==(const Error&) const = default;
};

// Puts `context` in front of the error's message: "context: message".
[[nodiscard]] Error with_context(Error error, const std::string& context);

template <typename T>
using Result = tl::expected<T, Error>;

// An error ready to be returned from a function that returns any Result: return
// fail(ErrorCode::kInput, "{}: ...", path);
template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format,
                                         Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace fathom

#define FATHOM_CONCAT_INNER(a, b) a##b
#define FATHOM_CONCAT(a, b) FATHOM_CONCAT_INNER(a, b)

// TRY(declaration, expression): declares with the value of a Result, or returns its error from the
// enclosing function.
#define TRY(declaration, expression)                                         \
  auto FATHOM_CONCAT(try_, __LINE__) = (expression);                         \
  if (!FATHOM_CONCAT(try_, __LINE__))                                        \
    return ::fathom::fail(std::move(FATHOM_CONCAT(try_, __LINE__)).error()); \
  declaration = std::move(*FATHOM_CONCAT(try_, __LINE__)) /* NOLINT(bugprone-macro-parentheses) */

// TRY_VOID(expression): returns the error of a Result<void>, or of any Result whose value is not
// wanted.
#define TRY_VOID(expression)                                               \
  do {                                                                     \
    auto try_result = (expression);                                        \
    if (!try_result) return ::fathom::fail(std::move(try_result).error()); \
  } while (false)

// TRY_CONTEXT(declaration, expression, context): as TRY, with `context` (a string, evaluated only
// on failure) put in front.
#define TRY_CONTEXT(declaration, expression, context_text)                                         \
  auto FATHOM_CONCAT(try_, __LINE__) = (expression);                                               \
  if (!FATHOM_CONCAT(try_, __LINE__))                                                              \
    return ::fathom::fail(                                                                         \
        ::fathom::with_context(std::move(FATHOM_CONCAT(try_, __LINE__)).error(), (context_text))); \
  declaration = std::move(*FATHOM_CONCAT(try_, __LINE__)) /* NOLINT(bugprone-macro-parentheses) */

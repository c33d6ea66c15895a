// The part of a prompt that grows with the length: filler with evidence inside. A task says what it
// is made of; suite/fit decides how much of it there is.
//
// The text is made of *units* (a line, a sentence, a document, a list entry), which come in a fixed
// order, and of *closers*: small alternatives of different token counts, of which any few may be
// added to hit a length exactly. Nothing is ever cut inside a unit or closer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/sample.h"

namespace fathom {

struct ContextSize {
  size_t units = 0;
  std::vector<size_t> closers;  // distinct, ascending
  bool operator==(const ContextSize&) const = default;
};

struct BuiltContext {
  std::string text;                // neither starts nor ends with white space
  std::vector<Evidence> evidence;  // in the order of the text; bytes count from the start of
                                   // `text`; tokens and depth are not set yet
  std::vector<std::string>
      notes;  // what a reader of the sample should know, e.g. that text repeats
};

// One sample's context in every size. Thread-compatible (may remember what it drew); everything is
// a pure function of how it was made, whatever was asked before.
class GrowingContext {
 public:
  virtual ~GrowingContext() = default;

  // The fewest units with which the task is what it says (no ties, room for its evidence).
  [[nodiscard]] virtual size_t least_units() const { return 0; }
  // The most units there are; a filler that repeats has no end.
  [[nodiscard]] virtual size_t most_units() const { return SIZE_MAX; }
  // Appends the text that unit number `unit` adds to a context of `unit` units, with its separator;
  // exact up to where it stands. Used to predict token counts.
  virtual void append_unit(size_t unit, std::string& out) const = 0;

  [[nodiscard]] virtual size_t closers() const = 0;
  // Closers before this one are tried first; those from it on only where the first do not do.
  [[nodiscard]] virtual size_t preferred_closers() const { return closers(); }
  // Appends the text that a closer adds to a context of `units` units, with its separator.
  virtual void append_closer(size_t closer, size_t units, std::string& out) const = 0;

  // `bytes_per_token` is an estimate, used to place evidence that is wanted at a token position.
  // Errors: kInput where the corpus or a word pool has not enough to give.
  [[nodiscard]] virtual Result<BuiltContext> build(const ContextSize& size,
                                                   double bytes_per_token) const = 0;
};

}  // namespace fathom

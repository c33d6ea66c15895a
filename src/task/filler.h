// Filler: the text around evidence (G7), one unit at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/task.h"

namespace fathom {

// Endless and pure: unit n is the same whatever was asked before. Thread-compatible.
class Filler {
 public:
  virtual ~Filler() = default;
  [[nodiscard]] virtual std::string_view separator() const = 0;  // between units, and evidence
  virtual void append_unit(size_t unit, std::string& out) const = 0;
  [[nodiscard]] virtual size_t closers() const = 0;
  [[nodiscard]] virtual size_t preferred_closers() const { return closers(); }
  virtual void append_closer(size_t closer, std::string& out) const = 0;
  // Between closers, which follow the last unit.
  [[nodiscard]] virtual std::string_view closer_separator() const { return separator(); }
  // What a sample of so many units should say; empty: nothing.
  [[nodiscard]] virtual std::string note(size_t units) const = 0;
  [[nodiscard]] virtual Result<void> check(size_t units) const = 0;  // that there are so many
};

// haystack and noise.
[[nodiscard]] std::vector<ParameterSpec> filler_parameters(const std::string& haystack,
                                                           std::vector<std::string> haystacks);
// The neutral sentences that close a gap in filler.
[[nodiscard]] WordingListSpec filler_closers();

// Lines of sentences without content. Errors: kInput for an unknown noise.
[[nodiscard]] Result<std::unique_ptr<Filler>> make_noise_filler(const TaskInputs& inputs);
// Sentences of the essay corpus from a place of this sample's own.
[[nodiscard]] std::unique_ptr<Filler> make_prose_filler(const TaskInputs& inputs);
// Lines that `line` makes, called once for each line, in order; an error ends the filler.
[[nodiscard]] std::unique_ptr<Filler> make_line_filler(const TaskInputs& inputs,
                                                       std::function<Result<std::string>()> line);

// "noise" or "essay". Requires: parameters that have filler_parameters().
[[nodiscard]] Result<std::unique_ptr<Filler>> make_filler(const TaskInputs& inputs);

// Sample::haystack: which samples share filler.
[[nodiscard]] std::string haystack_name(const TaskInputs& inputs, const std::string& kind);

}  // namespace fathom

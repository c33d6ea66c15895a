// A task's parameters: named values with declared types, defaults and limits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace fathom {

using ParameterValue = std::variant<bool, int64_t, double, std::string>;

// What a task declares, once: feeds checking, defaults, `tasks show`, and the sweep axes.
struct ParameterSpec {
  std::string name;
  std::string help;
  ParameterValue fallback;           // its type is the parameter's type
  double minimum = 0;                // numbers only
  double maximum = 0;                // numbers only; minimum == maximum: no limit
  std::vector<std::string> choices;  // texts only; empty: any
};

// Sorted by name, so that equal contents print and hash alike.
class Parameters {
 public:
  // Defaults from `specs`, overridden by `given`. Errors name the task, the key, the limits and the
  // nearest valid key.
  [[nodiscard]] static Result<Parameters> resolve(
      const std::string& task, const std::vector<ParameterSpec>& specs,
      const std::map<std::string, ParameterValue>& given);

  // Requires: declared, of that type (an integer may be read as a number).
  [[nodiscard]] int64_t integer(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;

  [[nodiscard]] const std::map<std::string, ParameterValue, std::less<>>& all() const {
    return values_;
  }
  void set(const std::string& name, ParameterValue value) { values_[name] = std::move(value); }
  [[nodiscard]] std::string canonical()
      const;  // "keys=4,queries=1": sorted, no spaces; the hash input

  bool operator==(const Parameters&) const = default;

 private:
  std::map<std::string, ParameterValue, std::less<>> values_;
};

[[nodiscard]] std::string to_text(const ParameterValue& value);

}  // namespace fathom

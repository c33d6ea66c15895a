// YAML documents as plain values that remember where they stood, with errors that name file, line,
// column, key and the nearest valid key.
//
//   TRY(const YamlValue root, parse_yaml(text, "suite.yaml"));
//   TRY_VOID(check_yaml_keys(root, "suite.yaml", "a suite", {"name", "tasks"}));  // any other key
//   is refused
//
// Hostile input is safe: no anchors or aliases, depth and node count limited, one document,
// duplicate keys refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace fathom {

enum class YamlKind { kNull, kScalar, kSequence, kMap };

struct YamlMember;

// Thread-compatible. One node and everything below it; owns its texts.
struct YamlValue {
  YamlKind kind = YamlKind::kNull;
  std::string scalar;  // the text as written, quotes removed
  bool quoted =
      false;  // was written in quotes or as a block: always a text, never a number or a truth value
  std::vector<YamlValue> items;     // of a sequence
  std::vector<YamlMember> members;  // of a map, in file order; keys are scalars
  int line = 1;                     // from 1
  int column = 1;

  [[nodiscard]] const YamlValue* find(
      std::string_view key) const;  // of a map; nullptr where missing. O(members)
};

// A key and its value. Not std::pair: clang cannot make a vector of pairs of a type that is not
// complete.
struct YamlMember {
  YamlValue first;
  YamlValue second;
};

// `where` names the source in errors. Errors: kInput, "WHERE:LINE:COLUMN: what". An empty document
// is a kNull value.
[[nodiscard]] Result<YamlValue> parse_yaml(std::string_view text, const std::string& where);

// An error at a value: "WHERE:LINE:COLUMN: message".
[[nodiscard]] Error yaml_error(const std::string& where, const YamlValue& at,
                               const std::string& message);

// What a value is, for messages: "a list", "a map", "the text 'abc'", "nothing".
[[nodiscard]] std::string describe(const YamlValue& value);

// Scalars by type. `name` is what messages call the value: "'samples'". Integers take digits with
// optional _ separators.
[[nodiscard]] Result<int64_t> yaml_integer(const YamlValue& value, const std::string& where,
                                           const std::string& name, int64_t low, int64_t high);
[[nodiscard]] Result<double> yaml_number(const YamlValue& value, const std::string& where,
                                         const std::string& name);
[[nodiscard]] Result<bool> yaml_boolean(const YamlValue& value, const std::string& where,
                                        const std::string& name);
[[nodiscard]] Result<std::string> yaml_text(const YamlValue& value, const std::string& where,
                                            const std::string& name);

// The candidate that `word` was probably meant to be (few edits away), or "" where none is near.
// O(candidates × word²).
[[nodiscard]] std::string nearest_word(std::string_view word,
                                       const std::vector<std::string>& candidates);

// Checks that `map` is a map whose keys all stand in `keys`. `what` names the thing for messages:
// "a suite".
[[nodiscard]] Result<void> check_yaml_keys(const YamlValue& map, const std::string& where,
                                           const std::string& what,
                                           const std::vector<std::string>& keys);

}  // namespace fathom

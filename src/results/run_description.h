// What a run was made under, as a reader of its result needs it: the settings in full and the
// command that remakes a sample.
#pragma once

#include <string>
#include <vector>

namespace fathom {

struct Condition {
  std::string group;  // "Model", "Suite", "Decoding", "Run" …
  std::string name;
  std::string value;
  bool operator==(const Condition&) const = default;
};

struct RunDescription {
  std::string name;      // the run folder's name
  std::string model;     // as people call it
  std::string provider;  // "gguf", "openai", "simulated"
  std::string suite;
  bool simulated = false;  // answers come from a simulated reader; every output says so
  std::string started;     // "2026-11-30T22:18:43Z"; empty: unknown
  std::string settings;  // the settings that a verdict must carry, in words: "greedy, no thinking,
                         // answer prefix in prompt"
  std::vector<Condition> conditions;
  std::string remake_command;  // "fathom generate ruler … --only {id}"; empty: samples cannot be
                               // remade (imported)
  bool operator==(const RunDescription&) const = default;
};

// `text` as one word of a POSIX shell command.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace fathom

// Wording packs: every sentence that a task puts into a prompt, in a YAML file that users can
// replace (G9, S8).
//
//   TRY(const Wording wording, Wording::load("fathom"));            // an embedded pack, or a path
//   std::string needle = wording.text("niah.needle", {{"type", "numbers"}, {"key", k}, {"value",
//   v}});
//
// A text may have two forms, `one` and `many`; the caller says how many things it speaks about.
// File form: docs/formats/wording.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace fathom {

struct YamlValue;

// What a task declares for each of its texts.
struct WordingSpec {
  std::string key;                        // "niah.needle"
  std::vector<std::string> placeholders;  // each must stand in the text as {name} ({count} may be
                                          // left out); no other may
  std::string fallback;  // the text where a pack has none; empty: every pack must have it
};

// What a task declares for each of its lists of texts (neutral sentences that close a gap …).
struct WordingListSpec {
  std::string key;
  size_t at_least = 1;
};

// Immutable, thread-safe.
class Wording {
 public:
  using Values = std::vector<std::pair<std::string_view, std::string_view>>;

  // The pack `name` of data/wordings, or a YAML file. All texts of all registered tasks are
  // checked. Errors: kIo; kInput "FILE:LINE:COLUMN: …" for a missing or unknown key, a missing or
  // unknown placeholder, or a wrong type.
  [[nodiscard]] static Result<Wording> load(const std::string& name_or_path);
  [[nodiscard]] static Result<Wording> parse(std::string_view yaml, const std::string& where,
                                             const std::vector<WordingSpec>& specs,
                                             const std::vector<WordingListSpec>& lists);
  [[nodiscard]] static std::vector<std::string> names();  // of the embedded packs
  // What stands in the place of a context that is left out (SampleVariant, kNoContext): this text.
  static constexpr std::string_view kNoContextText = "control.no_context";

  // The text with its placeholders filled. Requires: a declared key; a value for each placeholder.
  [[nodiscard]] std::string text(std::string_view key, const Values& values,
                                 int64_t count = 1) const;
  // The two parts of a text around {context}, filled. Requires: a text that declares {context}.
  [[nodiscard]] std::pair<std::string, std::string> around_context(std::string_view key,
                                                                   const Values& values,
                                                                   int64_t count = 1) const;
  [[nodiscard]] const std::vector<std::string>& list(std::string_view key) const;
  // "a", "a and b", "a, b and c" as the pack joins them.
  [[nodiscard]] std::string join(const std::vector<std::string>& items) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& hash() const { return hash_; }  // of all that decides the texts

 private:
  struct Forms {
    std::string one;
    std::string many;
  };
  // The embedded pack that `name` names, whose texts stand where a pack has none of its own.
  [[nodiscard]] static Result<Wording> pack_like(const YamlValue& name, const std::string& where,
                                                 const std::vector<WordingSpec>& specs,
                                                 const std::vector<WordingListSpec>& lists);
  [[nodiscard]] const std::string& form(std::string_view key, int64_t count) const;

  std::string name_;
  std::string hash_;
  std::map<std::string, Forms, std::less<>> texts_;
  std::map<std::string, std::vector<std::string>, std::less<>> lists_;
};

}  // namespace fathom

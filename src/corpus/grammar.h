// Text grammars: symbols with alternatives, expanded at random. Data files of fathom use them for
// prose and articles.
//
//   who
//     the miller
//   opening
//     {^who} came to {a:place} by the river.
// A symbol stands at the start of a line, its alternatives follow, indented by two spaces; # starts
// a comment line. {x} is one alternative of x, {^x} the same with a capital first letter, {a:x} the
// same after "a" or "an", {^a:x} both.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace fathom {

// Fixed texts for symbols, looked up before the grammar's own.
using Bindings = std::map<std::string, std::string, std::less<>>;

// Immutable after parse; thread-safe.
class Grammar {
 public:
  [[nodiscard]] static Grammar parse(std::string_view text);

  // Empty for an unknown symbol.
  [[nodiscard]] const std::vector<std::string>& alternatives(std::string_view symbol) const;
  // Fills the slots of `pattern`. A slot that nothing is known about stays as it is: "{x}".
  [[nodiscard]] std::string fill(std::string_view pattern, const Bindings& bindings,
                                 Random& random) const;
  // One alternative of `symbol`, filled.
  [[nodiscard]] std::string expand(std::string_view symbol, const Bindings& bindings,
                                   Random& random) const;
  [[nodiscard]] std::vector<std::string> symbols() const;

 private:
  void fill(std::string_view pattern, const Bindings& bindings, Random& random, int depth,
            std::string& out) const;
  std::map<std::string, std::vector<std::string>, std::less<>> rules_;
};

// "a" or "an" for the word that `text` begins with, by its first letter.
[[nodiscard]] std::string_view article_for(std::string_view text);

}  // namespace fathom

// Precision and recall of a listed answer against the set of references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct SetMatch {
  double precision = 0;  // right items among those listed; 0 where nothing is listed
  double recall = 0;     // references listed among all distinct references
  double f1 = 0;
  bool exact = false;       // listed = references, as sets
  std::vector<bool> found;  // per reference, in the order given
  std::vector<std::string>
      listed;  // distinct items of the answer, lower case, in the answer's order
  bool operator==(const SetMatch&) const = default;
};

// Items are separated by commas, semicolons, new lines or a final " and "; list marks ("1.", "2)",
// "-", "*") and quotation marks, brackets and full stops around an item are dropped; case is
// ignored. A lone "none" or "nothing" lists nothing, unless it is the reference.
[[nodiscard]] SetMatch set_match(std::string_view answer,
                                 const std::vector<std::string>& references);

}  // namespace fathom

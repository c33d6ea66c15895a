// The items of an answer that is a list, as models write lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

enum class ListForm {
  kNone,      // prose
  kNumbered,  // "1. a 2. b", on one line or several
  kBulleted,  // "- a", "* b", one a line
  kLines,     // one a line
  kCommas,    // "a, b and c"
  kSpaces,    // "a b c": single words
};

struct ListedItems {
  ListForm form = ListForm::kNone;
  std::vector<std::string> items;  // without marks, quotation marks and full stops; lower case, in
                                   // order, repeats kept
};

// Of the first list in `lowered`, an answer in lower case. An item has at most `most_words` words;
// a line that introduces the list ("The words are:") is passed over, and the list ends where prose
// goes on. O(n) in bytes.
[[nodiscard]] ListedItems listed_items(std::string_view lowered, size_t most_words);

}  // namespace fathom

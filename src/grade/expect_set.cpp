// Words of some lists that are not in all of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grade/expectation_parts.h"
#include "text/words.h"

namespace fathom {

void expect_set(const SampleText& text, Expectation& expectation) {
  std::map<int, std::string_view> lists;  // by number, from 1
  for (const Evidence& evidence : text.sample.evidence)
    if (evidence.role == "list") lists[evidence.order + 1] = text.text(evidence.bytes);

  std::vector<std::string> order;  // of the words' first appearance
  std::map<std::string, std::set<int>> lists_of;
  for (const auto& [number, list] : lists) {
    for (const ByteSpan& span : split_words(list)) {
      std::string word(list.substr(span.begin, span.end - span.begin));
      if (!lists_of.contains(word)) order.push_back(word);
      lists_of[word].insert(number);
    }
  }
  // Those that are nearly in all lists are the likeliest slips.
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    return lists_of[a].size() > lists_of[b].size();
  });
  DecoyList decoys(text.sample, expectation);
  for (const std::string& word : order) {
    std::string lacking;
    for (const auto& [number, list] : lists)
      if (!lists_of[word].contains(number))
        lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", number);
    if (!lacking.empty()) decoys.add({word, DecoyKind::kPartOfLists, lacking});
  }
}

}  // namespace fathom

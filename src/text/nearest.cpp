#include "text/nearest.h"

#include <algorithm>

namespace fathom {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

// Letters in both names, however ordered: between equally distant names the one with more of the
// same letters is the likelier.
size_t shared_letters(std::string_view a, std::string_view b) {
  size_t count = 0;
  std::string rest(b);
  for (const char c : a) {
    const size_t at = rest.find(c);
    if (at == std::string::npos) continue;
    rest.erase(at, 1);
    ++count;
  }
  return count;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kLongestName =
      100;  // nobody mistypes a longer one; bounds the cost on hostile input
  if (name.size() > kLongestName) return "";
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    const bool likelier =
        distance == best_distance && shared_letters(name, candidate) > shared_letters(name, best);
    if (distance < best_distance || (likelier && !best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

}  // namespace fathom

// The name that somebody probably meant: for errors about unknown flags, keys, tasks and models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// The candidate with the smallest edit distance (insert, delete, change, swap neighbours: optimal
// string alignment), if it is near enough to be a slip (at most a third of the name, at least one);
// empty otherwise. Ties: the one with more of the same letters, then the first.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       const std::vector<std::string>& candidates);

// " (did you mean 'x'?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace fathom

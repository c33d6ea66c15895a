// fathom-prose: English text that a grammar writes, so that haystacks need no download.
#pragma once

#include <string>
#include <vector>

namespace fathom {

// Twelve books of paragraphs, each a list of sentences; about 300,000 words, no sentence twice, no
// digits. The same in every call; O(100 ms).
[[nodiscard]] std::vector<std::vector<std::vector<std::string>>> write_fathom_prose();

}  // namespace fathom

// Which tokens are sure to come out when their own text is encoded, found without encoding
// anything.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/merge_table.h"
#include "tokenizer/segment_encoder.h"

namespace fathom {

// Returns one flag per token of `vocabulary`; set: merging the token's text gives just this token.
// Sufficient, not necessary: a token left unset may still do so. `atoms` flags the tokens that
// merging starts from. O(merges), some table lookups each.
//
// The argument: let token t = l + r be a merge, and l and r be sure. Merging the text of t does in
// either half what it does there alone, as long as no merge joins a piece of one half with a piece
// of the other. The only pieces that touch the seam are the last ones of l, each made later than
// the one inside it, and the first ones of r. Let the time of a piece be the highest rank that had
// to be applied to make it; the pieces of both halves appear in order of time. If every pair of
// pieces that touch the seam at the same time has no merge, or one of a rank above the time at
// which the first of them is swallowed, nothing crosses the seam before l and r stand there whole,
// and then they merge.
[[nodiscard]] std::vector<uint8_t> sure_tokens(const BpeVocabulary& vocabulary,
                                               const MergeTable& merges,
                                               const std::vector<uint8_t>& atoms);

}  // namespace fathom

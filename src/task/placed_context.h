// Evidence placed among filler: needles, statements, lists.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "task/context.h"
#include "task/depth.h"
#include "task/filler.h"

namespace fathom {

// A part of an item that is evidence by itself; spans count from the start of the item's text.
struct ItemEvidence {
  std::string role;
  int order = 0;
  bool distractor = false;
  ByteSpan bytes;
  ByteSpan answer_bytes;
};

struct PlacedItem {
  std::string text;
  Place place;
  std::vector<ItemEvidence> evidence;
};

// One piece of evidence that is the whole text, with the last occurrence of `answer` in it marked.
[[nodiscard]] PlacedItem whole_item(std::string text, Place place, const std::string& role,
                                    int order, bool distractor, const std::string& answer);

// Items at one joint between units keep the order in which they are given. `evidence_last`: those
// with evidence that is no distractor stand behind all filler, whatever their places.
[[nodiscard]] std::unique_ptr<const GrowingContext> make_placed_context(
    std::unique_ptr<const Filler> filler, std::vector<PlacedItem> items,
    bool evidence_last = false);

}  // namespace fathom

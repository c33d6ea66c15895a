// The things of the invented encyclopaedia and the facts about them, before any sentence is
// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "corpus/grammar.h"

namespace fathom {

struct InventedFact {
  std::string name;  // "dish"
  std::string
      value;  // "walnut broth": no other fact of the world has it, whatever the case of letters
};

struct InventedLink {
  std::string name;   // "birthplace"
  size_t target = 0;  // place in the world
};

struct InventedThing {
  std::string kind;  // "town"
  std::string name;
  std::string short_name;
  int year = 0;  // 0: none
  std::vector<InventedFact> facts;
  std::vector<InventedLink> links;
};

// `count` things, of the kinds of the grammar (data/encyclopaedia/world.txt) in turn. A pure
// function of grammar, count and the position of `random`. Fewer facts than the grammar declares
// where its values run out.
[[nodiscard]] std::vector<InventedThing> invent_world(const Grammar& grammar, size_t count,
                                                      Random& random);

}  // namespace fathom

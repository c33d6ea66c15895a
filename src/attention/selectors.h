// The makers of single selectors; make_selector() chooses among them.
#pragma once

#include <memory>

#include "attention/block_selector.h"

namespace fathom {

using SelectorMaker = std::unique_ptr<Selector> (*)(const SelectorOptions&, const AttentionShape&,
                                                    int layers, EvidenceRule);

template <typename Kind>
std::unique_ptr<Selector> made(const SelectorOptions& options, const AttentionShape& shape,
                               int layers, EvidenceRule rule) {
  return std::make_unique<Kind>(options, shape, layers, rule);
}

// static_selectors.cpp: the same blocks in every layer and head, whatever the model computes.
extern const SelectorMaker make_full;
extern const SelectorMaker make_streaming;
extern const SelectorMaker make_random;
extern const SelectorMaker make_evidence;
// bm25_selector.cpp
extern const SelectorMaker make_bm25;
// key_selectors.cpp: from keys, or from keys and the query at hand.
extern const SelectorMaker make_quest;
extern const SelectorMaker make_moba;
extern const SelectorMaker make_key_norm;
// observing_selectors.cpp: from what the last queries of the prompt looked at.
extern const SelectorMaker make_snapkv;
extern const SelectorMaker make_vertical_slash;
// attention_selectors.cpp: from the attention of the query at hand, or of all so far.
extern const SelectorMaker make_mass_oracle;
extern const SelectorMaker make_h2o;
extern const SelectorMaker make_tova;

}  // namespace fathom

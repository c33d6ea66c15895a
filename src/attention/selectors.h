// The makers of single selectors; make_selector() chooses among them.
#pragma once

#include <memory>

#include "attention/block_selector.h"

namespace fathom {

using SelectorMaker = std::unique_ptr<Selector> (*)(const SelectorOptions&, const AttentionShape&,
                                                    int layers, EvidenceRule);

// static_selectors.cpp: the same blocks in every layer and head, whatever the model computes.
std::unique_ptr<Selector> make_full(const SelectorOptions&, const AttentionShape&, int,
                                    EvidenceRule);
std::unique_ptr<Selector> make_streaming(const SelectorOptions&, const AttentionShape&, int,
                                         EvidenceRule);
std::unique_ptr<Selector> make_random(const SelectorOptions&, const AttentionShape&, int,
                                      EvidenceRule);
std::unique_ptr<Selector> make_evidence(const SelectorOptions&, const AttentionShape&, int,
                                        EvidenceRule);
// bm25_selector.cpp
std::unique_ptr<Selector> make_bm25(const SelectorOptions&, const AttentionShape&, int,
                                    EvidenceRule);
// key_selectors.cpp: from keys, or from keys and the query at hand.
std::unique_ptr<Selector> make_quest(const SelectorOptions&, const AttentionShape&, int,
                                     EvidenceRule);
std::unique_ptr<Selector> make_moba(const SelectorOptions&, const AttentionShape&, int,
                                    EvidenceRule);
std::unique_ptr<Selector> make_key_norm(const SelectorOptions&, const AttentionShape&, int,
                                        EvidenceRule);
// observing_selectors.cpp: from what the last queries of the prompt looked at.
std::unique_ptr<Selector> make_snapkv(const SelectorOptions&, const AttentionShape&, int,
                                      EvidenceRule);
std::unique_ptr<Selector> make_vertical_slash(const SelectorOptions&, const AttentionShape&, int,
                                              EvidenceRule);
// attention_selectors.cpp: from the attention of the query at hand, or of all so far.
std::unique_ptr<Selector> make_mass_oracle(const SelectorOptions&, const AttentionShape&, int,
                                           EvidenceRule);
std::unique_ptr<Selector> make_h2o(const SelectorOptions&, const AttentionShape&, int,
                                   EvidenceRule);
std::unique_ptr<Selector> make_tova(const SelectorOptions&, const AttentionShape&, int,
                                    EvidenceRule);

}  // namespace fathom

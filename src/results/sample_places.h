// Where in a prompt stands what selections are judged by: made again, since a run keeps no prompts.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "coverage/counted_words.h"
#include "results/run_folder.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct SamplePlaces {
  std::vector<TokenSpan> evidence;  // in its order, no distractors
  // Of tasks that ask for frequent words: every word of the context; else empty.
  std::vector<CountedWord> words;
};
using PlacesById = std::unordered_map<std::string, SamplePlaces>;

// Of tasks that ask for frequent words (their evidence says so) all words of the context with a
// letter, each with the tokens of every occurrence; of others none. `options`: as the prompt was
// encoded.
[[nodiscard]] std::vector<CountedWord> words_of(const Sample& sample, const Tokenizer& tokenizer,
                                                const EncodeOptions& options);

// Of the samples of an index, which holds all of the dataset's, that `wanted` takes. Samples that
// are made differently today are left out; without the tokenizer, words are. Errors: those of the
// dataset and its sources.
[[nodiscard]] Result<PlacesById> sample_places(
    const std::string& dataset, const std::vector<SampleLine>& index,
    const std::function<bool(const SampleFacts&)>& wanted);

}  // namespace fathom

#include "results/sample_places.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "run/request.h"
#include "suite/evidence_tokens.h"
#include "suite/factory.h"
#include "suite/sample_access.h"
#include "text/words.h"

namespace fathom {
namespace {

bool counts_words(const Sample& sample) {
  return std::ranges::any_of(sample.evidence, [](const Evidence& evidence) {
    return evidence.role == "common word" || evidence.role == "frequent word";
  });
}

// Null where it cannot be opened, or is not the one that the samples were made with.
std::shared_ptr<const Tokenizer> tokenizer_of(const Recipe& recipe) {
  const auto tokenizer = load_tokenizer(recipe.tokenizer.source);
  if (!tokenizer || (*tokenizer)->info().hash != recipe.tokenizer.hash) return nullptr;
  return *tokenizer;
}

}  // namespace

std::vector<CountedWord> words_of(const Sample& sample, const Tokenizer& tokenizer,
                                  const EncodeOptions& options) {
  std::vector<CountedWord> words;
  if (!counts_words(sample)) return words;
  const std::string text = sample.full_text();
  std::vector<TokenId> ids;
  std::vector<ByteSpan> tokens;
  tokenizer.encode_with_spans(text, options, ids, tokens);
  const size_t begin = std::min<size_t>(sample.context.begin, text.size());
  const size_t end = std::clamp<size_t>(sample.context.end, begin, text.size());
  const std::string_view context = std::string_view(text).substr(begin, end - begin);
  std::unordered_map<std::string_view, size_t> places;
  for (const ByteSpan& span : split_words(context)) {
    const std::string_view word = context.substr(span.begin, span.end - span.begin);
    if (word.find_first_not_of("0123456789") == std::string_view::npos) continue;
    const auto [place, is_new] = places.emplace(word, words.size());
    if (is_new)
      words.push_back({.places = {}, .wanted = std::ranges::count(sample.references, word) > 0});
    words[place->second].places.push_back(
        tokens_touching(tokens, {begin + span.begin, begin + span.end}));
  }
  return words;
}

Result<PlacesById> sample_places(const std::string& dataset_folder,
                                 const std::vector<SampleLine>& index,
                                 const std::function<bool(const SampleFacts&)>& wanted) {
  TRY(const Dataset dataset, Dataset::open(dataset_folder));
  TRY(const auto samples, open_samples(dataset));
  const Recipe& recipe = dataset.manifest().recipe;
  const EncodeOptions options{.add_special = recipe.add_special, .parse_special = true};
  std::shared_ptr<const Tokenizer> tokenizer;
  bool is_open = false;
  PlacesById places;
  for (size_t i = 0; i < index.size(); ++i) {
    const SampleFacts& facts = index[i].facts;
    if (!wanted(facts)) continue;
    TRY(const Sample sample, samples->at(place_in_dataset(facts, i)));
    if (sample.hash() != facts.hash) continue;
    SamplePlaces& one = places[facts.id];
    one.evidence = evidence_places(sample);
    if (!counts_words(sample)) continue;
    if (!std::exchange(is_open, true)) tokenizer = tokenizer_of(recipe);
    if (tokenizer != nullptr) one.words = words_of(sample, *tokenizer, options);
  }
  return places;
}

}  // namespace fathom

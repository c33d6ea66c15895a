#include "corpus/corpora.h"

#include <algorithm>

#include "base/hash.h"
#include "io/embedded.h"
#include "text/nearest.h"

namespace fathom {
namespace {

const std::vector<std::string>& corpus_names() {
  static const std::vector<std::string> names = {"essay", "words", "squad", "hotpotqa"};
  return names;
}

// What travels inside the program; known by its source text, so that nothing has to be made for it.
CorpusInfo built_in(const std::string& name, std::string_view file) {
  return {name, "fathom", hash_hex(embedded_file(file).value_or("")),
          "written for fathom, under fathom's licence"};
}

}  // namespace

std::vector<CorpusInfo> Corpora::info() const {
  std::vector<CorpusInfo> all = {essay->info(), words->info()};
  if (squad != nullptr) all.push_back(squad->info());
  if (hotpotqa != nullptr) all.push_back(hotpotqa->info());
  all.push_back(built_in("encyclopaedia", "encyclopaedia/world.txt"));
  all.push_back(built_in("noise", "noise/fillers.txt"));
  return all;
}

Result<Corpora> load_corpora(const std::map<std::string, std::string>& paths) {
  const auto path_of = [&](const std::string& name) {
    const auto found = paths.find(name);
    return found == paths.end() ? std::string() : found->second;
  };
  for (const auto& [name, path] : paths) {
    const auto& names = corpus_names();
    if (std::find(names.begin(), names.end(), name) == names.end())
      return fail(ErrorCode::kUsage,
                  "corpus '{}' is not known{}; there are essay, words, squad and hotpotqa", name,
                  did_you_mean(name, names));
  }
  Corpora corpora;
  if (const std::string path = path_of("essay"); path.empty()) {
    corpora.essay = Prose::own();
  } else {
    TRY_CONTEXT(corpora.essay, Prose::load(path), "corpus essay");
  }
  if (const std::string path = path_of("words"); path.empty()) {
    corpora.words = WordPool::own();
  } else {
    TRY_CONTEXT(corpora.words, WordPool::load(path), "corpus words");
  }
  if (const std::string path = path_of("squad"); !path.empty()) {
    TRY_CONTEXT(corpora.squad, load_squad(path), "corpus squad");
  }
  if (const std::string path = path_of("hotpotqa"); !path.empty()) {
    TRY_CONTEXT(corpora.hotpotqa, load_hotpotqa(path), "corpus hotpotqa");
  }
  return corpora;
}

}  // namespace fathom

// The corpora of a suite, by name.
//
//   TRY(const Corpora corpora, load_corpora({{"squad", "dev-v2.0.json"}}));
//   ProseReader reader(corpora.essay, random);
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "corpus/encyclopaedia.h"
#include "corpus/prose.h"
#include "corpus/question_set.h"
#include "corpus/word_pool.h"

namespace fathom {

// Cheap to copy; thread-safe.
struct Corpora {
  std::shared_ptr<const Prose> essay;           // never null
  std::shared_ptr<const WordPool> words;        // never null
  std::shared_ptr<const QuestionSet> squad;     // null where no file was given
  std::shared_ptr<const QuestionSet> hotpotqa;  // null where no file was given

  // The invented encyclopaedia, for tasks that need no file; made on the first call.
  [[nodiscard]] const Encyclopaedia& encyclopaedia() const { return own_encyclopaedia(); }
  // Of the four above that are there, and of the encyclopaedia and the noise, which always are.
  [[nodiscard]] std::vector<CorpusInfo> info() const;
};

// `paths` maps "essay" to a folder or text file, "words" to a folder, "squad" and "hotpotqa" to a
// file. Missing or empty: fathom's own essay and words, no question files. Errors: kUsage for an
// unknown name, else those of the loaders.
[[nodiscard]] Result<Corpora> load_corpora(const std::map<std::string, std::string>& paths);

}  // namespace fathom

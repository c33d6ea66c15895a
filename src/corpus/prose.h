// Running prose for haystacks: whole sentences of books, read from a different place in every
// sample.
//
//   TRY(const auto prose, Prose::load(folder));
//   Random random(sample_key, "essay start");
//   const ProseReader reader(prose, random);
//   for (uint64_t step = 0; step < n; ++step) text += reader.sentence(step);   // joined by one
//   space
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "corpus/corpus_info.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct ProseBook {
  std::string title;  // file name without its ending
  uint32_t first_sentence = 0;
  uint32_t sentences = 0;
};

struct ProseSentence {
  std::string_view text;  // one line, single spaces, ends as the book has it; owned by the Prose
  uint32_t book = 0;      // place in books()
  bool starts_paragraph = false;
};

class ProseTokens;

// Thread-safe, immutable: create once, share.
class Prose {
 public:
  // A text file, or a folder whose *.txt (and *.md) files are read in order of their names. Licence
  // text, tables of contents, headings and picture captions are left out; line breaks within
  // paragraphs become spaces. Bytes that are not UTF-8 are read as Windows-1252. Errors: kIo;
  // kInput where nothing readable is left.
  [[nodiscard]] static Result<std::shared_ptr<const Prose>> load(const std::string& path);
  // "fathom-prose": text that a grammar of fathom's own writes, about 300,000 words, no sentence
  // twice.
  [[nodiscard]] static std::shared_ptr<const Prose> own();

  [[nodiscard]] const std::vector<ProseSentence>& sentences() const { return sentences_; }
  [[nodiscard]] const std::vector<ProseBook>& books() const { return books_; }
  [[nodiscard]] const CorpusInfo& info() const { return info_; }

  // Token count of each sentence, counted in parallel on the first call for a tokenizer (equal
  // TokenizerInfo::hash), then kept. Lives as long as this Prose.
  [[nodiscard]] const ProseTokens& tokens(const Tokenizer& tokenizer) const;

  ~Prose();
  Prose(const Prose&) = delete;
  Prose& operator=(const Prose&) = delete;

 private:
  struct Text;
  Prose(const std::vector<Text>& texts, CorpusInfo info);

  std::string text_;  // all sentences
  std::vector<ProseSentence> sentences_;
  std::vector<ProseBook> books_;
  CorpusInfo info_;
  mutable std::mutex mutex_;  // of counted_
  mutable std::vector<std::pair<std::string, std::unique_ptr<ProseTokens>>> counted_;
};

// An endless walk through the sentences from one starting point, in the books' order; step n is a
// pure function, so a longer text is a shorter one continued. Thread-safe.
class ProseReader {
 public:
  // Starts at a paragraph drawn from `random`.
  ProseReader(std::shared_ptr<const Prose> prose, Random& random);
  ProseReader(std::shared_ptr<const Prose> prose,
              uint64_t start);  // at a sentence. Requires: start < sentences().size()

  [[nodiscard]] uint64_t start() const { return start_; }
  // Number of the sentence, in Prose::sentences(), at the n-th step.
  [[nodiscard]] uint64_t index(uint64_t step) const {
    return (start_ + step) % prose_->sentences().size();
  }
  [[nodiscard]] std::string_view sentence(uint64_t step) const {
    return prose_->sentences()[index(step)].text;
  }
  // How many times text is read again in the first `steps` steps: 0 while nothing repeats.
  [[nodiscard]] uint64_t repeats(uint64_t steps) const {
    return steps == 0 ? 0 : (steps - 1) / prose_->sentences().size();
  }
  [[nodiscard]] const std::shared_ptr<const Prose>& prose() const { return prose_; }

 private:
  std::shared_ptr<const Prose> prose_;
  uint64_t start_;
};

// How many tokens each sentence adds where it follows another after one space: count(" " +
// sentence), special tokens as plain text. Thread-safe.
class ProseTokens {
 public:
  ProseTokens(const Prose& prose, const Tokenizer& tokenizer);

  [[nodiscard]] uint32_t of(uint64_t sentence) const { return counts_[sentence]; }
  // Tokens of the first `steps` steps of a walk that starts at sentence `start`. O(1).
  [[nodiscard]] uint64_t walk(uint64_t start, uint64_t steps) const;
  // The most steps whose tokens stay within `budget`. O(log n).
  [[nodiscard]] uint64_t steps_within(uint64_t start, uint64_t budget) const;
  // Sentences of exactly that many tokens, for closing a gap; empty where there are none.
  [[nodiscard]] const std::vector<uint32_t>& with_tokens(uint32_t tokens) const;

 private:
  std::vector<uint32_t> counts_;
  std::vector<uint64_t> sums_;  // sums_[i]: tokens before sentence i
  std::vector<std::vector<uint32_t>> by_count_;
};

}  // namespace fathom

#include "corpus/fathom_prose.h"

#include <array>
#include <string_view>
#include <unordered_set>

#include "base/random.h"
#include "corpus/grammar.h"
#include "io/embedded.h"

namespace fathom {
namespace {

constexpr int kBooks = 12;
constexpr int kParagraphs = 300;  // of each book

class Writer {
 public:
  Writer()
      : grammar_(Grammar::parse(embedded_file("noise/prose.txt").value_or(""))),
        random_(RandomKey(1), "prose") {}

  std::vector<std::string> paragraph() {
    bind();
    used_.clear();
    std::vector<std::string> sentences;
    add("opening", sentences);
    const uint64_t inner = 3 + random_.below(5);
    for (uint64_t i = 0; i < inner; ++i) {
      static constexpr std::array<std::string_view, 8> kGroups = {
          "middle", "middle", "middle", "middle", "speech", "speech", "thought", "thought"};
      add(kGroups[random_.below(kGroups.size())], sentences);
    }
    if (random_.below(3) > 0) add("closing", sentences);
    return sentences;
  }

 private:
  // The people, place and thing of one paragraph.
  void bind() {
    static constexpr std::array<std::array<std::string_view, 3>, 2> kPronouns = {
        {{"he", "him", "his"}, {"she", "her", "her"}}};
    const uint64_t who = random_.below(2);
    const auto person = [&](uint64_t woman) {
      return grammar_.expand(woman != 0 ? "woman" : "man", {}, random_);
    };
    bindings_["who"] = person(who);
    do {
      bindings_["other"] = person(random_.below(2));
    } while (bindings_["other"] == bindings_["who"]);
    bindings_["they"] = kPronouns[who][0];
    bindings_["them"] = kPronouns[who][1];
    bindings_["their"] = kPronouns[who][2];
    bindings_["place"] = grammar_.expand("place", {}, random_);
    bindings_["thing"] = grammar_.expand("thing", {}, random_);
  }

  // A sentence of a pattern that this paragraph has not used, and that no paragraph has had word
  // for word.
  void add(std::string_view group, std::vector<std::string>& sentences) {
    const auto& patterns = grammar_.alternatives(group);
    for (int tries = 0; tries < 50 && !patterns.empty(); ++tries) {
      const std::string& pattern = patterns[random_.below(patterns.size())];
      if (used_.contains(pattern)) continue;
      std::string sentence = grammar_.fill(pattern, bindings_, random_);
      if (!written_.insert(sentence).second) continue;
      used_.insert(pattern);
      sentences.push_back(std::move(sentence));
      return;
    }
  }

  Grammar grammar_;
  Random random_;
  Bindings bindings_;
  std::unordered_set<std::string_view> used_;  // patterns, owned by grammar_
  std::unordered_set<std::string> written_;
};

}  // namespace

std::vector<std::vector<std::vector<std::string>>> write_fathom_prose() {
  Writer writer;
  std::vector<std::vector<std::vector<std::string>>> books(kBooks);
  for (auto& book : books)
    for (int i = 0; i < kParagraphs; ++i) book.push_back(writer.paragraph());
  return books;
}

}  // namespace fathom

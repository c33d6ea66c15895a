#include "tokenizer/sentencepiece_normalizer.h"

#include "text/utf8.h"
#include "tokenizer/byte_trie.h"

namespace fathom {
namespace {

class SentencePieceNormalizer final : public Normalizer {
 public:
  SentencePieceNormalizer(CharactersMap map, SentencePieceRules rules)
      : map_(std::move(map)),
        rules_(std::move(rules)),
        space_(rules_.escape_whitespaces ? "▁" : " ") {
    std::vector<std::pair<std::string_view, uint32_t>> keys;
    for (const std::string& text : rules_.user_defined) keys.emplace_back(text, 0);
    user_defined_ = ByteTrie(std::move(keys));
  }

  void apply(MappedText& text) const override {
    const std::string_view old = text.text();
    if (old.empty()) return;
    const size_t words_end = rules_.as_llama_cpp ? end_of_words(old) : old.size();
    const size_t kept_end = rules_.remove_extra_whitespaces ? words_end : old.size();
    const bool dummy = rules_.add_dummy_prefix && words_end > 0;
    if (dummy && !rules_.whitespace_as_suffix) text.replace(0, 0, space_);
    bool after_space = rules_.remove_extra_whitespaces;
    std::string out;
    for (size_t at = 0; at < kept_end;) {
      const Step step = next(old, at);
      out.clear();
      append_escaped(step.replacement, after_space, out);
      if (out != old.substr(at, step.size)) text.replace(at, at + step.size, out);
      at += step.size;
    }
    if (kept_end < old.size()) text.replace(kept_end, old.size(), "");
    text.finish();
    if (rules_.remove_extra_whitespaces && !rules_.as_llama_cpp) strip_end(text);
    if (dummy && rules_.whitespace_as_suffix && !text.text().empty()) {
      text.replace(text.text().size(), text.text().size(), space_);
      text.finish();
    }
  }

 private:
  struct Step {
    size_t size = 0;
    std::string_view replacement;
  };

  // Blanks at the start of `step` fall away behind a blank; llama.cpp drops those inside it too.
  void append_escaped(std::string_view step, bool& after_space, std::string& out) const {
    bool leading = true;
    for (const char c : step) {
      if (c != ' ') {
        out.push_back(c);
        leading = after_space = false;
      } else if (!after_space || !(leading || rules_.as_llama_cpp)) {
        out += space_;
        leading = false;
        after_space = rules_.remove_extra_whitespaces;
      }
    }
  }

  void strip_end(MappedText& text) const {
    const std::string_view old = text.text();
    size_t end = old.size();
    while (old.substr(0, end).ends_with(space_)) end -= space_.size();
    if (end < old.size()) text.replace(end, old.size(), "");
    text.finish();
  }

  // What stands at `at` and what it becomes, blanks not yet escaped.
  [[nodiscard]] Step next(std::string_view text, size_t at) const {
    size_t longest = 0;
    uint32_t node = ByteTrie::kRoot;
    for (size_t i = at; i < text.size(); ++i) {
      node = user_defined_.child(node, static_cast<unsigned char>(text[i]));
      if (node == ByteTrie::kNone) break;
      if (user_defined_.value(node) != ByteTrie::kNone) longest = i + 1 - at;
    }
    if (longest > 0) return {longest, text.substr(at, longest)};
    if (const auto match = map_.longest(text.substr(at))) return {match->size, match->replacement};
    const size_t size = utf8_size(text[at]);
    return {size, text.substr(at, size)};
  }

  // Where the last step that leaves more than blanks ends; 0: none does.
  [[nodiscard]] size_t end_of_words(std::string_view text) const {
    size_t end = 0;
    for (size_t at = 0; at < text.size();) {
      const Step step = next(text, at);
      at += step.size;
      if (step.replacement.find_first_not_of(' ') != std::string_view::npos) end = at;
    }
    return end;
  }

  CharactersMap map_;
  SentencePieceRules rules_;
  std::string space_;
  ByteTrie user_defined_;
};

}  // namespace

std::unique_ptr<Normalizer> make_sentencepiece_normalizer(CharactersMap map,
                                                          SentencePieceRules rules) {
  return std::make_unique<SentencePieceNormalizer>(std::move(map), std::move(rules));
}

}  // namespace fathom

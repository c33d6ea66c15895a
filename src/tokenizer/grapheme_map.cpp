#include <utf8proc.h>

#include <array>

#include "text/utf8.h"
#include "tokenizer/normalizer.h"

namespace fathom {
namespace {

constexpr size_t kWholeBytes = 6;  // graphemes shorter than this are looked up as a whole

class GraphemeMap final : public Normalizer {
 public:
  explicit GraphemeMap(CharactersMap map) : map_(std::move(map)) {
    for (int c = 0; c < 128; ++c) {
      const char text = static_cast<char>(c);
      ascii_changes_[static_cast<size_t>(c)] = map_.shortest({&text, 1}).has_value();
    }
  }

  void apply(MappedText& text) const override {
    const std::string_view old = text.text();
    for (size_t at = 0; at < old.size();) {
      if (plain_ascii(old, at)) {
        ++at;
        continue;
      }
      const size_t end = grapheme_end(old, at);
      replace_grapheme(text, old, at, end);
      at = end;
    }
    text.finish();
  }

 private:
  // An ASCII character that is a grapheme of its own and maps to itself.
  [[nodiscard]] bool plain_ascii(std::string_view text, size_t at) const {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80 || ascii_changes_[byte]) return false;
    return at + 1 == text.size() ||
           (static_cast<unsigned char>(text[at + 1]) < 0x80 && byte != '\r');
  }

  static size_t grapheme_end(std::string_view text, size_t at) {
    int32_t state = 0;
    auto previous = static_cast<int32_t>(next_utf8(text, at));
    while (at < text.size()) {
      size_t behind = at;
      const auto next = static_cast<int32_t>(next_utf8(text, behind));
      if (utf8proc_grapheme_break_stateful(previous, next, &state)) break;
      previous = next;
      at = behind;
    }
    return at;
  }

  void replace_grapheme(MappedText& text, std::string_view old, size_t begin, size_t end) const {
    if (end - begin < kWholeBytes) {
      if (const auto whole = map_.shortest(old.substr(begin, end - begin))) {
        text.replace(begin, end, whole->replacement);
        return;
      }
    }
    for (size_t at = begin; at < end;) {
      const size_t size = utf8_size(old[at]);
      if (const auto part = map_.shortest(old.substr(at, size)))
        text.replace(at, at + size, part->replacement);
      at += size;
    }
  }

  CharactersMap map_;
  std::array<bool, 128> ascii_changes_{};
};

}  // namespace

std::unique_ptr<Normalizer> make_grapheme_map(CharactersMap map) {
  return std::make_unique<GraphemeMap>(std::move(map));
}

}  // namespace fathom

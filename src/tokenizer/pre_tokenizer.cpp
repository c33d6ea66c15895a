#include "tokenizer/pre_tokenizer.h"

#include <algorithm>

#include "text/characters.h"
#include "text/utf8.h"
#include "tokenizer/regex.h"

namespace fathom {
namespace {

// One stretch of a piece: a match of the pattern or what lies between two.
struct Part {
  size_t begin = 0;
  size_t end = 0;
  bool matched = false;
};

void merge_with_previous(const std::vector<Part>& parts, std::vector<Piece>& out) {
  const size_t first = out.size();
  bool previous = false;
  for (const Part& part : parts) {
    if (part.matched && !previous && out.size() > first) {
      out.back().end = part.end;
    } else {
      out.push_back({part.begin, part.end});
    }
    previous = part.matched;
  }
}

void merge_with_next(const std::vector<Part>& parts, std::vector<Piece>& out) {
  const size_t first = out.size();
  bool next = false;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->matched && !next && out.size() > first) {
      out.back().begin = part->begin;
    } else {
      out.push_back({part->begin, part->end});
    }
    next = part->matched;
  }
  std::reverse(out.begin() + static_cast<ptrdiff_t>(first), out.end());
}

void merge_equal(const std::vector<Part>& parts, std::vector<Piece>& out) {
  const size_t first = out.size();
  bool previous = false;
  for (const Part& part : parts) {
    if (part.matched == previous && out.size() > first) {
      out.back().end = part.end;
    } else {
      out.push_back({part.begin, part.end});
    }
    previous = part.matched;
  }
}

void join_parts(SplitBehavior behavior, const std::vector<Part>& parts, std::vector<Piece>& out) {
  switch (behavior) {
    case SplitBehavior::kRemoved:
      for (const Part& part : parts) {
        if (!part.matched) out.push_back({part.begin, part.end});
      }
      return;
    case SplitBehavior::kIsolated:
      for (const Part& part : parts) out.push_back({part.begin, part.end});
      return;
    case SplitBehavior::kMergedWithPrevious:
      return merge_with_previous(parts, out);
    case SplitBehavior::kMergedWithNext:
      return merge_with_next(parts, out);
    case SplitBehavior::kContiguous:
      return merge_equal(parts, out);
  }
}

// Splits by whatever find(text, match(begin, end)) finds.
template <typename Finder>
class Split final : public PreTokenizer {
 public:
  Split(Finder finder, SplitBehavior behavior, bool invert)
      : finder_(std::move(finder)), behavior_(behavior), invert_(invert) {}

  void apply(MappedText& text, std::vector<Piece>& pieces) const override {
    std::vector<Piece> out;
    std::vector<Part> parts;
    for (const Piece piece : pieces) {
      const std::string_view inside = text.text().substr(piece.begin, piece.end - piece.begin);
      parts.clear();
      size_t last = 0;
      const auto add = [&](size_t begin, size_t end, bool matched) {
        if (begin < end)
          parts.push_back({piece.begin + begin, piece.begin + end, matched != invert_});
      };
      finder_(inside, [&](size_t begin, size_t end) {
        add(last, begin, false);
        add(begin, end, true);
        last = end;
      });
      add(last, inside.size(), false);
      join_parts(behavior_, parts, out);
    }
    pieces.swap(out);
  }

 private:
  Finder finder_;
  SplitBehavior behavior_;
  bool invert_;
};

template <typename Finder>
std::unique_ptr<PreTokenizer> make_split(Finder finder, SplitBehavior behavior,
                                         bool invert = false) {
  return std::make_unique<Split<Finder>>(std::move(finder), behavior, invert);
}

// Each character of a class is a match of its own.
template <typename Class>
auto each_character(Class in_class) {
  return [in_class](std::string_view text, const auto& match) {
    for (size_t at = 0; at < text.size();) {
      const size_t begin = at;
      if (in_class(next_utf8(text, at))) match(begin, at);
    }
  };
}

bool is_any_punctuation(char32_t character) {
  return is_ascii_punctuation(character) || is_punctuation(character);
}

class Sequence final : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> parts) : parts_(std::move(parts)) {}
  void apply(MappedText& text, std::vector<Piece>& pieces) const override {
    for (const auto& part : parts_) part->apply(text, pieces);
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> parts_;
};

class Metaspace final : public PreTokenizer {
 public:
  Metaspace(std::string replacement, PrefixScheme scheme, bool split)
      : replacement_(std::move(replacement)), scheme_(scheme), split_(split) {}

  [[nodiscard]] bool needs_origins() const override { return scheme_ == PrefixScheme::kFirst; }

  void apply(MappedText& text, std::vector<Piece>& pieces) const override {
    const std::string_view old = text.text();
    for (Piece& piece : pieces) {
      const size_t begin = text.moved(piece.begin);
      if (wants_prefix(text, piece)) text.replace(piece.begin, piece.begin, replacement_);
      const std::string_view until = old.substr(0, piece.end);
      for (size_t at = until.find(' ', piece.begin); at != std::string_view::npos;
           at = until.find(' ', at + 1)) {
        text.replace(at, at + 1, replacement_);
      }
      piece = {begin, text.moved(piece.end)};
    }
    text.finish();
    if (split_) split(text.text(), pieces);
  }

 private:
  [[nodiscard]] bool wants_prefix(const MappedText& text, const Piece& piece) const {
    if (scheme_ == PrefixScheme::kNever) return false;
    if (scheme_ == PrefixScheme::kFirst && text.origin(piece.begin, piece.end).begin != 0)
      return false;
    const std::string_view inside = text.text().substr(piece.begin, piece.end - piece.begin);
    return !inside.starts_with(' ') && !inside.starts_with(replacement_);
  }

  // Before each replacement character.
  void split(std::string_view text, std::vector<Piece>& pieces) const {
    std::vector<Piece> out;
    for (const Piece& piece : pieces) {
      const std::string_view inside = text.substr(0, piece.end);
      size_t begin = piece.begin;
      size_t at = inside.find(replacement_, begin);
      while (at != std::string_view::npos) {
        if (at > begin) out.push_back({begin, at});
        begin = at;
        at = inside.find(replacement_, at + replacement_.size());
      }
      if (begin < piece.end) out.push_back({begin, piece.end});
    }
    pieces.swap(out);
  }

  std::string replacement_;
  PrefixScheme scheme_;
  bool split_;
};

class Prefix final : public PreTokenizer {
 public:
  Prefix(std::string prefix, bool unless_blank)
      : prefix_(std::move(prefix)), unless_blank_(unless_blank) {}
  void apply(MappedText& text, std::vector<Piece>& pieces) const override {
    for (Piece& piece : pieces) {
      const size_t begin = text.moved(piece.begin);
      if (!unless_blank_ || text.text()[piece.begin] != ' ')
        text.replace(piece.begin, piece.begin, prefix_);
      piece = {begin, text.moved(piece.end)};
    }
    text.finish();
  }

 private:
  std::string prefix_;
  bool unless_blank_;  // not where the piece starts with a blank
};

}  // namespace

std::unique_ptr<PreTokenizer> make_split_text(std::string pattern, SplitBehavior behavior,
                                              bool invert) {
  const auto find = [pattern = std::move(pattern)](std::string_view text, const auto& match) {
    if (pattern.empty()) return;
    for (size_t at = text.find(pattern); at != std::string_view::npos;
         at = text.find(pattern, at + pattern.size())) {
      match(at, at + pattern.size());
    }
  };
  return make_split(find, behavior, invert);
}

Result<std::unique_ptr<PreTokenizer>> make_split_regex(const std::string& pattern,
                                                       SplitBehavior behavior, bool invert) {
  TRY(const Regex regex, Regex::compile(pattern));
  return make_split([regex](std::string_view text, const auto& match) { regex.find(text, match); },
                    behavior, invert);
}

std::unique_ptr<PreTokenizer> make_split_white_space() {
  return make_split(each_character(is_white_space), SplitBehavior::kRemoved);
}

std::unique_ptr<PreTokenizer> make_split_words() {
  const auto kind = [](char32_t character) {
    return is_word_character(character) ? 2 : is_white_space(character) ? 0 : 1;
  };
  const auto find = [kind](std::string_view text, const auto& match) {
    size_t begin = 0;
    int open = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t here = at;
      const int next = kind(next_utf8(text, at));
      if (next == open) continue;
      if (open != 0) match(begin, here);
      begin = here;
      open = next;
    }
    if (open != 0) match(begin, text.size());
  };
  return make_split(find, SplitBehavior::kRemoved, true);
}

std::unique_ptr<PreTokenizer> make_split_digits(bool individual) {
  return make_split(each_character(is_number),
                    individual ? SplitBehavior::kIsolated : SplitBehavior::kContiguous);
}

std::unique_ptr<PreTokenizer> make_split_punctuation(SplitBehavior behavior) {
  return make_split(each_character(is_any_punctuation), behavior);
}

std::unique_ptr<PreTokenizer> make_bert_pre_tokenizer() {
  std::vector<std::unique_ptr<PreTokenizer>> parts;
  parts.push_back(make_split_white_space());
  parts.push_back(make_split_punctuation(SplitBehavior::kIsolated));
  return std::make_unique<Sequence>(std::move(parts));
}

std::unique_ptr<PreTokenizer> make_metaspace(std::string replacement, PrefixScheme scheme,
                                             bool split) {
  return std::make_unique<Metaspace>(std::move(replacement), scheme, split);
}

std::unique_ptr<PreTokenizer> make_prefix(std::string prefix) {
  return std::make_unique<Prefix>(std::move(prefix), false);
}
std::unique_ptr<PreTokenizer> make_prefix_space() { return std::make_unique<Prefix>(" ", true); }

}  // namespace fathom

#include "tokenizer/normalizer.h"

#include <cstring>

#include "text/characters.h"
#include "text/utf8.h"
#include "tokenizer/regex.h"

namespace fathom {
namespace {

class NormalFormNormalizer final : public Normalizer {
 public:
  explicit NormalFormNormalizer(NormalForm form) : form_(form) {}
  void apply(MappedText& text) const override {
    const auto change = [&](size_t begin, size_t end, std::string_view normal) {
      text.replace(begin, end, normal);
    };
    for_each_change(form_, text.text(), change, UnicodeTables::kVersion9);
    text.finish();
  }

 private:
  NormalForm form_;
};

// Rewrites character by character: `change` returns false to keep the character, or true after
// filling `out` with its replacement.
template <typename Change>
void change_characters(MappedText& text, const Change& change) {
  std::string out;
  const std::string_view old = text.text();
  for (size_t at = 0; at < old.size();) {
    const size_t begin = at;
    const char32_t character = next_utf8(old, at);
    out.clear();
    if (change(character, out)) text.replace(begin, at, out);
  }
  text.finish();
}

class LowerCase final : public Normalizer {
 public:
  void apply(MappedText& text) const override {
    change_characters(text, [](char32_t character, std::string& out) {
      if (character < 0x80) {
        if (character < 'A' || character > 'Z') return false;
        out.push_back(static_cast<char>(character + ('a' - 'A')));
        return true;
      }
      append_lower_case(out, character);
      size_t at = 0;
      return next_utf8(out, at) != character || at != out.size();
    });
  }
};

class StripAccents final : public Normalizer {
 public:
  void apply(MappedText& text) const override {
    change_characters(text, [](char32_t character, std::string&) {
      return character >= 0x300 && is_mark(character);
    });
  }
};

class Strip final : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  void apply(MappedText& text) const override {
    const std::string_view old = text.text();
    size_t begin = 0;
    for (size_t at = 0; left_ && at < old.size();) {
      if (!is_white_space(next_utf8(old, at))) break;
      begin = at;
    }
    size_t end = old.size();
    while (right_ && end > begin) {
      const size_t previous = previous_utf8(old, end);
      size_t at = previous;
      if (!is_white_space(next_utf8(old, at))) break;
      end = previous;
    }
    if (begin > 0) text.replace(0, begin, "");
    if (end < old.size()) text.replace(end, old.size(), "");
    text.finish();
  }

 private:
  bool left_;
  bool right_;
};

class Prepend final : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : prefix_(std::move(prefix)) {}
  void apply(MappedText& text) const override {
    if (text.text().empty()) return;
    text.replace(0, 0, prefix_);
    text.finish();
  }

 private:
  std::string prefix_;
};

class ReplaceText final : public Normalizer {
 public:
  ReplaceText(std::string pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void apply(MappedText& text) const override {
    if (pattern_.empty()) return;
    const std::string_view old = text.text();
    if (pattern_.size() == 1) {
      const char* const data = old.data();
      for (size_t at = 0; at < old.size(); ++at) {
        const void* found = std::memchr(data + at, pattern_[0], old.size() - at);
        if (found == nullptr) break;
        at = static_cast<size_t>(static_cast<const char*>(found) - data);
        text.replace(at, at + 1, content_);
      }
    } else {
      for (size_t at = old.find(pattern_); at != std::string_view::npos;
           at = old.find(pattern_, at + pattern_.size())) {
        text.replace(at, at + pattern_.size(), content_);
      }
    }
    text.finish();
  }

 private:
  std::string pattern_;
  std::string content_;
};

class ReplaceRegex final : public Normalizer {
 public:
  ReplaceRegex(Regex regex, std::string content)
      : regex_(std::move(regex)), content_(std::move(content)) {}
  void apply(MappedText& text) const override {
    regex_.find(text.text(), [&](size_t begin, size_t end) { text.replace(begin, end, content_); });
    text.finish();
  }

 private:
  Regex regex_;
  std::string content_;
};

class Nmt final : public Normalizer {
 public:
  void apply(MappedText& text) const override {
    change_characters(text, [](char32_t c, std::string& out) {
      const bool dropped = (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F ||
                           c == 0x8F || c == 0x9F;
      if (dropped) return true;
      const bool blank = c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1680 ||
                         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
                         c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
      if (blank) out = " ";
      return blank;
    });
  }
};

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(BertNormalizerOptions options)
      : options_(options), decompose_(NormalForm::kNfd) {}
  void apply(MappedText& text) const override {
    if (options_.clean_text) clean(text);
    if (options_.handle_chinese_chars) {
      change_characters(text, [](char32_t character, std::string& out) {
        if (!is_cjk_ideograph(character)) return false;
        out.push_back(' ');
        append_utf8(out, character);
        out.push_back(' ');
        return true;
      });
    }
    if (options_.strip_accents) {
      decompose_.apply(text);
      change_characters(
          text, [](char32_t c, std::string&) { return c >= 0x300 && is_nonspacing_mark(c); });
    }
    if (options_.lowercase) lower_case_.apply(text);
  }

 private:
  void clean(MappedText& text) const {
    change_characters(text, [&](char32_t c, std::string& out) {
      const bool plain_space = c == '\t' || c == '\n' || c == '\r' || options_.keep_control_space;
      const bool dropped = c == 0 || c == 0xFFFD || is_other(c);
      if (is_white_space(c) && (plain_space || !dropped)) {
        out = " ";
        return c != ' ';
      }
      return dropped;
    });
  }

  BertNormalizerOptions options_;
  NormalFormNormalizer decompose_;
  LowerCase lower_case_;
};

}  // namespace

std::unique_ptr<Normalizer> make_normal_form(NormalForm form) {
  return std::make_unique<NormalFormNormalizer>(form);
}
std::unique_ptr<Normalizer> make_lower_case() { return std::make_unique<LowerCase>(); }
std::unique_ptr<Normalizer> make_strip_accents() { return std::make_unique<StripAccents>(); }
std::unique_ptr<Normalizer> make_strip(bool left, bool right) {
  return std::make_unique<Strip>(left, right);
}
std::unique_ptr<Normalizer> make_prepend(std::string prefix) {
  return std::make_unique<Prepend>(std::move(prefix));
}
std::unique_ptr<Normalizer> make_nmt() { return std::make_unique<Nmt>(); }

std::unique_ptr<Normalizer> make_replace_text(std::string pattern, std::string content) {
  return std::make_unique<ReplaceText>(std::move(pattern), std::move(content));
}

Result<std::unique_ptr<Normalizer>> make_replace_regex(const std::string& pattern,
                                                       std::string content) {
  TRY(Regex regex, Regex::compile(pattern));
  return std::make_unique<ReplaceRegex>(std::move(regex), std::move(content));
}

std::unique_ptr<Normalizer> make_bert_normalizer(BertNormalizerOptions options) {
  return std::make_unique<BertNormalizer>(options);
}

}  // namespace fathom

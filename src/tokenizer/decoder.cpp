#include "tokenizer/decoder.h"

#include <optional>
#include <utility>

#include "text/utf8.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/byte_token.h"

namespace fathom {
namespace {

void replace_all(std::string& text, std::string_view pattern, std::string_view content) {
  size_t at = pattern.empty() ? std::string::npos : text.find(pattern);
  if (at == std::string::npos) return;
  std::string out;
  size_t last = 0;
  for (; at != std::string::npos; at = text.find(pattern, last)) {
    out.append(text, last, at - last).append(content);
    last = at + pattern.size();
  }
  text = out.append(text, last);
}

void join(std::vector<std::string>& tokens) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  tokens.clear();
  tokens.push_back(std::move(all));
}

class ByteLevel final : public Decoder {
 public:
  void apply(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      if (auto bytes = bytes_of_spelling(token)) token = std::move(*bytes);
    }
    join(tokens);
    tokens[0] = repair_utf8(tokens[0]);
  }
};

class Bytes final : public Decoder {
 public:
  void apply(std::vector<std::string>& tokens) const override {
    join(tokens);
    tokens[0] = repair_utf8(tokens[0]);
  }
};

class ByteFallback final : public Decoder {
 public:
  void apply(std::vector<std::string>& tokens) const override {
    std::vector<std::string> out;
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) return;
      if (is_valid_utf8(bytes)) {
        out.push_back(bytes);
      } else {
        out.insert(out.end(), bytes.size(), std::string(kReplacementText));
      }
      bytes.clear();
    };
    for (std::string& token : tokens) {
      if (const auto byte = byte_of_token(token)) {
        bytes.push_back(static_cast<char>(*byte));
      } else {
        flush();
        out.push_back(std::move(token));
      }
    }
    flush();
    tokens = std::move(out);
  }
};

class Fuse final : public Decoder {
 public:
  void apply(std::vector<std::string>& tokens) const override { join(tokens); }
};

class Blanks final : public Decoder {
 public:
  void apply(std::vector<std::string>& tokens) const override {
    for (size_t i = 1; i < tokens.size(); ++i) tokens[i].insert(0, 1, ' ');
  }
};

class Strip final : public Decoder {
 public:
  Strip(char32_t content, size_t start, size_t stop) : start_(start), stop_(stop) {
    append_utf8(content_, content);
  }
  void apply(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      size_t begin = 0;
      for (size_t i = 0; i < start_ && token.compare(begin, content_.size(), content_) == 0; ++i)
        begin += content_.size();
      size_t end = token.size();
      for (size_t i = 0;
           i < stop_ && std::string_view(token).substr(begin, end - begin).ends_with(content_);
           ++i) {
        end -= content_.size();
      }
      token = token.substr(begin, end - begin);
    }
  }

 private:
  std::string content_;
  size_t start_;
  size_t stop_;
};

class Replace final : public Decoder {
 public:
  Replace(std::string pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void apply(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) replace_all(token, pattern_, content_);
  }

 private:
  std::string pattern_;
  std::string content_;
};

class Metaspace final : public Decoder {
 public:
  Metaspace(std::string replacement, bool drop_first)
      : replacement_(std::move(replacement)), drop_first_(drop_first) {}
  void apply(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i)
      replace_all(tokens[i], replacement_, i == 0 && drop_first_ ? "" : " ");
  }

 private:
  std::string replacement_;
  bool drop_first_;
};

class WordPiece final : public Decoder {
 public:
  WordPiece(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  void apply(std::vector<std::string>& tokens) const override {
    static constexpr std::pair<std::string_view, std::string_view> kTidy[] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) {
        if (tokens[i].starts_with(prefix_)) {
          tokens[i].erase(0, prefix_.size());
        } else {
          tokens[i].insert(0, 1, ' ');
        }
      }
      if (!cleanup_) continue;
      for (const auto& [pattern, content] : kTidy) replace_all(tokens[i], pattern, content);
    }
  }

 private:
  std::string prefix_;
  bool cleanup_;
};

class Suffix final : public Decoder {
 public:
  explicit Suffix(std::string suffix) : suffix_(std::move(suffix)) {}
  void apply(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i)
      replace_all(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
  }

 private:
  std::string suffix_;
};

class FirstMark final : public Decoder {
 public:
  explicit FirstMark(bool every) : every_(every) {}
  void apply(std::vector<std::string>& tokens) const override {
    static constexpr std::string_view kMark = "▁";
    for (std::string& token : tokens) {
      const bool marked = token.starts_with(kMark);
      if (marked) token.erase(0, kMark.size());
      if (!token.empty() || (marked && !every_)) return;
    }
  }

 private:
  bool every_;
};

}  // namespace

std::unique_ptr<Decoder> make_decoder_byte_level() { return std::make_unique<ByteLevel>(); }
std::unique_ptr<Decoder> make_decoder_bytes() { return std::make_unique<Bytes>(); }
std::unique_ptr<Decoder> make_decoder_byte_fallback() { return std::make_unique<ByteFallback>(); }
std::unique_ptr<Decoder> make_decoder_fuse() { return std::make_unique<Fuse>(); }
std::unique_ptr<Decoder> make_decoder_blanks() { return std::make_unique<Blanks>(); }

std::unique_ptr<Decoder> make_decoder_strip(char32_t content, size_t start, size_t stop) {
  return std::make_unique<Strip>(content, start, stop);
}

std::unique_ptr<Decoder> make_decoder_replace(std::string pattern, std::string content) {
  return std::make_unique<Replace>(std::move(pattern), std::move(content));
}

std::unique_ptr<Decoder> make_decoder_metaspace(std::string replacement, bool drop_first) {
  return std::make_unique<Metaspace>(std::move(replacement), drop_first);
}

std::unique_ptr<Decoder> make_decoder_word_piece(std::string prefix, bool cleanup) {
  return std::make_unique<WordPiece>(std::move(prefix), cleanup);
}

std::unique_ptr<Decoder> make_decoder_suffix(std::string suffix) {
  return std::make_unique<Suffix>(std::move(suffix));
}

std::unique_ptr<Decoder> make_decoder_first_mark(bool every) {
  return std::make_unique<FirstMark>(every);
}

}  // namespace fathom

#include "corpus/prose.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/hash.h"
#include "base/threads.h"
#include "corpus/fathom_prose.h"
#include "corpus/prose_clean.h"
#include "io/file.h"
#include "text/sentences.h"

namespace fathom {

namespace fs = std::filesystem;

// A book as paragraphs of sentences.
struct Prose::Text {
  std::string title;
  std::vector<std::vector<std::string>> paragraphs;
};

namespace {

// Longer ones, mostly in scripts without end marks, are cut at white space.
constexpr size_t kLongestSentence = 1500;

bool has_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0xC3 || ((c | 32) >= 'a' && (c | 32) <= 'z');
  });
}

// Where to cut a text that is too long: after a clause, a word, or at worst a character.
size_t cut_place(std::string_view text) {
  const std::string_view head = text.substr(0, kLongestSentence);
  for (const std::string_view mark : {"; ", ": ", ", ", " "}) {
    const size_t at = head.rfind(mark);
    if (at != std::string_view::npos && at > kLongestSentence / 4) return at + mark.size();
  }
  size_t at = kLongestSentence;
  while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

std::vector<std::string> sentences_of(std::string_view paragraph) {
  std::vector<std::string> sentences;
  for (const ByteSpan& span : split_sentences(paragraph)) {
    std::string_view rest = paragraph.substr(span.begin, span.end - span.begin);
    if (!has_letter(rest)) continue;
    while (rest.size() > kLongestSentence) {
      const size_t cut = cut_place(rest);
      std::string_view head = rest.substr(0, cut);
      while (head.ends_with(' ')) head.remove_suffix(1);
      sentences.emplace_back(head);
      rest.remove_prefix(cut);
    }
    if (!rest.empty()) sentences.emplace_back(rest);
  }
  return sentences;
}

// Text files that go along with a collection without being part of it.
bool is_about(const std::string& name) {
  std::string upper = name;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  for (const std::string_view start :
       {"README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG"})
    if (upper.starts_with(start)) return true;
  return false;
}

Result<std::vector<std::string>> text_files(const std::string& path) {
  if (!is_directory(path)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool text = name.ends_with(".txt") || name.ends_with(".md");
    std::error_code ignored;
    if (text && !name.starts_with('.') && !is_about(name) && entry->is_regular_file(ignored))
      files.push_back(entry->path().string());
  }
  if (error) return fail(ErrorCode::kIo, "{}: cannot list the folder: {}", path, error.message());
  std::sort(files.begin(), files.end());
  if (files.empty())
    return fail(ErrorCode::kInput,
                "{}: holds no *.txt or *.md file; give a folder of texts or one text file", path);
  return files;
}

}  // namespace

Result<std::shared_ptr<const Prose>> Prose::load(const std::string& path) {
  TRY(const std::vector<std::string> files, text_files(path));
  std::vector<Text> texts(files.size());
  std::vector<Result<void>> outcomes(files.size());
  parallel_for(files.size(), 0, [&](size_t i) {
    const auto bytes = read_file(files[i]);
    if (!bytes) {
      outcomes[i] = fail(bytes.error());
    } else if (bytes->find('\0') != std::string::npos) {
      outcomes[i] =
          fail(ErrorCode::kInput,
               "{}: holds zero bytes, so it is no UTF-8 text; convert it to UTF-8", files[i]);
    } else {
      texts[i].title = fs::path(files[i]).stem().string();
      for (const std::string& paragraph : clean_paragraphs(readable_text(*bytes))) {
        auto sentences = sentences_of(paragraph);
        if (!sentences.empty()) texts[i].paragraphs.push_back(std::move(sentences));
      }
    }
  });
  for (const Result<void>& outcome : outcomes) TRY_VOID(outcome);
  std::erase_if(texts, [](const Text& text) { return text.paragraphs.empty(); });
  if (texts.empty())
    return fail(
        ErrorCode::kInput,
        "{}: no running prose is left after headings, notes and licence text are taken out; "
        "give texts with whole sentences",
        path);
  return std::shared_ptr<const Prose>(
      new Prose(texts, {"essay", path, "", "as the owner of the texts states"}));
}

std::shared_ptr<const Prose> Prose::own() {
  static const std::shared_ptr<const Prose> prose = [] {
    std::vector<Text> texts;
    for (auto& book : write_fathom_prose())
      texts.push_back({fmt::format("fathom-prose {}", texts.size() + 1), std::move(book)});
    return std::shared_ptr<const Prose>(new Prose(
        texts, {"essay", "fathom", "", "written by fathom's own grammar, under fathom's licence"}));
  }();
  return prose;
}

Prose::Prose(const std::vector<Text>& texts, CorpusInfo info) : info_(std::move(info)) {
  size_t bytes = 0;
  for (const Text& text : texts)
    for (const auto& paragraph : text.paragraphs)
      for (const std::string& sentence : paragraph) bytes += sentence.size() + 1;
  text_.reserve(bytes);  // never grows, so that views stay where they are
  for (const Text& text : texts) {
    const auto book = static_cast<uint32_t>(books_.size());
    books_.push_back({text.title, static_cast<uint32_t>(sentences_.size()), 0});
    for (const auto& paragraph : text.paragraphs) {
      for (const std::string& sentence : paragraph) {
        const size_t begin = text_.size();
        text_ += sentence;
        sentences_.push_back(
            {std::string_view(text_).substr(begin), book, &sentence == paragraph.data()});
        text_ += &sentence == &paragraph.back() ? '\n' : ' ';
      }
    }
    books_.back().sentences =
        static_cast<uint32_t>(sentences_.size()) - books_.back().first_sentence;
  }
  info_.hash = hash_hex(text_);
}

Prose::~Prose() = default;

const ProseTokens& Prose::tokens(const Tokenizer& tokenizer) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [hash, table] : counted_)
    if (hash == tokenizer.info().hash) return *table;
  return *counted_
              .emplace_back(tokenizer.info().hash, std::make_unique<ProseTokens>(*this, tokenizer))
              .second;
}

ProseReader::ProseReader(std::shared_ptr<const Prose> prose, Random& random)
    : prose_(std::move(prose)) {
  const auto& sentences = prose_->sentences();
  start_ = random.below(sentences.size());
  while (!sentences[start_].starts_paragraph) --start_;  // the first sentence of all starts one
}

ProseReader::ProseReader(std::shared_ptr<const Prose> prose, uint64_t start)
    : prose_(std::move(prose)), start_(start) {}

}  // namespace fathom

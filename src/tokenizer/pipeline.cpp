#include "tokenizer/pipeline.h"

#include <algorithm>

#include "text/utf8.h"

namespace fathom {
namespace {

enum class Mode { kCount, kEncode, kSpans };

// Where one encoding goes.
struct Output {
  Mode mode = Mode::kCount;
  size_t count = 0;
  std::vector<TokenId>* ids = nullptr;
  std::vector<ByteSpan>* spans = nullptr;

  void add(TokenId id, ByteSpan span) {
    ++count;
    if (mode != Mode::kCount) ids->push_back(id);
    if (mode == Mode::kSpans) spans->push_back(span);
  }
};

// Valid text made from invalid, and how to get back.
struct Repaired {
  struct Patch {
    uint64_t repaired = 0;  // where U+FFFD stands
    uint64_t original = 0;  // the bytes it stands for
    uint64_t size = 0;
  };
  std::string text;
  std::vector<Patch> patches;

  explicit Repaired(std::string_view bytes) {
    for (size_t at = 0; at < bytes.size();) {
      if (const size_t invalid = invalid_utf8_prefix(bytes.substr(at)); invalid > 0) {
        patches.push_back({text.size(), at, invalid});
        text += kReplacementText;
        at += invalid;
      } else {
        const size_t size = utf8_size(bytes[at]);
        text.append(bytes, at, size);
        at += size;
      }
    }
  }

  // `up`: a position inside a replacement goes to the end of what it replaced, else to its start.
  [[nodiscard]] uint64_t original(uint64_t position, bool up) const {
    auto patch = std::ranges::upper_bound(patches, position, {}, &Patch::repaired);
    if (patch == patches.begin()) return position;
    --patch;
    const uint64_t offset = position - patch->repaired;
    if (offset >= kReplacementText.size())
      return patch->original + patch->size + (offset - kReplacementText.size());
    return offset > 0 && up ? patch->original + patch->size : patch->original;
  }
};

class PipelineTokenizer final : public Tokenizer {
 public:
  explicit PipelineTokenizer(Pipeline pipeline) : parts_(std::move(pipeline)) {
    parts_.info.vocabulary_size = parts_.spellings.size();
    for (std::string& path : parts_.model->slow_paths())
      parts_.info.slow_paths.push_back(std::move(path));
    plain_ = parts_.normalizers.empty() && parts_.pre_tokenizers.empty() &&
             parts_.added_normalized.empty();
    for (const auto& stage : parts_.pre_tokenizers)
      needs_origins_ = needs_origins_ || stage->needs_origins();
  }

  void encode(std::string_view text, const EncodeOptions& options,
              std::vector<TokenId>& ids) const override {
    Output output{.mode = Mode::kEncode, .count = 0, .ids = &ids, .spans = nullptr};
    if (is_valid_utf8(text)) return run(text, options, output);
    run(Repaired(text).text, options, output);
  }

  [[nodiscard]] size_t count(std::string_view text, const EncodeOptions& options) const override {
    Output output;
    if (is_valid_utf8(text)) {
      run(text, options, output);
    } else {
      run(Repaired(text).text, options, output);
    }
    return output.count;
  }

  void encode_with_spans(std::string_view text, const EncodeOptions& options,
                         std::vector<TokenId>& ids, std::vector<ByteSpan>& spans) const override {
    Output output{.mode = Mode::kSpans, .count = 0, .ids = &ids, .spans = &spans};
    if (is_valid_utf8(text)) return run(text, options, output);
    const Repaired repaired(text);
    const size_t first = spans.size();
    run(repaired.text, options, output);
    for (size_t i = first; i < spans.size(); ++i) {
      const bool empty = spans[i].begin == spans[i].end;
      const uint64_t begin = repaired.original(spans[i].begin, false);
      spans[i] = {begin, empty ? begin : repaired.original(spans[i].end, true)};
    }
  }

  [[nodiscard]] std::string decode(const std::vector<TokenId>& ids,
                                   bool skip_special) const override {
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const TokenId id : ids) {
      if (id >= parts_.spellings.size() || parts_.spellings[id].empty()) continue;
      if (skip_special && parts_.special[id]) continue;
      tokens.push_back(parts_.pieces.empty() ? parts_.spellings[id] : parts_.pieces[id]);
    }
    for (const auto& decoder : parts_.decoders) decoder->apply(tokens);
    std::string text;
    for (const std::string& token : tokens) text += token;
    return text;
  }

  [[nodiscard]] std::string token_text(TokenId id) const override {
    return id < parts_.spellings.size() ? parts_.spellings[id] : std::string();
  }

  [[nodiscard]] const TokenizerInfo& info() const override { return parts_.info; }

 private:
  void run(std::string_view text, const EncodeOptions& options, Output& output) const {
    if (options.add_special) {
      for (const TokenId id : parts_.before) output.add(id, {0, 0});
    }
    size_t last = 0;
    parts_.added.find(text, options.parse_special, [&](const AddedMatch& match) {
      if (match.begin > last)
        encode_ordinary(text.substr(last, match.begin - last), last, options, output);
      output.add(match.id, {match.begin, match.end});
      last = match.end;
    });
    if (last < text.size()) encode_ordinary(text.substr(last), last, options, output);
    if (options.add_special) {
      for (const TokenId id : parts_.after) output.add(id, {text.size(), text.size()});
    }
  }

  // Text between added tokens; `offset` is where it stands in the whole.
  void encode_ordinary(std::string_view text, size_t offset, const EncodeOptions& options,
                       Output& output) const {
    if (plain_) {
      encode_segment(
          text,
          [&](uint64_t begin, uint64_t end) {
            return ByteSpan{offset + begin, offset + end};
          },
          output);
      return;
    }
    static thread_local MappedText normalized;
    normalized.assign(text, offset, output.mode == Mode::kSpans || needs_origins_);
    for (const auto& normalizer : parts_.normalizers) normalizer->apply(normalized);
    if (parts_.added_normalized.empty()) return encode_normalized(normalized, output);

    const auto encode_part = [&](size_t begin, size_t end) {
      if (begin >= end) return;
      static thread_local MappedText part;
      part.assign_part(normalized, begin, end);
      encode_normalized(part, output);
    };
    const std::string_view inside = normalized.text();
    const bool tracked = normalized.tracked();
    size_t last = 0;
    parts_.added_normalized.find(inside, options.parse_special, [&](const AddedMatch& match) {
      encode_part(last, match.begin);
      output.add(match.id, tracked ? normalized.origin(match.begin, match.end) : ByteSpan{});
      last = match.end;
    });
    encode_part(last, inside.size());
  }

  void encode_normalized(MappedText& text, Output& output) const {
    if (text.text().empty()) return;
    static thread_local std::vector<Piece> pieces;
    pieces.assign(1, Piece{0, text.text().size()});
    for (const auto& stage : parts_.pre_tokenizers) stage->apply(text, pieces);
    for (const Piece piece : pieces) {
      encode_segment(
          text.text().substr(piece.begin, piece.end - piece.begin),
          [&](uint64_t begin, uint64_t end) {
            return text.origin(piece.begin + begin, piece.begin + end);
          },
          output);
    }
  }

  template <typename Origin>
  void encode_segment(std::string_view segment, const Origin& origin, Output& output) const {
    switch (output.mode) {
      case Mode::kCount:
        output.count += parts_.model->count(segment);
        return;
      case Mode::kEncode:
        parts_.model->encode(segment, *output.ids);
        return;
      case Mode::kSpans:
        break;
    }
    static thread_local std::vector<uint64_t> ends;
    ends.clear();
    parts_.model->encode_with_ends(segment, *output.ids, ends);
    uint64_t begin = 0;
    for (const uint64_t end : ends) {
      output.spans->push_back(origin(begin, end));
      begin = end;
    }
  }

  Pipeline parts_;
  bool plain_ = false;          // the model sees the text as it is
  bool needs_origins_ = false;  // even where spans are not wanted
};

}  // namespace

std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline pipeline) {
  return std::make_shared<PipelineTokenizer>(std::move(pipeline));
}

}  // namespace fathom

#include "tokenizer/sentencepiece_file.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "text/utf8.h"
#include "tokenizer/byte_token.h"
#include "tokenizer/pipeline.h"
#include "tokenizer/protobuf_reader.h"
#include "tokenizer/score_bpe.h"
#include "tokenizer/sentencepiece_normalizer.h"
#include "tokenizer/unigram.h"

namespace fathom {
namespace {

constexpr float kUnknownPenalty = 10.0F;
constexpr size_t kMaxPieces = size_t{1} << 24;

// Kinds as the format numbers them.
enum class PieceKind : uint64_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6
};
enum class ModelKind : uint64_t { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };

struct ModelPiece {
  std::string text;
  float score = 0;
  uint64_t kind = static_cast<uint64_t>(PieceKind::kNormal);

  [[nodiscard]] bool is(PieceKind wanted) const { return kind == static_cast<uint64_t>(wanted); }
};

struct ModelFile {
  std::vector<ModelPiece> pieces;
  uint64_t kind = static_cast<uint64_t>(ModelKind::kUnigram);
  bool byte_fallback = false;
  SentencePieceRules rules;
  std::string map;
};

// Reads one message, field by field. Errors name the byte.
template <typename Field>
Result<void> read_message(std::string_view bytes, const std::string& path, std::string_view what,
                          const Field& field) {
  ProtobufReader reader(bytes);
  while (reader.next()) field(reader);
  if (!reader.damaged()) return {};
  return fail(ErrorCode::kInput,
              "{}: byte {} of {}: not a SentencePiece model, or damaged; fetch the file again",
              path, reader.offset(), what);
}

Result<void> read_piece(std::string_view bytes, const std::string& path, ModelFile& model) {
  ModelPiece piece;
  TRY_VOID(read_message(bytes, path, fmt::format("piece {}", model.pieces.size()),
                        [&](const ProtobufReader& reader) {
                          if (reader.field() == 1) piece.text = reader.bytes();
                          if (reader.field() == 2) piece.score = reader.real();
                          if (reader.field() == 3) piece.kind = reader.number();
                        }));
  if (!is_valid_utf8(piece.text) || piece.text.empty()) {
    return fail(ErrorCode::kInput,
                "{}: piece {}: its text is empty or not UTF-8; the file is damaged", path,
                model.pieces.size());
  }
  if (model.pieces.size() >= kMaxPieces)
    return fail(ErrorCode::kInput, "{}: more than {} pieces", path, kMaxPieces);
  model.pieces.push_back(std::move(piece));
  return {};
}

Result<ModelFile> read_file_message(std::string_view bytes, const std::string& path) {
  ModelFile model;
  Result<void> inner;
  const auto keep = [&](Result<void> result) {
    if (inner && !result) inner = std::move(result);
  };
  TRY_VOID(read_message(bytes, path, "the file", [&](const ProtobufReader& reader) {
    if (!inner) return;
    if (reader.field() == 1) keep(read_piece(reader.bytes(), path, model));
    if (reader.field() == 2) {
      keep(read_message(reader.bytes(), path, "the trainer settings",
                        [&](const ProtobufReader& trainer) {
                          if (trainer.field() == 3) model.kind = trainer.number();
                          if (trainer.field() == 24)
                            model.rules.whitespace_as_suffix = trainer.number() != 0;
                          if (trainer.field() == 35) model.byte_fallback = trainer.number() != 0;
                        }));
    }
    if (reader.field() == 3) {
      keep(read_message(reader.bytes(), path, "the normalizer settings",
                        [&](const ProtobufReader& normalizer) {
                          if (normalizer.field() == 2) model.map = normalizer.bytes();
                          if (normalizer.field() == 3)
                            model.rules.add_dummy_prefix = normalizer.number() != 0;
                          if (normalizer.field() == 4)
                            model.rules.remove_extra_whitespaces = normalizer.number() != 0;
                          if (normalizer.field() == 5)
                            model.rules.escape_whitespaces = normalizer.number() != 0;
                        }));
    }
  }));
  if (!inner) return fail(inner.error());
  if (model.pieces.empty()) {
    return fail(ErrorCode::kInput, "{}: no pieces: not a SentencePiece model; fetch the file again",
                path);
  }
  return model;
}

std::unique_ptr<SegmentEncoder> build_unigram(const ModelFile& model, TokenId unknown,
                                              const std::array<TokenId, 256>& bytes) {
  UnigramVocabulary vocabulary;
  vocabulary.rules = UnigramRules::kSentencePiece;
  vocabulary.unknown = unknown;
  vocabulary.byte_fallback = model.byte_fallback;
  vocabulary.byte_tokens = bytes;
  float worst = std::numeric_limits<float>::max();
  float best = std::numeric_limits<float>::lowest();
  for (const ModelPiece& piece : model.pieces) {
    if (!piece.is(PieceKind::kNormal)) continue;
    worst = std::min(worst, piece.score);
    best = std::max(best, piece.score);
  }
  for (const ModelPiece& piece : model.pieces) {
    const bool user = piece.is(PieceKind::kUserDefined);
    // The reference prefers user-defined pieces this way.
    const double score = user ? static_cast<float>(piece.text.size()) * best - 0.1
                              : static_cast<double>(piece.score);
    vocabulary.pieces.push_back(
        {.text = piece.text, .score = score, .matches = user || piece.is(PieceKind::kNormal)});
  }
  vocabulary.unknown_score = worst - kUnknownPenalty;
  return make_unigram(std::move(vocabulary));
}

Result<std::unique_ptr<SegmentEncoder>> build_bpe(const ModelFile& model, TokenId unknown,
                                                  const std::array<TokenId, 256>& bytes) {
  ScoreBpeVocabulary vocabulary;
  vocabulary.unknown = unknown;
  vocabulary.byte_tokens = bytes;
  for (const ModelPiece& piece : model.pieces) {
    vocabulary.pieces.push_back(
        {.text = piece.text, .score = piece.score, .merges = piece.is(PieceKind::kNormal)});
  }
  return make_score_bpe(std::move(vocabulary));
}

void set_decoding(const ModelFile& model, Pipeline& pipeline) {
  for (const ModelPiece& piece : model.pieces) {
    std::string text = piece.text;
    if (piece.is(PieceKind::kUnknown))
      text = " \xE2\x81\x87 ";  // as the reference shows unknown pieces
    if (piece.is(PieceKind::kControl)) text.clear();
    pipeline.pieces.push_back(std::move(text));
    pipeline.spellings.push_back(piece.text);
    pipeline.special.push_back(piece.is(PieceKind::kControl));
  }
  if (model.rules.add_dummy_prefix || model.rules.remove_extra_whitespaces) {
    pipeline.decoders.push_back(make_decoder_first_mark(model.rules.remove_extra_whitespaces));
  }
  pipeline.decoders.push_back(make_decoder_replace("▁", " "));
  pipeline.decoders.push_back(make_decoder_byte_fallback());
  pipeline.decoders.push_back(make_decoder_fuse());
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> load_sentencepiece(std::string_view bytes,
                                                            const std::string& path) {
  TRY(ModelFile model, read_file_message(bytes, path));
  TokenId unknown = kNoToken;
  std::array<TokenId, 256> byte_tokens{};
  byte_tokens.fill(kNoToken);
  std::vector<AddedToken> user_defined;
  for (TokenId id = 0; id < model.pieces.size(); ++id) {
    const ModelPiece& piece = model.pieces[id];
    if (piece.is(PieceKind::kUnknown)) unknown = id;
    if (piece.is(PieceKind::kUnused)) {
      return fail(ErrorCode::kInput,
                  "{}: piece {}: unused pieces are not supported; train the model without them",
                  path, id);
    }
    if (const auto byte = piece.is(PieceKind::kByte) ? byte_of_token(piece.text) : std::nullopt)
      byte_tokens[*byte] = id;
    if (!piece.is(PieceKind::kUserDefined)) continue;
    if (piece.text.size() > AddedTokens::kMaxBytes) {
      return fail(ErrorCode::kInput,
                  "{}: piece {}: a user-defined piece of {} bytes is not supported", path, id,
                  piece.text.size());
    }
    model.rules.user_defined.push_back(piece.text);
    user_defined.push_back({.id = id, .content = piece.text});
  }
  if (unknown == kNoToken)
    return fail(ErrorCode::kInput, "{}: the model has no unknown piece; the file is damaged", path);

  Pipeline pipeline;
  if (model.kind == static_cast<uint64_t>(ModelKind::kUnigram)) {
    pipeline.info.kind = "Unigram";
    pipeline.model = build_unigram(model, unknown, byte_tokens);
  } else if (model.kind == static_cast<uint64_t>(ModelKind::kBpe)) {
    pipeline.info.kind = model.byte_fallback ? "BPE with byte fallback" : "BPE over characters";
    if (!model.byte_fallback) byte_tokens.fill(kNoToken);
    auto encoder = build_bpe(model, unknown, byte_tokens);
    if (!encoder) return fail(with_context(encoder.error(), path));
    pipeline.model = std::move(*encoder);
    pipeline.added_normalized = AddedTokens(std::move(user_defined), AddedOrder::kLeftmostLongest);
  } else {
    return fail(
        ErrorCode::kInput,
        "{}: SentencePiece model type {} (word or character) is not supported; BPE and Unigram are",
        path, model.kind);
  }
  auto map = CharactersMap::parse(model.map);
  if (!map) return fail(with_context(map.error(), path));
  set_decoding(model, pipeline);
  pipeline.normalizers.push_back(
      make_sentencepiece_normalizer(std::move(*map), std::move(model.rules)));
  pipeline.info.source = path;
  pipeline.info.hash = hash_hex(bytes);
  return make_tokenizer(std::move(pipeline));
}

}  // namespace fathom

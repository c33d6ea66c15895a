// The model section of tokenizer.json: vocabulary, merges, scores.
#include <limits>

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/byte_token.h"
#include "tokenizer/huggingface.h"
#include "tokenizer/spelling_index.h"
#include "tokenizer/unigram.h"
#include "tokenizer/word_piece.h"

namespace fathom {
namespace {

constexpr int64_t kMaxId =
    (1 << 24) - 1;  // far above every vocabulary; keeps a damaged id from asking for gigabytes
constexpr size_t kMaxModelStages = 8;  // splits that a byte-level encoder takes
constexpr double kUnknownPenalty =
    10.0;  // Unigram: an unknown character costs this more than the worst piece

// {"token": id, …} → spellings by id.
Result<std::vector<std::string>> read_vocabulary(const JsonPlace& model) {
  TRY(const auto vocabulary, model.at("vocab"));
  TRY(const auto members, vocabulary.object());
  std::vector<std::string> spellings;
  spellings.reserve(members.size());
  for (const auto [token, value] : members) {
    int64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS || id < 0 || id > kMaxId) {
      return vocabulary.error(
          fmt::format("the id of '{}' must be an integer from 0 to {}", token, kMaxId));
    }
    if (token.empty()) continue;
    if (static_cast<size_t>(id) >= spellings.size()) spellings.resize(static_cast<size_t>(id) + 1);
    std::string& spelling = spellings[static_cast<size_t>(id)];
    if (!spelling.empty())
      return vocabulary.error(
          fmt::format("'{}' and '{}' have the same id {}", spelling, token, id));
    spelling = token;
  }
  if (spellings.empty()) return vocabulary.error("is empty");
  return spellings;
}

// One entry of "merges": "a b" or ["a", "b"].
bool split_merge(simdjson::dom::element value, std::string_view& left, std::string_view& right) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    const size_t blank = text.find(' ');
    if (blank == std::string_view::npos || text.find(' ', blank + 1) != std::string_view::npos)
      return false;
    left = text.substr(0, blank);
    right = text.substr(blank + 1);
    return true;
  }
  simdjson::dom::array pair;
  if (value.get(pair) != simdjson::SUCCESS || pair.size() != 2) return false;
  return pair.at(0).get(left) == simdjson::SUCCESS && pair.at(1).get(right) == simdjson::SUCCESS;
}

Result<std::vector<BpeMerge>> read_merges(const JsonPlace& model, const SpellingIndex& index) {
  TRY(const auto place, model.at("merges"));
  TRY(const auto values, place.array());
  std::vector<BpeMerge> merges;
  std::string joined;
  size_t number = 0;
  for (const auto value : values) {
    std::string_view left;
    std::string_view right;
    if (!split_merge(value, left, right)) {
      return place.item(value, number).error("must be two tokens: \"a b\" or [\"a\", \"b\"]");
    }
    joined.assign(left).append(right);
    const BpeMerge merge{
        .left = index.find(left), .right = index.find(right), .result = index.find(joined)};
    if (merge.left == kNoToken || merge.right == kNoToken || merge.result == kNoToken) {
      const std::string_view missing = merge.left == kNoToken    ? left
                                       : merge.right == kNoToken ? right
                                                                 : joined;
      return place.item(value, number)
          .error(fmt::format("'{}' is not in the vocabulary; the file is damaged", missing));
    }
    merges.push_back(merge);
    ++number;
  }
  return merges;
}

// Options of BPE that fathom does not reproduce.
Result<void> check_bpe_options(const JsonPlace& model) {
  if (const auto dropout = model.find("dropout")) {
    TRY(const double value, dropout->number());
    if (value != 0) return dropout->error("BPE dropout makes ids random; set it to null");
  }
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    TRY(const auto value, model.text_or(key, ""));
    if (!value.empty()) {
      return model.error(
          fmt::format("'{}' is not supported; use the server's own token count", key));
    }
  }
  return {};
}

// The byte-level alphabet undone. Tokens with other characters cannot come out of merging: gaps.
std::vector<std::string> raw_tokens(const std::vector<std::string>& spellings) {
  std::vector<std::string> tokens(spellings.size());
  for (size_t id = 0; id < spellings.size(); ++id) {
    if (auto bytes = bytes_of_spelling(spellings[id])) tokens[id] = std::move(*bytes);
  }
  return tokens;
}

Result<TokenId> find_unknown(const JsonPlace& model, const SpellingIndex& index) {
  const auto place = model.find("unk_token");
  if (!place) return kNoToken;
  TRY(const auto text, place->text());
  const TokenId id = index.find(text);
  if (id == kNoToken && !text.empty())
    return place->error(fmt::format("'{}' is not in the vocabulary", text));
  return id;
}

// Every step that the encoder does not do itself, as a stage of its own.
Result<void> move_steps(PreTokenizerPlan& plan, size_t count,
                        std::vector<std::unique_ptr<PreTokenizer>>& out) {
  for (size_t i = 0; i < count; ++i) {
    PreTokenizerStep& step = plan.steps[i];
    if (step.pattern) {
      TRY(auto stage, make_split_regex(*step.pattern, SplitBehavior::kIsolated, false));
      out.push_back(std::move(stage));
    } else {
      out.push_back(std::move(step.general));
    }
  }
  return {};
}

Result<HuggingFaceModel> read_bpe(const JsonPlace& place, PreTokenizerPlan plan) {
  TRY_VOID(check_bpe_options(place));
  HuggingFaceModel model;
  TRY(model.spellings, read_vocabulary(place));
  const SpellingIndex index(model.spellings);
  BpeVocabulary vocabulary;
  TRY(vocabulary.merges, read_merges(place, index));
  TRY(vocabulary.unknown, find_unknown(place, index));
  TRY(vocabulary.ignore_merges, place.boolean_or("ignore_merges", false));
  TRY(vocabulary.fuse_unknown, place.boolean_or("fuse_unk", false));
  TRY(const bool byte_fallback, place.boolean_or("byte_fallback", false));
  vocabulary.byte_tokens.fill(kNoToken);
  if (byte_fallback) {
    for (TokenId id = 0; id < model.spellings.size(); ++id) {
      if (const auto byte = byte_of_token(model.spellings[id])) vocabulary.byte_tokens[*byte] = id;
    }
  }
  if (!plan.byte_level) {
    model.kind = byte_fallback ? "BPE with byte fallback" : "BPE over characters";
    TRY_VOID(move_steps(plan, plan.steps.size(), model.pre_tokenizers));
    vocabulary.tokens = model.spellings;
    TRY(model.encoder, make_byte_fallback_bpe(std::move(vocabulary)));
    return model;
  }
  model.kind = "byte-level BPE";
  vocabulary.tokens = raw_tokens(model.spellings);
  size_t first = plan.steps.size();  // from here on the encoder splits by itself
  while (first > 0 && plan.steps.size() - first < kMaxModelStages && plan.steps[first - 1].pattern)
    --first;
  TRY_VOID(move_steps(plan, first, model.pre_tokenizers));
  std::vector<SplitStage> stages;
  for (size_t i = first; i < plan.steps.size(); ++i) stages.push_back({*plan.steps[i].pattern});
  TRY(model.encoder, make_byte_level_bpe(std::move(vocabulary), stages));
  return model;
}

Result<HuggingFaceModel> read_unigram(const JsonPlace& place, PreTokenizerPlan plan) {
  HuggingFaceModel model;
  model.kind = "Unigram";
  UnigramVocabulary vocabulary;
  TRY(const auto list, place.at("vocab"));
  TRY(const auto entries, list.array());
  double worst = std::numeric_limits<double>::infinity();
  for (const auto entry : entries) {
    simdjson::dom::array pair;
    std::string_view text;
    double score = 0;
    const bool good = entry.get(pair) == simdjson::SUCCESS && pair.size() == 2 &&
                      pair.at(0).get(text) == simdjson::SUCCESS &&
                      pair.at(1).get(score) == simdjson::SUCCESS;
    if (!good) return list.item(entry, vocabulary.pieces.size()).error("must be [piece, score]");
    worst = std::min(worst, score);
    vocabulary.pieces.push_back({.text = std::string(text), .score = score, .matches = true});
    model.spellings.emplace_back(text);
  }
  TRY(const auto unknown, place.at("unk_id"));
  TRY(const int64_t unknown_id, unknown.integer());
  if (unknown_id < 0 || unknown_id >= std::ssize(vocabulary.pieces)) {
    return unknown.error(fmt::format("must be an id of the vocabulary (0 to {})",
                                     std::ssize(vocabulary.pieces) - 1));
  }
  vocabulary.unknown = static_cast<TokenId>(unknown_id);
  vocabulary.unknown_score = worst - kUnknownPenalty;
  TRY(vocabulary.byte_fallback, place.boolean_or("byte_fallback", false));
  vocabulary.byte_tokens.fill(kNoToken);
  for (TokenId id = 0; id < model.spellings.size(); ++id) {
    if (const auto byte = byte_of_token(model.spellings[id])) vocabulary.byte_tokens[*byte] = id;
  }
  TRY_VOID(move_steps(plan, plan.steps.size(), model.pre_tokenizers));
  model.encoder = make_unigram(std::move(vocabulary));
  return model;
}

Result<HuggingFaceModel> read_word_piece(const JsonPlace& place, PreTokenizerPlan plan) {
  HuggingFaceModel model;
  model.kind = "WordPiece";
  TRY(model.spellings, read_vocabulary(place));
  WordPieceVocabulary vocabulary;
  vocabulary.tokens = model.spellings;
  TRY(vocabulary.continuation, place.text_or("continuing_subword_prefix", "##"));
  const SpellingIndex index(model.spellings);
  TRY(vocabulary.unknown, find_unknown(place, index));
  if (vocabulary.unknown == kNoToken) return place.error("'unk_token' is missing");
  if (const auto limit = place.find("max_input_chars_per_word")) {
    TRY(const int64_t value, limit->integer());
    if (value < 0) return limit->error("must not be negative");
    vocabulary.max_characters = static_cast<size_t>(value);
  }
  TRY_VOID(move_steps(plan, plan.steps.size(), model.pre_tokenizers));
  model.encoder = make_word_piece(vocabulary);
  return model;
}

// Files of early versions leave the type out.
std::string_view guess_type(const JsonPlace& place) {
  if (place.find("merges")) return "BPE";
  return place.find("unk_id") ? "Unigram" : "WordPiece";
}

}  // namespace

Result<HuggingFaceModel> read_model(const JsonPlace& top, PreTokenizerPlan plan) {
  TRY(const auto place, top.at("model"));
  if (!place.is_object()) return place.error("must be an object");
  TRY(const auto type, place.text_or("type", guess_type(place)));
  if (plan.byte_level && type != "BPE")
    return place.error(fmt::format("'{}' after ByteLevel is not supported", type));
  auto model = [&]() -> Result<HuggingFaceModel> {
    if (type == "BPE") return read_bpe(place, std::move(plan));
    if (type == "Unigram") return read_unigram(place, std::move(plan));
    if (type == "WordPiece") return read_word_piece(place, std::move(plan));
    return place.error(
        fmt::format("the model '{}' is not supported (BPE, Unigram and WordPiece are)", type));
  }();
  if (!model && !model.error().message.starts_with(place.file()))
    return place.error(model.error().message);
  return model;
}

}  // namespace fathom

#include "tokenizer/huggingface.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "tokenizer/spelling_index.h"

namespace fathom {
namespace {

Result<AddedToken> read_added_token(const JsonPlace& place) {
  AddedToken token;
  TRY(const auto content, place.at("content"));
  TRY(token.content, content.text());
  if (token.content.size() > AddedTokens::kMaxBytes) {
    return content.error(fmt::format("an added token of {} bytes is not supported (at most {})",
                                     token.content.size(), AddedTokens::kMaxBytes));
  }
  TRY(token.single_word, place.boolean_or("single_word", false));
  TRY(token.lstrip, place.boolean_or("lstrip", false));
  TRY(token.rstrip, place.boolean_or("rstrip", false));
  TRY(token.special, place.boolean_or("special", false));
  TRY(token.normalized, place.boolean_or("normalized", !token.special));
  return token;
}

// Ids as the reference gives them: the vocabulary's where it has the token, else the next free one.
// The file's own "id" only agrees.
class AddedIds {
 public:
  explicit AddedIds(const std::vector<std::string>& spellings) : index_(spellings) {
    base_ = static_cast<TokenId>(
        std::ranges::count_if(spellings, [](const std::string& s) { return !s.empty(); }));
  }

  // kNoToken: added before.
  TokenId assign(const std::string& content) {
    if (ids_.contains(content)) return kNoToken;
    TokenId id = index_.find(content);
    if (id == kNoToken) id = ids_.empty() || highest_ < base_ ? base_ : highest_ + 1;
    ids_.emplace(content, id);
    highest_ = ids_.size() == 1 ? id : std::max(highest_, id);
    return id;
  }

 private:
  SpellingIndex index_;
  std::unordered_map<std::string, TokenId> ids_;
  TokenId base_ = 0;
  TokenId highest_ = 0;
};

Result<std::vector<AddedToken>> read_added_tokens(const JsonPlace& top,
                                                  const std::vector<std::string>& spellings) {
  std::vector<AddedToken> tokens;
  const auto list = top.find("added_tokens");
  if (!list) return tokens;
  TRY(const auto values, list->array());
  AddedIds ids(spellings);
  size_t number = 0;
  for (const auto value : values) {
    const JsonPlace place = list->item(value, number++);
    TRY(AddedToken token, read_added_token(place));
    if (token.content.empty()) continue;
    token.id = ids.assign(token.content);
    if (token.id != kNoToken) tokens.push_back(std::move(token));
  }
  return tokens;
}

void place_added_tokens(std::vector<AddedToken> tokens, Pipeline& pipeline) {
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalized;
  for (AddedToken& token : tokens) {
    if (token.id >= pipeline.spellings.size()) pipeline.spellings.resize(token.id + 1);
    pipeline.special.resize(pipeline.spellings.size(), false);
    pipeline.spellings[token.id] = token.content;
    if (token.special) pipeline.special[token.id] = true;
    if (!token.normalized) {
      raw.push_back(std::move(token));
      continue;
    }
    MappedText content;
    content.assign(token.content, 0, false);
    for (const auto& normalizer : pipeline.normalizers) normalizer->apply(content);
    token.content = content.text();
    normalized.push_back(std::move(token));
  }
  pipeline.special.resize(pipeline.spellings.size(), false);
  pipeline.added = AddedTokens(std::move(raw), AddedOrder::kLeftmostLongest);
  pipeline.added_normalized = AddedTokens(std::move(normalized), AddedOrder::kLeftmostLongest);
}

Result<void> check_template_ids(const JsonPlace& top, const Pipeline& pipeline) {
  for (const auto* ids : {&pipeline.before, &pipeline.after}) {
    for (const TokenId id : *ids) {
      if (id >= pipeline.spellings.size() || pipeline.spellings[id].empty()) {
        return top.error(fmt::format("post_processor: id {} is not in the vocabulary", id));
      }
    }
  }
  return {};
}

// Settings that change what a caller gets but not what the text's tokens are.
void note_left_out(const JsonPlace& top, TokenizerInfo& info) {
  for (const char* key : {"truncation", "padding"}) {
    if (top.find(key)) info.notes.push_back(fmt::format("the file's {} is not applied", key));
  }
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> load_huggingface(const JsonPlace& top,
                                                          std::string_view bytes) {
  Pipeline pipeline;
  TRY(pipeline.normalizers, read_normalizers(top));
  TRY(PreTokenizerPlan plan, read_pre_tokenizers(top));
  TRY(HuggingFaceModel model, read_model(top, std::move(plan)));
  TRY(auto added, read_added_tokens(top, model.spellings));
  pipeline.info.kind = std::move(model.kind);
  pipeline.info.source = top.file();
  pipeline.info.hash = hash_hex(bytes);
  pipeline.model = std::move(model.encoder);
  pipeline.pre_tokenizers = std::move(model.pre_tokenizers);
  pipeline.spellings = std::move(model.spellings);
  place_added_tokens(std::move(added), pipeline);
  TRY_VOID(read_post_processor(top, pipeline));
  TRY_VOID(check_template_ids(top, pipeline));
  TRY(pipeline.decoders, read_decoders(top));
  note_left_out(top, pipeline.info);
  return make_tokenizer(std::move(pipeline));
}

}  // namespace fathom

#include "tokenizer/rank_files.h"

#include <charconv>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "io/file.h"
#include "tokenizer/base64.h"
#include "tokenizer/pipeline.h"
#include "tokenizer/published_patterns.h"

namespace fathom {
namespace {

constexpr uint32_t kMaxRank = (1U << 24) - 1;

using Specials = std::vector<std::pair<std::string, TokenId>>;

// A published vocabulary, told by the number of its ranks.
struct Published {
  size_t ranks = 0;
  std::string_view pattern;
  Specials (*specials)() = nullptr;
};

Specials llama3_specials() {
  Specials specials = {{"<|begin_of_text|>", 128000},
                       {"<|end_of_text|>", 128001},
                       {"<|reserved_special_token_0|>", 128002},
                       {"<|reserved_special_token_1|>", 128003},
                       {"<|finetune_right_pad_id|>", 128004},
                       {"<|reserved_special_token_2|>", 128005},
                       {"<|start_header_id|>", 128006},
                       {"<|end_header_id|>", 128007},
                       {"<|eom_id|>", 128008},
                       {"<|eot_id|>", 128009},
                       {"<|python_tag|>", 128010}};
  for (TokenId id = 128011; id < 128256; ++id)
    specials.emplace_back(fmt::format("<|reserved_special_token_{}|>", id - 128008), id);
  return specials;
}

const Published kPublished[] = {
    {50256, kGpt2Pattern,
     [] {
       return Specials{{"<|endoftext|>", 50256}};
     }},
    {50280, kGpt2Pattern,
     [] {
       return Specials{{"<|endoftext|>", 50256}};
     }},
    {100256, kCl100kPattern,
     [] {
       return Specials{{"<|endoftext|>", 100257},
                       {"<|fim_prefix|>", 100258},
                       {"<|fim_middle|>", 100259},
                       {"<|fim_suffix|>", 100260},
                       {"<|endofprompt|>", 100276}};
     }},
    {128000, kLlama3Pattern, llama3_specials},
    {151643, kQwen2Pattern,
     [] {
       return Specials{{"<|endoftext|>", 151643}, {"<|im_start|>", 151644}, {"<|im_end|>", 151645}};
     }},
    {199998, kO200kPattern, [] {
       return Specials{{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}};
     }}};

Result<void> put_token(std::vector<std::string>& tokens, size_t id, std::string token,
                       const std::string& where) {
  if (id > kMaxRank)
    return fail(ErrorCode::kInput, "{}: rank {} is too large (at most {})", where, id, kMaxRank);
  if (id >= tokens.size()) tokens.resize(id + 1);
  if (!tokens[id].empty()) return fail(ErrorCode::kInput, "{}: rank {} occurs twice", where, id);
  tokens[id] = std::move(token);
  return {};
}

Result<std::vector<std::string>> read_ranks(std::string_view bytes, const std::string& path,
                                            size_t& count) {
  std::vector<std::string> tokens;
  size_t number = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const size_t blank = line.find(' ');
    const auto token = decode_base64(line.substr(0, blank));
    uint32_t rank = 0;
    const char* first =
        blank == std::string_view::npos ? line.data() + line.size() : line.data() + blank + 1;
    const auto [stop, error] = std::from_chars(first, line.data() + line.size(), rank);
    if (!token || token->empty() || error != std::errc() || stop != line.data() + line.size()) {
      return fail(ErrorCode::kInput,
                  "{}:{}: must be 'BASE64 RANK'; the file is damaged, fetch it again", path,
                  number);
    }
    TRY_VOID(put_token(tokens, rank, *token, fmt::format("{}:{}", path, number)));
    ++count;
  }
  return tokens;
}

// Byte-level BPE by ranks, with special tokens beside it.
Result<std::shared_ptr<const Tokenizer>> build(Pipeline pipeline, std::vector<std::string> tokens,
                                               const std::string& pattern,
                                               const Specials& specials) {
  pipeline.spellings = tokens;
  BpeVocabulary vocabulary;
  vocabulary.tokens = std::move(tokens);
  vocabulary.merges_by_rank = true;
  vocabulary.ignore_merges = true;
  vocabulary.byte_tokens.fill(kNoToken);
  auto model = make_byte_level_bpe(std::move(vocabulary), {{pattern}});
  if (!model) return fail(with_context(model.error(), pipeline.info.source));
  pipeline.model = std::move(*model);
  std::vector<AddedToken> added;
  for (const auto& [content, id] : specials) {
    if (id >= pipeline.spellings.size()) pipeline.spellings.resize(id + 1);
    pipeline.spellings[id] = content;
    added.push_back({.id = id, .content = content, .special = true});
  }
  pipeline.special.assign(pipeline.spellings.size(), false);
  for (const AddedToken& token : added) pipeline.special[token.id] = true;
  pipeline.added = AddedTokens(std::move(added), AddedOrder::kLeftmostLongest);
  pipeline.decoders.push_back(make_decoder_bytes());
  pipeline.info.kind = "byte-level BPE";
  return make_tokenizer(std::move(pipeline));
}

}  // namespace

bool looks_like_rank_file(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos || blank == 0 || blank > 1024 ||
      !decode_base64(line.substr(0, blank)))
    return false;
  const std::string_view rank =
      line.substr(blank + 1, line.ends_with('\r') ? line.size() - blank - 2 : line.npos);
  return !rank.empty() && rank.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<std::shared_ptr<const Tokenizer>> load_rank_file(std::string_view bytes,
                                                        const std::string& path) {
  size_t count = 0;
  TRY(std::vector<std::string> tokens, read_ranks(bytes, path, count));
  Pipeline pipeline;
  pipeline.info.source = path;
  pipeline.info.hash = hash_hex(bytes);
  if (const std::string beside = path + ".pattern"; file_exists(beside)) {
    TRY(std::string pattern, read_file(beside));
    while (pattern.ends_with('\n') || pattern.ends_with('\r')) pattern.pop_back();
    pipeline.info.hash = hash_hex(std::string(bytes) + pattern);
    return build(std::move(pipeline), std::move(tokens), pattern, {});
  }
  for (const Published& published : kPublished) {
    if (published.ranks == count) {
      return build(std::move(pipeline), std::move(tokens), std::string(published.pattern),
                   published.specials());
    }
  }
  return fail(ErrorCode::kInput,
              "{}: a rank file of {} ranks is none of the known vocabularies, and the file does "
              "not say how it splits text; put the "
              "regular expression into '{}.pattern'",
              path, count, path);
}

Result<std::shared_ptr<const Tokenizer>> load_tekken(const JsonPlace& top, std::string_view bytes) {
  TRY(const auto config, top.at("config"));
  TRY(const auto pattern_place, config.at("pattern"));
  TRY(const auto pattern, pattern_place.text());
  TRY(const auto size_place, config.at("default_vocab_size"));
  TRY(const int64_t size, size_place.integer());
  TRY(const auto special_place, config.at("default_num_special_tokens"));
  TRY(const int64_t special_count, special_place.integer());
  if (special_count < 0 || size <= special_count || size > kMaxRank) {
    return config.error("default_vocab_size and default_num_special_tokens do not fit together");
  }
  std::vector<std::string> tokens(static_cast<size_t>(special_count));
  TRY(const auto list, top.at("vocab"));
  TRY(const auto values, list.array());
  size_t number = 0;
  for (const auto value : values) {
    int64_t rank = 0;
    std::string_view text;
    const bool good = value.at_key("rank").get(rank) == simdjson::SUCCESS && rank >= 0 &&
                      rank <= kMaxRank &&
                      value.at_key("token_bytes").get(text) == simdjson::SUCCESS;
    auto token = good ? decode_base64(text) : std::nullopt;
    const JsonPlace place = list.item(value, number++);
    if (!token || token->empty()) return place.error("must have 'rank' and 'token_bytes' (base64)");
    if (rank + special_count >= size) continue;  // the file lists more than the model uses
    TRY_VOID(put_token(tokens, static_cast<size_t>(rank + special_count), std::move(*token),
                       place.file() + ": " + place.path()));
  }
  Specials specials;
  if (const auto special_list = top.find("special_tokens")) {
    TRY(const auto items, special_list->items());
    for (const JsonPlace& item : items) {
      TRY(const auto rank_place, item.at("rank"));
      TRY(const int64_t rank, rank_place.integer());
      TRY(const auto text_place, item.at("token_str"));
      TRY(const auto text, text_place.text());
      if (rank < 0 || rank >= special_count)
        return rank_place.error(fmt::format("must be below {}", special_count));
      if (text.size() > AddedTokens::kMaxBytes) return text_place.error("is too long");
      specials.emplace_back(text, static_cast<TokenId>(rank));
    }
  } else {
    specials = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}, {"[INST]", 3}, {"[/INST]", 4}};
  }
  Pipeline pipeline;
  pipeline.info.source = top.file();
  pipeline.info.hash = hash_hex(bytes);
  for (const auto& [content, id] : specials) {
    if (content == "<s>") pipeline.before = {id};
  }
  return build(std::move(pipeline), std::move(tokens), std::string(pattern), specials);
}

}  // namespace fathom

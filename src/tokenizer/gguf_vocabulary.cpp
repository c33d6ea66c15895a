#include "tokenizer/gguf_vocabulary.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "tokenizer/gguf_models.h"

namespace fathom {
namespace {

// Texts that make llama.cpp treat a token as a control token whatever its type says: ends of turn
// and fill-in-the-middle marks.
constexpr std::array<std::string_view, 50> kControlTexts = {"<|eot_id|>",
                                                            "<|im_end|>",
                                                            "<|end|>",
                                                            "<|return|>",
                                                            "<|call|>",
                                                            "<|flush|>",
                                                            "<|calls|>",
                                                            "<end_of_turn>",
                                                            "<|endoftext|>",
                                                            "</s>",
                                                            "<|eom_id|>",
                                                            "<EOT>",
                                                            "_<EOT>",
                                                            "[EOT]",
                                                            "[EOS]",
                                                            "<|end_of_text|>",
                                                            "<eos>",
                                                            "<turn|>",
                                                            "<|tool_response>",
                                                            "[e~[",
                                                            "<end_of_utterance>",
                                                            "<｜end▁of▁sentence｜>",
                                                            "<|fim_prefix|>",
                                                            "<fim-prefix>",
                                                            "<fim_prefix>",
                                                            "<｜fim▁begin｜>",
                                                            "<PRE>",
                                                            "▁<PRE>",
                                                            "<|code_prefix|>",
                                                            "<|prefix|>",
                                                            "<|fim_suffix|>",
                                                            "<fim-suffix>",
                                                            "<fim_suffix>",
                                                            "<｜fim▁hole｜>",
                                                            "<SUF>",
                                                            "▁<SUF>",
                                                            "<|code_suffix|>",
                                                            "<|suffix|>",
                                                            "<|fim_middle|>",
                                                            "<fim-middle>",
                                                            "<fim_middle>",
                                                            "<｜fim▁end｜>",
                                                            "<MID>",
                                                            "▁<MID>",
                                                            "<|code_middle|>",
                                                            "<|middle|>",
                                                            "<|fim_pad|>",
                                                            "<fim-pad>",
                                                            "<fim_pad>",
                                                            "<PAD>"};
constexpr std::array<std::string_view, 7> kMoreControlTexts = {
    "[PAD]", "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>"};
// … and as plain user-defined tokens.
constexpr std::array<std::string_view, 4> kUserTexts = {"<|channel|>", "<|message|>", "<|start|>",
                                                        "<|constrain|>"};

GgufToken::Kind kind_of(int64_t type) {
  switch (type) {
    case 2:
      return GgufToken::Kind::kUnknown;
    case 3:
      return GgufToken::Kind::kControl;
    case 4:
      return GgufToken::Kind::kUserDefined;
    case 5:
      return GgufToken::Kind::kUnused;
    case 6:
      return GgufToken::Kind::kByte;
    default:
      return GgufToken::Kind::kNormal;
  }
}

Result<std::vector<GgufToken>> read_tokens(const GgufFile& gguf) {
  TRY(const auto texts, gguf.texts("tokenizer.ggml.tokens"));
  std::vector<int64_t> types;
  std::vector<double> scores;
  if (gguf.has("tokenizer.ggml.token_type")) {
    TRY(types, gguf.integers("tokenizer.ggml.token_type"));
    if (types.size() < texts.size()) {
      return fail(ErrorCode::kInput, "{}: tokenizer.ggml.token_type has {} entries for {} tokens",
                  gguf.name(), types.size(), texts.size());
    }
  }
  if (gguf.has("tokenizer.ggml.scores")) {
    TRY(scores, gguf.numbers("tokenizer.ggml.scores"));
    if (scores.size() < texts.size()) {
      return fail(ErrorCode::kInput, "{}: tokenizer.ggml.scores has {} entries for {} tokens",
                  gguf.name(), scores.size(), texts.size());
    }
  }
  if (texts.empty())
    return fail(ErrorCode::kInput, "{}: tokenizer.ggml.tokens is empty", gguf.name());
  std::vector<GgufToken> tokens(texts.size());
  for (size_t id = 0; id < texts.size(); ++id) {
    GgufToken& token = tokens[id];
    token.text = texts[id].empty() ? fmt::format("[EMPTY_{}]", id) : std::string(texts[id]);
    token.score = scores.empty() ? 0 : static_cast<float>(scores[id]);
    token.kind = types.empty() ? GgufToken::Kind::kNormal : kind_of(types[id]);
    token.found_in_text = token.kind == GgufToken::Kind::kControl ||
                          token.kind == GgufToken::Kind::kUserDefined ||
                          token.kind == GgufToken::Kind::kUnknown;
    token.control =
        token.kind == GgufToken::Kind::kControl || token.kind == GgufToken::Kind::kUnknown;
    const auto is_text = [&](std::string_view text) { return token.text == text; };
    if (std::ranges::any_of(kControlTexts, is_text) ||
        std::ranges::any_of(kMoreControlTexts, is_text)) {
      token.found_in_text = true;
      token.control = true;
    }
    if (std::ranges::any_of(kUserTexts, is_text)) {
      token.kind = GgufToken::Kind::kUserDefined;
      token.found_in_text = true;
      token.control = false;
    }
  }
  return tokens;
}

// Which tokens take the white space beside them: llama.cpp knows it by the model's name, not from
// the file.
void set_strips(const GgufVocabulary& vocabulary, std::vector<AddedToken>& added) {
  std::string name(vocabulary.gguf->text("general.name").value_or(""));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  const std::string_view pre = vocabulary.gguf->text("tokenizer.ggml.pre").value_or("");
  const std::string_view architecture = vocabulary.gguf->text("general.architecture").value_or("");
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  const bool jina = has(pre, "jina-v2-de") || has(pre, "jina-v2-es") || has(pre, "jina-v2-code") ||
                    has(architecture, "nomic-bert-moe") || has(architecture, "jina-bert-v3");
  for (AddedToken& token : added) {
    if (jina) {
      token.lstrip = token.content == "<mask>";
    } else if (has(name, "phi-3") || has(name, "phi3")) {
      token.rstrip =
          token.content != "<unk>" && token.content != "<s>" && token.content != "<|endoftext|>";
    } else if (has(name, "modern-bert")) {
      token.lstrip = token.content == "[MASK]";
    }
  }
}

Result<void> add_special(const GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const auto check = [&](std::string_view what, TokenId id) -> Result<TokenId> {
    if (id < vocabulary.tokens.size()) return id;
    return fail(ErrorCode::kInput, "{}: the vocabulary adds a {} token but the file names none",
                vocabulary.gguf->name(), what);
  };
  if (vocabulary.add_bos) {
    TRY(const TokenId id, check("beginning-of-text", vocabulary.bos));
    pipeline.before.push_back(id);
  }
  if (vocabulary.add_eos) {
    TRY(const TokenId id, check("end-of-text", vocabulary.eos));
    pipeline.after.push_back(id);
  }
  return {};
}

// Everything under tokenizer.* and what set_strips() looks at, but not the chat templates.
std::string vocabulary_hash(const GgufFile& gguf) {
  std::string all;
  for (const std::string_view key : gguf.keys()) {
    const bool decides = key.starts_with("tokenizer.ggml.") || key == "general.name" ||
                         key == "general.architecture";
    if (decides) all.append(key).append("=").append(hash_hex(gguf.raw(key))).append("\n");
  }
  return hash_hex(all);
}

}  // namespace

TokenId GgufVocabulary::id_of(std::string_view key, TokenId fallback) const {
  const auto id = gguf->integer(key);
  if (id && *id >= 0 && *id < std::ssize(tokens)) return static_cast<TokenId>(*id);
  return fallback < tokens.size() ? fallback : kNoToken;
}

Result<std::shared_ptr<const Tokenizer>> load_gguf_vocabulary(const GgufFile& gguf) {
  const auto model = gguf.text("tokenizer.ggml.model");
  if (!model) {
    return fail(ErrorCode::kInput,
                "{}: key 'tokenizer.ggml.model' is missing; the file holds no vocabulary",
                gguf.name());
  }
  GgufVocabulary vocabulary;
  vocabulary.gguf = &gguf;
  TRY(vocabulary.tokens, read_tokens(gguf));
  Pipeline pipeline;
  pipeline.info.source = gguf.name();
  pipeline.info.hash = vocabulary_hash(gguf);
  for (const GgufToken& token : vocabulary.tokens) {
    pipeline.spellings.push_back(token.text);
    pipeline.special.push_back(token.control);
  }
  if (*model == "gpt2") {
    TRY_VOID(build_gguf_bpe(vocabulary, pipeline));
  } else if (*model == "gemma4") {
    TRY_VOID(build_gguf_raw_bpe(vocabulary, pipeline));
  } else if (*model == "llama") {
    TRY_VOID(build_gguf_sentencepiece_bpe(vocabulary, pipeline));
  } else if (*model == "t5") {
    TRY_VOID(build_gguf_unigram(vocabulary, pipeline));
  } else if (*model == "bert") {
    TRY_VOID(build_gguf_word_piece(vocabulary, pipeline));
  } else {
    return fail(ErrorCode::kInput,
                "{}: tokenizer.ggml.model '{}' is not supported, because its ids could not be "
                "reproduced exactly; use the server's "
                "own token count",
                gguf.name(), *model);
  }
  if (*model != "bert") {  // BERT's frame does not depend on the flags
    vocabulary.add_bos = gguf.boolean("tokenizer.ggml.add_bos_token").value_or(vocabulary.add_bos);
    vocabulary.add_eos = gguf.boolean("tokenizer.ggml.add_eos_token").value_or(vocabulary.add_eos);
  }
  if (*model == "gemma4") vocabulary.add_bos = true;  // llama.cpp overrides the file here
  TRY_VOID(add_special(vocabulary, pipeline));

  std::vector<AddedToken> added;
  for (TokenId id = 0; id < vocabulary.tokens.size(); ++id) {
    const GgufToken& token = vocabulary.tokens[id];
    if (!token.found_in_text) continue;
    if (token.text.size() > AddedTokens::kMaxBytes) {
      return fail(ErrorCode::kInput,
                  "{}: tokenizer.ggml.tokens[{}]: a special token of {} bytes is not supported (at "
                  "most {})",
                  gguf.name(), id, token.text.size(), AddedTokens::kMaxBytes);
    }
    added.push_back({.id = id, .content = token.text, .special = token.control});
  }
  set_strips(vocabulary, added);
  pipeline.added = AddedTokens(std::move(added), AddedOrder::kLongestFirst);
  return make_tokenizer(std::move(pipeline));
}

}  // namespace fathom

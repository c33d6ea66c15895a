// Normalizers and pre-tokenizers of tokenizer.json.
#include <functional>

#include "tokenizer/base64.h"
#include "tokenizer/huggingface.h"
#include "tokenizer/published_patterns.h"

namespace fathom {
namespace {

using Normalizers = std::vector<std::unique_ptr<Normalizer>>;

tl::unexpected<Error> unsupported(const JsonPlace& place, std::string_view what,
                                  std::string_view type) {
  return place.error(
      fmt::format("{} '{}' is not supported, because its ids could not be reproduced exactly; use "
                  "the server's own "
                  "token count or another tokenizer file of the same model",
                  what, type));
}

Result<void> read_replace(const JsonPlace& place, Normalizers& out) {
  TRY(const auto content, place.at("content"));
  TRY(const auto content_text, content.text());
  TRY(const auto pattern, place.at("pattern"));
  if (const auto text = pattern.find("String")) {
    TRY(const auto value, text->text());
    out.push_back(make_replace_text(std::string(value), std::string(content_text)));
    return {};
  }
  TRY(const auto regex, pattern.at("Regex"));
  TRY(const auto value, regex.text());
  auto normalizer = make_replace_regex(std::string(value), std::string(content_text));
  if (!normalizer) return regex.error(normalizer.error().message);
  out.push_back(std::move(*normalizer));
  return {};
}

Result<void> read_bert_normalizer(const JsonPlace& place, Normalizers& out) {
  BertNormalizerOptions options;
  TRY(options.clean_text, place.boolean_or("clean_text", true));
  TRY(options.handle_chinese_chars, place.boolean_or("handle_chinese_chars", true));
  TRY(options.lowercase, place.boolean_or("lowercase", true));
  TRY(options.strip_accents, place.boolean_or("strip_accents", options.lowercase));
  out.push_back(make_bert_normalizer(options));
  return {};
}

Result<void> read_precompiled(const JsonPlace& place, Normalizers& out) {
  TRY(const auto member, place.at("precompiled_charsmap"));
  TRY(const auto text, member.text());
  const auto blob = decode_base64(text);
  if (!blob) return member.error("is not valid base64; the file is damaged");
  auto map = CharactersMap::parse(*blob);
  if (!map) return member.error(map.error().message);
  out.push_back(make_grapheme_map(std::move(*map)));
  return {};
}

Result<void> read_normalizer(const JsonPlace& place, Normalizers& out) {
  TRY(const auto type_place, place.at("type"));
  TRY(const auto type, type_place.text());
  if (type == "Sequence") {
    TRY(const auto list, place.at("normalizers"));
    TRY(const auto items, list.items());
    for (const JsonPlace& item : items) TRY_VOID(read_normalizer(item, out));
    return {};
  }
  if (type == "NFC") return out.push_back(make_normal_form(NormalForm::kNfc)), Result<void>{};
  if (type == "NFD") return out.push_back(make_normal_form(NormalForm::kNfd)), Result<void>{};
  if (type == "NFKC") return out.push_back(make_normal_form(NormalForm::kNfkc)), Result<void>{};
  if (type == "NFKD") return out.push_back(make_normal_form(NormalForm::kNfkd)), Result<void>{};
  if (type == "Lowercase") return out.push_back(make_lower_case()), Result<void>{};
  if (type == "StripAccents") return out.push_back(make_strip_accents()), Result<void>{};
  if (type == "Nmt") return out.push_back(make_nmt()), Result<void>{};
  if (type == "BertNormalizer") return read_bert_normalizer(place, out);
  if (type == "Replace") return read_replace(place, out);
  if (type == "Precompiled") return read_precompiled(place, out);
  if (type == "Prepend") {
    TRY(const auto member, place.at("prepend"));
    TRY(const auto prefix, member.text());
    out.push_back(make_prepend(std::string(prefix)));
    return {};
  }
  if (type == "Strip") {
    TRY(const bool left, place.boolean_or("strip_left", true));
    TRY(const bool right, place.boolean_or("strip_right", true));
    out.push_back(make_strip(left, right));
    return {};
  }
  return unsupported(place, "the normalizer", type);
}

void add_general(PreTokenizerPlan& plan, std::unique_ptr<PreTokenizer> stage) {
  plan.steps.push_back({.pattern = std::nullopt, .general = std::move(stage)});
}

void add_pattern(PreTokenizerPlan& plan, std::string pattern) {
  plan.steps.push_back({.pattern = std::move(pattern), .general = nullptr});
}

Result<SplitBehavior> read_behavior(const JsonPlace& place, std::string_view fallback) {
  TRY(const auto name, place.text_or("behavior", fallback));
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  return place.error(fmt::format("unknown behavior '{}'", name));
}

Result<void> read_split(const JsonPlace& place, PreTokenizerPlan& plan) {
  TRY(const SplitBehavior behavior, read_behavior(place, ""));
  TRY(const bool invert, place.boolean_or("invert", false));
  TRY(const auto pattern, place.at("pattern"));
  if (const auto text = pattern.find("String")) {
    TRY(const auto value, text->text());
    add_general(plan, make_split_text(std::string(value), behavior, invert));
    return {};
  }
  TRY(const auto regex, pattern.at("Regex"));
  TRY(const auto text, regex.text());
  const std::string value(text);
  // Where every character is matched, keeping only the matches keeps everything.
  const bool keeps_all = behavior == SplitBehavior::kRemoved && invert && covers_all_text(value);
  if (behavior == SplitBehavior::kIsolated || keeps_all)
    return add_pattern(plan, value), Result<void>{};
  auto stage = make_split_regex(value, behavior, invert);
  if (!stage) return regex.error(stage.error().message);
  add_general(plan, std::move(*stage));
  return {};
}

Result<void> read_metaspace(const JsonPlace& place, PreTokenizerPlan& plan) {
  TRY(const auto replacement, place.text_or("replacement", "▁"));
  if (replacement.empty()) return place.error("'replacement' must be a character");
  TRY(const bool split, place.boolean_or("split", true));
  // Older files say add_prefix_space instead of prepend_scheme.
  TRY(const bool prefix, place.boolean_or("add_prefix_space", true));
  TRY(const auto scheme, place.text_or("prepend_scheme", prefix ? "always" : "never"));
  if (scheme != "always" && scheme != "first" && scheme != "never") {
    return place.error(fmt::format("unknown prepend_scheme '{}'", scheme));
  }
  const auto value = scheme == "always"  ? PrefixScheme::kAlways
                     : scheme == "first" ? PrefixScheme::kFirst
                                         : PrefixScheme::kNever;
  add_general(plan, make_metaspace(std::string(replacement), value, split));
  return {};
}

Result<void> read_byte_level(const JsonPlace& place, PreTokenizerPlan& plan) {
  TRY(const bool prefix, place.boolean_or("add_prefix_space", true));
  TRY(const bool use_regex, place.boolean_or("use_regex", true));
  if (prefix) add_general(plan, make_prefix_space());
  if (use_regex) add_pattern(plan, std::string(kGpt2Pattern));
  plan.byte_level = true;
  return {};
}

Result<void> read_pre_tokenizer(const JsonPlace& place, PreTokenizerPlan& plan) {
  TRY(const auto type_place, place.at("type"));
  TRY(const auto type, type_place.text());
  if (type == "Sequence") {
    TRY(const auto list, place.at("pretokenizers"));
    TRY(const auto items, list.items());
    for (const JsonPlace& item : items) TRY_VOID(read_pre_tokenizer(item, plan));
    return {};
  }
  if (plan.byte_level)
    return place.error(fmt::format("'{}' after ByteLevel is not supported", type));
  if (type == "Split") return read_split(place, plan);
  if (type == "ByteLevel") return read_byte_level(place, plan);
  if (type == "Metaspace") return read_metaspace(place, plan);
  if (type == "Digits") {
    TRY(const bool individual, place.boolean_or("individual_digits", false));
    add_pattern(plan, individual ? "\\p{N}" : "\\p{N}+");
    return {};
  }
  if (type == "Punctuation") {
    TRY(const SplitBehavior behavior, read_behavior(place, "Isolated"));
    add_general(plan, make_split_punctuation(behavior));
    return {};
  }
  if (type == "CharDelimiterSplit") {
    TRY(const auto member, place.at("delimiter"));
    TRY(const auto delimiter, member.text());
    add_general(plan, make_split_text(std::string(delimiter), SplitBehavior::kRemoved, false));
    return {};
  }
  if (type == "Whitespace") return add_general(plan, make_split_words()), Result<void>{};
  if (type == "WhitespaceSplit") return add_general(plan, make_split_white_space()), Result<void>{};
  if (type == "BertPreTokenizer")
    return add_general(plan, make_bert_pre_tokenizer()), Result<void>{};
  return unsupported(place, "the pre-tokenizer", type);
}

}  // namespace

Result<Normalizers> read_normalizers(const JsonPlace& top) {
  Normalizers normalizers;
  if (const auto place = top.find("normalizer")) TRY_VOID(read_normalizer(*place, normalizers));
  return normalizers;
}

Result<PreTokenizerPlan> read_pre_tokenizers(const JsonPlace& top) {
  PreTokenizerPlan plan;
  if (const auto place = top.find("pre_tokenizer")) TRY_VOID(read_pre_tokenizer(*place, plan));
  return plan;
}

}  // namespace fathom

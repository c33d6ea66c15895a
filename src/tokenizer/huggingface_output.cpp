// Post-processors and decoders of tokenizer.json.
#include "text/utf8.h"
#include "tokenizer/huggingface.h"

namespace fathom {
namespace {

using Decoders = std::vector<std::unique_ptr<Decoder>>;

Result<TokenId> checked_id(const JsonPlace& place, int64_t id) {
  if (id < 0 || id >= kNoToken) return place.error("must be a token id");
  return static_cast<TokenId>(id);
}

// ["[CLS]", 101]
Result<TokenId> read_pair_id(const JsonPlace& place, std::string_view key) {
  TRY(const auto pair, place.at(key));
  TRY(const auto items, pair.items());
  if (items.size() != 2) return pair.error("must be [token, id]");
  TRY(const int64_t id, items[1].integer());
  return checked_id(items[1], id);
}

Result<void> append_template_ids(const JsonPlace& specials, std::string_view name,
                                 std::vector<TokenId>& out) {
  TRY(const auto entry, specials.at(name));
  TRY(const auto list, entry.at("ids"));
  TRY(const auto items, list.items());
  for (const JsonPlace& item : items) {
    TRY(const int64_t value, item.integer());
    TRY(const TokenId id, checked_id(item, value));
    out.push_back(id);
  }
  return {};
}

// {"single": [{"SpecialToken": …}, {"Sequence": {"id": "A"}}, …]}
Result<void> read_template(const JsonPlace& place, std::vector<TokenId>& before,
                           std::vector<TokenId>& after) {
  TRY(const auto single, place.at("single"));
  TRY(const auto items, single.items());
  bool seen = false;
  for (const JsonPlace& item : items) {
    if (item.find("Sequence")) {
      if (seen) return single.error("a template that repeats the text is not supported");
      seen = true;
      continue;
    }
    TRY(const auto special, item.at("SpecialToken"));
    TRY(const auto name_place, special.at("id"));
    TRY(const auto name, name_place.text());
    TRY(const auto specials, place.at("special_tokens"));
    TRY_VOID(append_template_ids(specials, name, seen ? after : before));
  }
  if (!seen) return single.error("a template without the text is not supported");
  return {};
}

Result<void> read_processor(const JsonPlace& place, Pipeline& pipeline) {
  TRY(const auto type_place, place.at("type"));
  TRY(const auto type, type_place.text());
  if (type == "ByteLevel") return {};  // it moves offsets only
  if (type == "Sequence") {
    TRY(const auto list, place.at("processors"));
    TRY(const auto items, list.items());
    for (const JsonPlace& item : items) TRY_VOID(read_processor(item, pipeline));
    return {};
  }
  std::vector<TokenId> before;
  std::vector<TokenId> after;
  if (type == "TemplateProcessing") {
    TRY_VOID(read_template(place, before, after));
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    TRY(const TokenId first, read_pair_id(place, "cls"));
    TRY(const TokenId last, read_pair_id(place, "sep"));
    before.push_back(first);
    after.push_back(last);
  } else {
    return place.error(fmt::format("the post-processor '{}' is not supported", type));
  }
  pipeline.before.insert(pipeline.before.begin(), before.begin(),
                         before.end());  // each goes around the last
  pipeline.after.insert(pipeline.after.end(), after.begin(), after.end());
  return {};
}

Result<void> read_replace(const JsonPlace& place, Decoders& out) {
  TRY(const auto content, place.at("content"));
  TRY(const auto content_text, content.text());
  TRY(const auto pattern, place.at("pattern"));
  const auto text = pattern.find("String");
  if (!text) return pattern.error("a decoder that replaces by regular expression is not supported");
  TRY(const auto value, text->text());
  out.push_back(make_decoder_replace(std::string(value), std::string(content_text)));
  return {};
}

Result<void> read_strip(const JsonPlace& place, Decoders& out) {
  TRY(const auto content, place.at("content"));
  TRY(const auto text, content.text());
  if (text.empty()) return content.error("must be one character");
  size_t at = 0;
  const char32_t character = next_utf8(text, at);
  TRY(const auto start_place, place.at("start"));
  TRY(const int64_t start, start_place.integer());
  TRY(const auto stop_place, place.at("stop"));
  TRY(const int64_t stop, stop_place.integer());
  if (start < 0 || stop < 0) return place.error("'start' and 'stop' must not be negative");
  out.push_back(
      make_decoder_strip(character, static_cast<size_t>(start), static_cast<size_t>(stop)));
  return {};
}

Result<void> read_metaspace(const JsonPlace& place, Decoders& out) {
  TRY(const auto replacement, place.text_or("replacement", "▁"));
  TRY(const bool prefix, place.boolean_or("add_prefix_space", true));
  TRY(const auto scheme, place.text_or("prepend_scheme", prefix ? "always" : "never"));
  out.push_back(make_decoder_metaspace(std::string(replacement), scheme != "never"));
  return {};
}

Result<void> read_decoder(const JsonPlace& place, Decoders& out) {
  TRY(const auto type_place, place.at("type"));
  TRY(const auto type, type_place.text());
  if (type == "Sequence") {
    TRY(const auto list, place.at("decoders"));
    TRY(const auto items, list.items());
    for (const JsonPlace& item : items) TRY_VOID(read_decoder(item, out));
    return {};
  }
  if (type == "Replace") return read_replace(place, out);
  if (type == "Strip") return read_strip(place, out);
  if (type == "Metaspace") return read_metaspace(place, out);
  if (type == "ByteLevel") return out.push_back(make_decoder_byte_level()), Result<void>{};
  if (type == "ByteFallback") return out.push_back(make_decoder_byte_fallback()), Result<void>{};
  if (type == "Fuse") return out.push_back(make_decoder_fuse()), Result<void>{};
  if (type == "WordPiece") {
    TRY(const auto prefix, place.text_or("prefix", "##"));
    TRY(const bool cleanup, place.boolean_or("cleanup", true));
    out.push_back(make_decoder_word_piece(std::string(prefix), cleanup));
    return {};
  }
  if (type == "BPEDecoder") {
    TRY(const auto suffix, place.text_or("suffix", "</w>"));
    out.push_back(make_decoder_suffix(std::string(suffix)));
    return {};
  }
  return place.error(fmt::format("the decoder '{}' is not supported", type));
}

}  // namespace

Result<void> read_post_processor(const JsonPlace& top, Pipeline& pipeline) {
  if (const auto place = top.find("post_processor")) return read_processor(*place, pipeline);
  return {};
}

Result<Decoders> read_decoders(const JsonPlace& top) {
  Decoders decoders;
  if (const auto place = top.find("decoder")) {
    TRY_VOID(read_decoder(*place, decoders));
  } else {
    decoders.push_back(make_decoder_blanks());
  }
  return decoders;
}

}  // namespace fathom

// Any bytes as a tokenizer.json, then any bytes as text: the input is "JSON\0TEXT". Q1.
#include <simdjson.h>

#include <cstdlib>

#include "tokenizer/huggingface.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fathom;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(all.find('\0'), all.size());
  const std::string_view json = all.substr(0, end);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS) return 0;
  const auto tokenizer = load_huggingface(JsonPlace(document, "fuzz.json", ""), json);
  if (!tokenizer) return 0;
  const std::string_view text = end < all.size() ? all.substr(end + 1) : "The <s> 123\n\n \u4e2d ";
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  (*tokenizer)->encode_with_spans(text, {.add_special = true}, ids, spans);
  if ((*tokenizer)->count(text, {.add_special = true}) != ids.size() || spans.size() != ids.size())
    std::abort();
  (void)(*tokenizer)->decode(ids, true);
  return 0;
}

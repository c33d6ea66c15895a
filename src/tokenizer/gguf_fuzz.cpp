// Any bytes as a GGUF file: reader and vocabulary loader must return, never crash. Q1.
#include "tokenizer/gguf.h"
#include "tokenizer/gguf_vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fathom;
  const auto gguf = GgufFile::parse({reinterpret_cast<const char*>(data), size}, "fuzz.gguf");
  if (!gguf) return 0;
  for (const std::string_view key : gguf->keys()) {
    (void)gguf->text(key);
    (void)gguf->number(key);
    (void)gguf->integer(key);
    (void)gguf->texts(key);
    (void)gguf->numbers(key);
  }
  if (const auto tokenizer = load_gguf_vocabulary(*gguf)) {
    std::vector<TokenId> ids;
    (*tokenizer)->encode("The \u00e9 <s> 123\n\n \u4e2d", {.add_special = true}, ids);
    (void)(*tokenizer)->decode(ids, false);
  }
  return 0;
}

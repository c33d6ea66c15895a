// Any bytes as a SentencePiece model: the loader must return, and what it loads must encode. Q1.
#include "tokenizer/sentencepiece_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fathom;
  const auto tokenizer =
      load_sentencepiece({reinterpret_cast<const char*>(data), size}, "fuzz.model");
  if (!tokenizer) return 0;
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  (*tokenizer)->encode_with_spans("  The \u00e9 <s> 123\n\n \u4e2d\ufb01 ", {}, ids, spans);
  (void)(*tokenizer)->decode(ids, false);
  return 0;
}

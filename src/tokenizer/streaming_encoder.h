// A SegmentEncoder for models that find their tokens from left to right: `Model` says how, once,
// and ids, counts and ends all come from that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

// `Model` derives from StreamingEncoder<Model> and has
//   template <typename Emit> void for_each_token(std::string_view text, const Emit& emit) const;
// which calls emit(TokenId id, size_t end) for each token in order; `end` is the byte behind it.
template <typename Model>
class StreamingEncoder : public SegmentEncoder {
 public:
  void encode(std::string_view text, std::vector<TokenId>& ids) const final {
    model().for_each_token(text, [&](TokenId id, size_t) { ids.push_back(id); });
  }

  [[nodiscard]] size_t count(std::string_view text) const final {
    size_t count = 0;
    model().for_each_token(text, [&](TokenId, size_t) { ++count; });
    return count;
  }

  void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const final {
    model().for_each_token(text, [&](TokenId id, size_t end) {
      ids.push_back(id);
      ends.push_back(end);
    });
  }

 private:
  [[nodiscard]] const Model& model() const { return static_cast<const Model&>(*this); }
};

}  // namespace fathom

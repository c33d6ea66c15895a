#include "attention/selector_options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fathom {
namespace {

template <typename Value, size_t kCount>
using Names = std::array<std::pair<Value, std::string_view>, kCount>;

constexpr Names<SelectorKind, 17> kKinds = {{{SelectorKind::kFull, "full"},
                                             {SelectorKind::kStreaming, "streaming"},
                                             {SelectorKind::kRandom, "random"},
                                             {SelectorKind::kQuest, "quest"},
                                             {SelectorKind::kSnapKv, "snapkv"},
                                             {SelectorKind::kH2o, "h2o"},
                                             {SelectorKind::kTova, "tova"},
                                             {SelectorKind::kMoba, "moba"},
                                             {SelectorKind::kBm25, "bm25"},
                                             {SelectorKind::kKeyNorm, "knorm"},
                                             {SelectorKind::kVerticalSlash, "vertical-slash"},
                                             {SelectorKind::kMassOracle, "mass-oracle"},
                                             {SelectorKind::kEvidence, "oracle"},
                                             {SelectorKind::kEvidenceRandom, "oracle-random"},
                                             {SelectorKind::kForced, "forced"},
                                             {SelectorKind::kKnockout, "knockout"},
                                             {SelectorKind::kExternal, "external"}}};

constexpr Names<SelectorScope, 3> kScopes = {{{SelectorScope::kDecode, "decode"},
                                              {SelectorScope::kQuestionDecode, "question"},
                                              {SelectorScope::kPrefill, "prefill"}}};

constexpr Names<HeadSharing, 4> kSharings = {{{HeadSharing::kQueryHead, "query-head"},
                                              {HeadSharing::kKvUnion, "kv-union"},
                                              {HeadSharing::kKvSum, "kv-sum"},
                                              {HeadSharing::kLayer, "layer"}}};

template <typename Value, size_t kCount>
std::string_view name_of(const Names<Value, kCount>& names, Value value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& each) { return each.first == value; });
  return found == names.end() ? "" : found->second;
}

template <typename Value, size_t kCount>
Result<Value> value_of(const Names<Value, kCount>& names, std::string_view text,
                       std::string_view what) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return fail(ErrorCode::kUsage, "'{}' is not a {}; known: {}", text, what, known);
}

}  // namespace

std::string_view to_text(SelectorKind kind) { return name_of(kKinds, kind); }
std::string_view to_text(SelectorScope scope) { return name_of(kScopes, scope); }
std::string_view to_text(HeadSharing sharing) { return name_of(kSharings, sharing); }
Result<SelectorKind> selector_from_text(std::string_view text) {
  return value_of(kKinds, text, "selector");
}
Result<SelectorScope> scope_from_text(std::string_view text) {
  return value_of(kScopes, text, "scope");
}
Result<HeadSharing> sharing_from_text(std::string_view text) {
  return value_of(kSharings, text, "way to share heads");
}

bool is_dense(const SelectorOptions& options, int layer) {
  if (options.dense_every > 0 && layer % options.dense_every == 0) return true;
  return std::binary_search(options.dense_layers.begin(), options.dense_layers.end(), layer);
}

}  // namespace fathom

#include "attention/selector.h"

#include <algorithm>

#include "attention/selectors.h"

namespace fathom {
namespace {

SelectorMaker maker_of(SelectorKind kind) {
  switch (kind) {
    case SelectorKind::kFull:
      return make_full;
    case SelectorKind::kStreaming:
      return make_streaming;
    case SelectorKind::kRandom:
    case SelectorKind::kEvidenceRandom:
      return make_random;
    case SelectorKind::kQuest:
      return make_quest;
    case SelectorKind::kSnapKv:
      return make_snapkv;
    case SelectorKind::kH2o:
      return make_h2o;
    case SelectorKind::kTova:
      return make_tova;
    case SelectorKind::kMoba:
      return make_moba;
    case SelectorKind::kBm25:
      return make_bm25;
    case SelectorKind::kKeyNorm:
      return make_key_norm;
    case SelectorKind::kVerticalSlash:
      return make_vertical_slash;
    case SelectorKind::kMassOracle:
      return make_mass_oracle;
    case SelectorKind::kEvidence:
      return make_evidence;
    case SelectorKind::kForced:
    case SelectorKind::kKnockout:
    case SelectorKind::kExternal:
      return nullptr;
  }
  return nullptr;
}

EvidenceRule rule_of(SelectorKind kind) {
  switch (kind) {
    case SelectorKind::kEvidence:
    case SelectorKind::kEvidenceRandom:
    case SelectorKind::kForced:
      return EvidenceRule::kForcedIn;
    case SelectorKind::kKnockout:
      return EvidenceRule::kLeftOut;
    default:
      return EvidenceRule::kNone;
  }
}

Result<void> check_sizes(const SelectorOptions& options, SelectorKind base) {
  const auto refuse = [](std::string_view what) { return fail(ErrorCode::kUsage, "{}", what); };
  if (options.block < 1) return refuse("the block size must be 1 or more tokens");
  const bool needs_budget = base != SelectorKind::kFull && base != SelectorKind::kEvidence;
  if (needs_budget && options.budget < options.block)
    return fail(ErrorCode::kUsage, "a budget of {} tokens holds no block of {}", options.budget,
                options.block);
  if (options.sinks < 0 || options.window < 0)
    return refuse("sinks and window must be 0 or more tokens");
  if (options.observed < 1) return refuse("the observed queries must be 1 or more");
  if (options.pooling < 1 || options.pooling % 2 == 0)
    return refuse("the pooling width must be odd and 1 or more");
  if (options.dense_every < 0) return refuse("dense-every must be 0 or more");
  if (!std::is_sorted(options.dense_layers.begin(), options.dense_layers.end()))
    return refuse("the dense layers must ascend");
  return {};
}

}  // namespace

Result<std::unique_ptr<Selector>> make_selector(const SelectorOptions& options,
                                                const AttentionShape& shape, int layers) {
  const bool wraps =
      options.kind == SelectorKind::kForced || options.kind == SelectorKind::kKnockout;
  const SelectorKind base = wraps ? options.base : options.kind;
  if (base == SelectorKind::kExternal)
    return fail(ErrorCode::kUsage, "external: how a server reads is its own; name its address");
  const SelectorMaker maker = maker_of(base);
  if (maker == nullptr || (wraps && rule_of(base) != EvidenceRule::kNone))
    return fail(ErrorCode::kUsage, "{} needs a selector that does not know the evidence, not '{}'",
                to_text(options.kind), to_text(base));
  if (options.kind == SelectorKind::kForced && base == SelectorKind::kFull)
    return fail(ErrorCode::kUsage, "full keeps the evidence already; force it into a selector");
  if (shape.query_heads < 1 || shape.kv_heads < 1 || shape.head_size < 1 || layers < 1 ||
      shape.query_heads % shape.kv_heads != 0)
    return fail(ErrorCode::kUsage, "{} query heads cannot share {} kv heads", shape.query_heads,
                shape.kv_heads);
  for (const int layer : options.dense_layers)
    if (layer < 0 || layer >= layers)
      return fail(ErrorCode::kUsage, "dense layer {}: the model has layers 0 to {}", layer,
                  layers - 1);
  TRY_VOID(check_sizes(options, base));
  return maker(options, shape, layers, rule_of(options.kind));
}

}  // namespace fathom

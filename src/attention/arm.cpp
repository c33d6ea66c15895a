#include "attention/arm.h"

#include <set>
#include <utility>

#include "attention/selector.h"

namespace fathom {
namespace {

bool has_budget(const SelectorOptions& options) {
  const bool wraps =
      options.kind == SelectorKind::kForced || options.kind == SelectorKind::kKnockout;
  const SelectorKind kind = wraps ? options.base : options.kind;
  return kind != SelectorKind::kFull && kind != SelectorKind::kEvidence;
}

bool draws(const SelectorOptions& options) {
  return options.kind == SelectorKind::kRandom || options.kind == SelectorKind::kEvidenceRandom ||
         options.base == SelectorKind::kRandom;
}

// "forced:quest": the kind and what it wraps.
Result<SelectorOptions> kind_of(const std::string& text, SelectorOptions options) {
  const size_t colon = text.find(':');
  TRY(options.kind, selector_from_text(text.substr(0, colon)));
  options.base = SelectorKind::kFull;
  if (colon == std::string::npos) return options;
  if (options.kind != SelectorKind::kForced && options.kind != SelectorKind::kKnockout)
    return fail(ErrorCode::kUsage, "'{}': only forced and knockout take a selector after ':'",
                text);
  TRY(options.base, selector_from_text(text.substr(colon + 1)));
  return options;
}

std::string stem_of(const SelectorOptions& options) {
  std::string name(to_text(options.kind));
  if (options.base != SelectorKind::kFull) name += "-" + std::string(to_text(options.base));
  return name;
}

// Layers that are left alone, which ascend: "-every4", "-dense0+1", "-dense0-3+8" (three or more in
// a row).
std::string dense_suffix(const SelectorOptions& options) {
  std::string suffix;
  if (options.dense_every > 0) suffix += fmt::format("-every{}", options.dense_every);
  const std::vector<int>& layers = options.dense_layers;
  for (size_t i = 0; i < layers.size();) {
    size_t end = i + 1;
    while (end < layers.size() && layers[end] == layers[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    suffix += fmt::format("{}{}", i == 0 ? "-dense" : "+", layers[i]);
    if (end - i > 1) suffix += fmt::format("-{}", layers[end - 1]);
    i = end;
  }
  return suffix;
}

Result<void> add_seeds(AttentionArm arm, int64_t seeds, std::vector<AttentionArm>& arms) {
  // What the model is does not matter to the checks.
  constexpr AttentionShape kAny{.query_heads = 1, .kv_heads = 1, .head_size = 1};
  constexpr int kManyLayers = 10'000;
  if (const auto made = make_selector(arm.options, kAny, kManyLayers); !made)
    return fail(ErrorCode::kUsage, "arm {}: {}", arm.name, made.error().message);
  if (!draws(arm.options)) {
    arms.push_back(std::move(arm));
    return {};
  }
  const std::string stem = arm.name;
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    arm.options.seed = static_cast<uint64_t>(seed);
    arm.name = fmt::format("{}-s{}", stem, seed);
    arms.push_back(arm);
  }
  return {};
}

Json selector_json(const AttentionArm& arm) {
  const SelectorOptions& options = arm.options;
  return {{"name", arm.name},
          {"kind", to_text(options.kind)},
          {"base", to_text(options.base)},
          {"budget", options.budget},
          {"block", options.block},
          {"sinks", options.sinks},
          {"window", options.window},
          {"scope", to_text(options.scope)},
          {"sharing", to_text(options.sharing)},
          {"dense_layers", options.dense_layers},
          {"dense_every", options.dense_every},
          {"sliding_layers", options.sliding_layers},
          {"seed", options.seed},
          {"observed", options.observed},
          {"pooling", options.pooling}};
}

}  // namespace

Result<std::vector<AttentionArm>> arms_of(const ArmList& list) {
  std::vector<AttentionArm> arms;
  if (list.seeds < 1) return fail(ErrorCode::kUsage, "seeds must be 1 or more");
  for (const std::string& kind : list.kinds) {
    TRY(SelectorOptions options, kind_of(kind, list.options));
    const bool full = options.kind == SelectorKind::kFull;  // all of its layers are dense
    const std::string suffix = full ? "" : dense_suffix(options);
    if (!has_budget(options)) {
      options.budget = 0;
      if (full) {  // one and the same beside any intervention
        options.dense_layers.clear();
        options.dense_every = 0;
      }
      TRY_VOID(add_seeds({stem_of(options) + suffix, options}, list.seeds, arms));
      continue;
    }
    if (list.budgets.empty())
      return fail(ErrorCode::kUsage, "arm {} needs a budget of tokens; give --budget 256,512",
                  kind);
    for (const int64_t budget : list.budgets) {
      options.budget = budget;
      const std::string name = fmt::format("{}-{}{}", stem_of(options), budget, suffix);
      TRY_VOID(add_seeds({name, options}, list.seeds, arms));
    }
  }
  std::set<std::string> names;
  for (const AttentionArm& arm : arms)
    if (!names.insert(arm.name).second)
      return fail(ErrorCode::kUsage, "arm {} is named twice", arm.name);
  return arms;
}

Json arm_json(const AttentionArm& arm) {
  const SelectorOptions& options = arm.options;
  Json json =
      arm.server.empty()
          ? selector_json(arm)
          : Json{{"name", arm.name}, {"kind", to_text(options.kind)}, {"server", arm.server}};
  if (!arm.only_failed.empty()) json["only_failed"] = arm.only_failed;
  return json;
}

Result<AttentionArm> arm_from_json(const JsonReader& reader) {
  AttentionArm arm;
  SelectorOptions& options = arm.options;
  TRY(arm.name, reader.text("name"));
  TRY(const std::string kind, reader.text("kind"));
  TRY_CONTEXT(options.kind, selector_from_text(kind), reader.where());
  if (reader.has("only_failed")) {
    TRY(arm.only_failed, reader.text("only_failed"));
  }
  if (reader.has("server")) {
    TRY(arm.server, reader.text("server"));
    return arm;
  }
  TRY(const std::string base, reader.text("base"));
  TRY_CONTEXT(options.base, selector_from_text(base), reader.where());
  TRY(options.budget, reader.integer("budget"));
  TRY(options.block, reader.integer("block"));
  TRY(options.sinks, reader.integer("sinks"));
  TRY(options.window, reader.integer("window"));
  TRY(const std::string scope, reader.text("scope"));
  TRY_CONTEXT(options.scope, scope_from_text(scope), reader.where());
  TRY(const std::string sharing, reader.text("sharing"));
  TRY_CONTEXT(options.sharing, sharing_from_text(sharing), reader.where());
  TRY(const Json* layers, reader.array("dense_layers"));
  for (const Json& layer : *layers) {
    if (!layer.is_number_integer())
      return fail(ErrorCode::kInput, "{}: key 'dense_layers' must hold whole numbers",
                  reader.where());
    options.dense_layers.push_back(layer.get<int>());
  }
  TRY(const int64_t every, reader.integer("dense_every"));
  options.dense_every = static_cast<int>(every);
  TRY(options.sliding_layers, reader.boolean("sliding_layers"));
  TRY(const int64_t seed, reader.integer("seed"));
  options.seed = static_cast<uint64_t>(seed);
  TRY(options.observed, reader.integer("observed"));
  TRY(options.pooling, reader.integer("pooling"));
  return arm;
}

}  // namespace fathom

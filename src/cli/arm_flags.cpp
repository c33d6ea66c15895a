#include "cli/arm_flags.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "cli/command.h"
#include "cli/suite_flags.h"

namespace fathom {
namespace {

Result<std::vector<int64_t>> numbers_of(const std::string& text, const char* flag) {
  std::vector<int64_t> numbers;
  for (const std::string& each : split_names(text)) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(each.data(), each.data() + each.size(), number);
    if (error != std::errc() || end != each.data() + each.size() || number < 0)
      return fail(ErrorCode::kUsage, "{}: '{}' is not a whole number from 0", flag, each);
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

void add_arm_flags(CLI::App& command, ArmFlags& flags) {
  SelectorOptions& options = flags.list.options;
  const auto add = [&](const char* name, auto& value, const char* help, const char* type) {
    return command.add_option(name, value, help)->type_name(type)->group("Attention arms");
  };
  add("--arms", flags.arms,
      "Ways to attend, on the same samples of a GGUF model: full, oracle (the evidence alone), "
      "oracle-random, streaming, random, quest, snapkv, h2o, tova, moba, bm25, knorm, "
      "vertical-slash, mass-oracle, knockout (full without the evidence), knockout:NAME, "
      "forced:NAME",
      "LIST");
  add("--budget", flags.budgets, "Tokens a query may read; every arm that has a budget gets each",
      "LIST");
  add("--block", options.block, "Tokens of a block (1: single tokens)", "N")->check(kNotNegative);
  add("--sinks", options.sinks, "First tokens that are always read", "N")->check(kNotNegative);
  add("--window", options.window, "Last tokens that are always read", "N")->check(kNotNegative);
  add("--scope", flags.scope,
      "What reads sparsely: decode (answers), question (what follows the context, too; the "
      "default), prefill (everything)",
      "SCOPE");
  add("--sharing", flags.sharing, "Whose choice: query-head, kv-union, kv-sum (the default), layer",
      "HOW");
  add("--dense-layers", flags.dense_layers, "Layers that read everything", "LIST");
  add("--dense-every", options.dense_every, "Every N-th layer reads everything (0: none)", "N")
      ->check(CLI::Range(0, 10'000));
  add("--observed", options.observed, "Queries that snapkv and vertical-slash look at", "N")
      ->check(kNotNegative);
  add("--pooling", options.pooling, "Width of snapkv's smoothing, odd", "N")->check(kNotNegative);
  add("--arm-seeds", flags.list.seeds, "Runs of arms that draw", "N")->check(kNotNegative);
  const std::map<std::string, ArmRecord> records = {{"coverage", ArmRecord::kCoverage},
                                                    {"selections", ArmRecord::kSelections}};
  add("--record", flags.record,
      "What is kept beside scores: coverage, or selections, too (the default): what each query "
      "read",
      "WHAT")
      ->transform(CLI::CheckedTransformer(records, CLI::ignore_case));
  command
      .add_flag("--sliding-layers", options.sliding_layers,
                "Mask layers with a sliding window, too, where it hides part of the context")
      ->group("Attention arms");
  command
      .add_flag("--noise-floor", flags.noise_floor,
                "Run full attention twice: what differs by chance")
      ->group("Attention arms");
}

Result<std::vector<AttentionArm>> arms_of(const ArmFlags& flags) {
  ArmList list = flags.list;
  list.kinds = split_names(flags.arms);
  TRY(list.budgets, numbers_of(flags.budgets, "--budget"));
  TRY(const std::vector<int64_t> dense, numbers_of(flags.dense_layers, "--dense-layers"));
  for (const int64_t layer : dense)
    list.options.dense_layers.push_back(static_cast<int>(std::min<int64_t>(layer, 1 << 20)));
  std::sort(list.options.dense_layers.begin(), list.options.dense_layers.end());
  if (!flags.scope.empty()) {
    TRY_CONTEXT(list.options.scope, scope_from_text(flags.scope), "--scope");
  }
  if (!flags.sharing.empty()) {
    TRY_CONTEXT(list.options.sharing, sharing_from_text(flags.sharing), "--sharing");
  }
  TRY_CONTEXT(std::vector<AttentionArm> arms, arms_of(list), "--arms");
  if (flags.noise_floor) arms.push_back({"full-again", {.kind = SelectorKind::kFull}});
  return arms;
}

}  // namespace fathom

#include "cli/arm_flags.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "cli/command.h"
#include "cli/server_arms.h"
#include "cli/suite_flags.h"
#include "results/failed_samples.h"

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

// Flags that tell fathom's own selectors what to do tell a server nothing.
Result<std::vector<AttentionArm>> arms_of_servers(const ArmFlags& flags,
                                                  const std::vector<std::string>& entries) {
  const bool told = !flags.budgets.empty() || !flags.dense_layers.empty() || !flags.scope.empty() ||
                    !flags.sharing.empty() || flags.list.options != SelectorOptions{};
  if (told)
    return fail(ErrorCode::kUsage,
                "--budget, --block, --scope and the like are of fathom's own selectors; servers "
                "choose by themselves, and fathom coverage reads what they chose from their logs");
  TRY_CONTEXT(std::vector<AttentionArm> arms, server_arms_of(entries), "--arms");
  if (!flags.noise_floor) return arms;
  const auto full = std::ranges::find(arms, "full", &AttentionArm::name);
  if (full == arms.end())
    return fail(ErrorCode::kUsage, "--noise-floor asks full attention twice: name an arm full");
  if (std::ranges::find(arms, "full-again", &AttentionArm::name) != arms.end()) return arms;
  AttentionArm again = *full;
  again.name = "full-again";
  arms.push_back(std::move(again));
  return arms;
}

// Without what --only-failed says of them.
Result<std::vector<AttentionArm>> named_arms(const ArmFlags& flags) {
  ArmList list = flags.list;
  list.kinds = split_names(flags.arms);
  if (name_servers(list.kinds)) return arms_of_servers(flags, list.kinds);
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

}  // namespace

void add_selector_flags(CLI::App& command, ArmFlags& flags) {
  SelectorOptions& options = flags.list.options;
  const auto add = [&](const char* name, auto& value, const char* help, const char* type) {
    return command.add_option(name, value, help)->type_name(type)->group("Attention arms");
  };
  add("--arms", flags.arms,
      "Ways to attend, on the same samples of a GGUF model: full, oracle (the evidence alone), "
      "oracle-random, streaming, random, quest, snapkv, h2o, tova, moba, bm25, knorm, "
      "vertical-slash, mass-oracle, knockout (full without the evidence), knockout:NAME, "
      "forced:NAME; or servers and models by name: full=http://HOST:8000/v1,real=http://…",
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
  command
      .add_flag("--sliding-layers", options.sliding_layers,
                "Mask layers with a sliding window, too, where it hides part of the context")
      ->group("Attention arms");
}

void add_arm_flags(CLI::App& command, ArmFlags& flags) {
  add_selector_flags(command, flags);
  const std::map<std::string, ArmRecord> records = {{"coverage", ArmRecord::kCoverage},
                                                    {"selections", ArmRecord::kSelections},
                                                    {"deep", ArmRecord::kDeep}};
  command
      .add_option("--record", flags.record,
                  "What is kept beside scores: coverage; selections, too (the default): what each "
                  "query read; deep: keys and queries of full attention, too, for fathom replay")
      ->type_name("WHAT")
      ->group("Attention arms")
      ->transform(CLI::CheckedTransformer(records, CLI::ignore_case));
  command
      .add_option("--only-failed", flags.only_failed,
                  "Ask the arms only the samples that this arm of the folder, which has ended, "
                  "answered wrongly: what would have saved them? With another selector, budget, "
                  "or --dense-every")
      ->type_name("ARM")
      ->group("Attention arms");
  command
      .add_flag("--noise-floor", flags.noise_floor,
                "Run full attention twice: what differs by chance")
      ->group("Attention arms");
}

Result<std::vector<AttentionArm>> arms_of(const ArmFlags& flags) {
  TRY(std::vector<AttentionArm> arms, named_arms(flags));
  if (flags.only_failed.empty()) return arms;
  if (arms.empty()) return fail(ErrorCode::kUsage, "--only-failed needs --arms");
  for (AttentionArm& arm : arms) arm.only_failed = flags.only_failed;
  TRY_VOID(check_only_failed(arms));
  return arms;
}

}  // namespace fathom

#include "cli/server_arms.h"

#include <algorithm>
#include <set>

#include "model/server_address.h"

namespace fathom {
namespace {

constexpr size_t kLongestName = 64;

bool is_address(const std::string& where) { return where.find("://") != std::string::npos; }

// A folder beside the study's own files.
Result<void> check_name(const std::string& name) {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  const bool starts_well = !name.empty() && name.front() != '.' && name.front() != '-';
  if (!plain || !starts_well || name.size() > kLongestName)
    return fail(ErrorCode::kUsage,
                "'{}' cannot name an arm: up to {} letters, digits, '-', '_' and '.', the first a "
                "letter or digit",
                name, kLongestName);
  for (const char* taken : {"dataset", "arms.json", "samples.jsonl", "arms-summary.json",
                            "report.html", "run.json", "attempts.jsonl"})
    if (name == taken)
      return fail(ErrorCode::kUsage, "'{}' cannot name an arm: the study keeps a file there", name);
  return {};
}

Result<void> check_where(const std::string& name, const std::string& where) {
  if (is_address(where)) {
    TRY_VOID(parse_server_address(where));
    return {};
  }
  if (where.starts_with("openai/") || where.starts_with("simulated/")) return {};
  return fail(ErrorCode::kUsage,
              "{}={}: neither a server's address (http://HOST:PORT/v1) nor a model (openai/NAME, "
              "simulated/PROFILE); arms of a GGUF file are selectors: full,oracle,quest",
              name, where);
}

SelectorKind part_of(const std::string& name) {
  if (name == "full" || name == "full-again") return SelectorKind::kFull;
  return name == "oracle" ? SelectorKind::kEvidence : SelectorKind::kExternal;
}

}  // namespace

bool name_servers(const std::vector<std::string>& entries) {
  return std::ranges::any_of(
      entries, [](const std::string& each) { return each.find('=') != std::string::npos; });
}

Result<std::vector<AttentionArm>> server_arms_of(const std::vector<std::string>& entries) {
  std::vector<AttentionArm> arms;
  std::set<std::string> names;
  for (const std::string& entry : entries) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos)
      return fail(ErrorCode::kUsage,
                  "'{}' is a selector of fathom's own beside arms that servers answer; put each "
                  "kind in a study of its own",
                  entry);
    AttentionArm arm{.name = entry.substr(0, equals), .server = entry.substr(equals + 1)};
    TRY_VOID(check_name(arm.name));
    TRY_VOID(check_where(arm.name, arm.server));
    if (!names.insert(arm.name).second)
      return fail(ErrorCode::kUsage, "arm {} is named twice", arm.name);
    const auto same = std::ranges::find(arms, arm.server, &AttentionArm::server);
    if (same != arms.end() && arm.name != "full-again")
      return fail(ErrorCode::kUsage,
                  "arms {} and {} are both {}; to see what differs by chance name the second one "
                  "full-again",
                  same->name, arm.name, arm.server);
    arm.options.kind = part_of(arm.name);
    arms.push_back(std::move(arm));
  }
  return arms;
}

Result<ModelFlags> flags_of_arm(const AttentionArm& arm, const ModelFlags& flags) {
  ModelFlags own = flags;
  if (!is_address(arm.server)) {
    if (!flags.model.model.empty())
      return fail(ErrorCode::kUsage, "--model {} and --arms {}={}: give one of them",
                  flags.model.model, arm.name, arm.server);
    own.model.model = arm.server;
    return own;
  }
  if (!flags.model.model.starts_with("openai/"))
    return fail(ErrorCode::kUsage,
                "--arms {}={}: an address needs --model openai/NAME, the name that servers know "
                "the model by",
                arm.name, arm.server);
  if (!flags.model.base_url.empty())
    return fail(ErrorCode::kUsage, "--base-url {} beside --arms {}={}: each arm has its address",
                flags.model.base_url, arm.name, arm.server);
  own.model.base_url = arm.server;
  return own;
}

}  // namespace fathom

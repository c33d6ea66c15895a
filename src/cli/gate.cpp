// fathom gate: a run held against a policy; its exit code is the verdict.
#include "gate/gate.h"

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/terminal.h"
#include "coverage/coverage_file.h"
#include "io/file.h"
#include "report/gate_files.h"
#include "report/gate_table.h"
#include "results/arm_folder.h"
#include "results/run_folder.h"

namespace fathom {
namespace {

struct GateFlags {
  std::string folder;
  std::string policy;
  std::string baseline;
  std::string oracle;
  std::string output;
  bool partial = false;
  bool shared = false;
  bool json = false;
  int threads = 0;
};

// The folder that was named; else, for an arm of a study, that of the study's arm of this kind.
Result<std::string> folder_beside(const std::string& named, const std::string& run,
                                  SelectorKind kind, const char* what) {
  if (!named.empty()) return named;
  const std::string study = std::filesystem::path(run + "/..").lexically_normal().string();
  if (!is_arm_folder(study)) return named;
  TRY(const std::vector<AttentionArm> arms, read_arms(study));
  for (const AttentionArm& arm : arms) {
    const std::string folder = std::filesystem::path(study) / arm.name;
    if (arm.options.kind != kind || !file_exists(folder + "/run.json")) continue;
    print_note(fmt::format("{}: {}, of the same study", what, folder));
    return folder;
  }
  return named;
}

Result<int> gate(const GateFlags& flags) {
  TRY(const Policy policy, load_policy(flags.policy));
  TRY(const FinishedRun run, read_run(flags.folder, flags.threads));
  std::optional<FinishedRun> earlier;
  std::optional<ComparedRun> baseline;
  std::optional<FinishedRun> oracle;
  GateProofs proofs;
  const auto needs = [&](auto what) { return std::ranges::any_of(policy.rules, what); };
  std::string before = flags.baseline;
  if (needs([](const PolicyRule& rule) { return rule.needs_baseline(); })) {
    TRY(before, folder_beside(before, flags.folder, SelectorKind::kFull, "baseline"));
  }
  if (!before.empty()) {
    TRY(earlier, read_run(before, flags.threads));
    baseline = compared(*earlier);
  }
  std::string alone = flags.oracle;
  if (needs([](const PolicyRule& rule) { return rule.kind == RuleKind::kLosses; })) {
    TRY(alone, folder_beside(alone, flags.folder, SelectorKind::kEvidence, "oracle"));
  }
  if (!alone.empty()) {
    TRY(oracle, read_run(alone, flags.threads));
    proofs.oracle = compared(*oracle);
  }
  TRY(proofs.coverage, read_coverage(flags.folder + "/coverage.jsonl"));
  TRY(proofs.audit, read_audit_record(run.dataset_folder));
  TRY(const GateResult result,
      check_gate(policy, compared(run), baseline,
                 {.partial = flags.partial, .shared_only = flags.shared}, proofs));
  if (!flags.output.empty()) {
    TRY_VOID(write_gate_files(flags.output, result));
    print_note(fmt::format("gate: {0}/gate.json, gate.junit.xml, gate.md", flags.output));
  }
  if (flags.json) {
    print(to_pretty_json(gate_json(result)));
  } else {
    const Terminal terminal = stdout_terminal();
    print_text(gate_table(result, {static_cast<size_t>(terminal.width), terminal.color}));
  }
  return result.exit_code;
}

}  // namespace

void add_gate(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<GateFlags>();
  CLI::App* command = add_command(
      app, "gate", "Hold a run against a policy; the exit code is the verdict",
      "  fathom gate runs/new --policy regression --baseline runs/old\n"
      "  fathom gate runs/new --policy policy.yaml -o gate/     gate.json, gate.junit.xml, "
      "gate.md\n"
      "  fathom gate runs/arms/quest-256 --policy sparse-64k      an arm against its study's full "
      "attention\n"
      "\nExit code: 0 no rule fails, 100 a rule fails; where rules are unresolved and none fails, "
      "what the\npolicy says (0 unless it says otherwise). Ready policies: " +
          fmt::format("{}", fmt::join(embedded_policies(), ", ")) + ".\n");
  command->add_option("run", flags->folder, "Run folder")->required()->type_name("FOLDER");
  command
      ->add_option("--policy", flags->policy,
                   "A YAML file (docs/formats/policy.md), or the name of a ready policy")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--baseline", flags->baseline,
                   "Run folder of what must not get worse, on the same samples")
      ->type_name("FOLDER");
  command
      ->add_option("--oracle", flags->oracle,
                   "Run folder of the arm that reads the evidence alone, for rules about losses; "
                   "an arm of a study finds it, and full attention as its baseline, beside itself")
      ->type_name("FOLDER");
  command->add_option("-o,--output", flags->output, "Folder for gate.json, gate.junit.xml, gate.md")
      ->type_name("FOLDER");
  command->add_flag("--shared", flags->shared,
                    "Compare with the baseline by the samples that both have");
  command->add_flag("--partial", flags->partial, "Gate a run that is not finished");
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_option("--threads", flags->threads, "0: all cores")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command->callback([&chosen, flags] { chosen.action = [flags] { return gate(*flags); }; });
}

}  // namespace fathom

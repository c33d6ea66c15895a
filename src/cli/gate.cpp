// fathom gate: a run held against a policy; its exit code is the verdict.
#include "gate/gate.h"

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/gate_files.h"
#include "report/gate_table.h"
#include "results/run_folder.h"

namespace fathom {
namespace {

struct GateFlags {
  std::string folder;
  std::string policy;
  std::string baseline;
  std::string output;
  bool partial = false;
  bool shared = false;
  bool json = false;
  int threads = 0;
};

Result<int> gate(const GateFlags& flags) {
  TRY(const Policy policy, load_policy(flags.policy));
  TRY(const FinishedRun run, read_run(flags.folder, flags.threads));
  std::optional<FinishedRun> earlier;
  std::optional<ComparedRun> baseline;
  if (!flags.baseline.empty()) {
    TRY(earlier, read_run(flags.baseline, flags.threads));
    baseline = compared(*earlier);
  }
  TRY(const GateResult result, check_gate(policy, compared(run), baseline,
                                          {.partial = flags.partial, .shared_only = flags.shared}));
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

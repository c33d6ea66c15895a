// fathom compare: runs on the same samples, held against the first.
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/comparison_files.h"
#include "report/comparison_table.h"
#include "results/run_folder.h"
#include "suite/suite.h"

namespace fathom {
namespace {

struct CompareOptions {
  std::vector<std::string> folders;
  std::string output;
  std::string lengths;
  double wanted = 0.02;
  double confidence = kConfidence;
  bool shared = false;
  bool unpaired = false;
  bool strict = false;
  bool json = false;
  int threads = 0;
};

Result<ComparisonOptions> comparison_options(const CompareOptions& options) {
  ComparisonOptions out{.reading = options.strict ? Reading::kStrict : Reading::kOfficial,
                        .shared_only = options.shared,
                        .unpaired = options.unpaired,
                        .wanted = options.wanted,
                        .confidence = options.confidence};
  if (options.shared && options.unpaired)
    return fail(ErrorCode::kUsage,
                "--shared pairs what both have, --unpaired pairs nothing: give one of them");
  if (!options.lengths.empty()) {
    TRY_CONTEXT(out.lengths, parse_lengths(options.lengths), "--lengths");
  }
  return out;
}

Result<int> compare(const CompareOptions& options) {
  if (options.folders.size() < 2)
    return fail(ErrorCode::kUsage,
                "compare needs two run folders or more: fathom compare BASELINE RUN");
  TRY(const ComparisonOptions how, comparison_options(options));
  TRY(const FinishedRun baseline, read_run(options.folders.front(), options.threads));
  std::vector<Comparison> comparisons;
  for (size_t i = 1; i < options.folders.size(); ++i) {
    TRY(const FinishedRun run, read_run(options.folders[i], options.threads));
    TRY(Comparison comparison, compare_runs(compared(baseline), compared(run), how));
    comparisons.push_back(std::move(comparison));
  }
  if (!options.output.empty()) {
    TRY_VOID(write_comparison_files(options.output, comparisons));
    print_note(fmt::format("comparison: {0}/comparison.json, .csv, .md", options.output));
  }
  if (options.json) {
    print(to_pretty_json(comparison_json(comparisons)));
    return 0;
  }
  const Terminal terminal = stdout_terminal();
  for (size_t i = 0; i < comparisons.size(); ++i)
    print_text(
        (i == 0 ? "" : "\n") +
        comparison_table(comparisons[i], {static_cast<size_t>(terminal.width), terminal.color}));
  return 0;
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = add_command(
      app, "compare", "Compare runs on the same samples with the first one, pair by pair",
      "  fathom compare runs/before runs/after\n"
      "  fathom compare runs/full runs/sparse-1k runs/sparse-2k --strict -o comparison/\n"
      "  fathom compare runs/before runs/after --want 0.01      samples needed to see 1 point\n"
      "  fathom compare runs/short runs/long --shared           what both have\n"
      "\nBoth runs need the same samples, byte for byte: make them once (fathom generate … -o "
      "data/) "
      "and run\nboth models on them (fathom run data/ …), or run one suite with one tokenizer and "
      "seed.\n");
  command->add_option("runs", options->folders, "Run folders; the first is the baseline")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("-o,--output", options->output,
                   "Folder for comparison.json, comparison.csv, comparison.md")
      ->type_name("FOLDER");
  command->add_option("--lengths", options->lengths, "Only these lengths, as 4k,8k or 4k..64k")
      ->type_name("LIST");
  command->add_flag("--strict", options->strict,
                    "Compare strict scores: no denial, no hedge, no wrong candidate besides");
  command->add_flag("--shared", options->shared,
                    "Compare the samples that both have, where not all are shared");
  command->add_flag("--unpaired", options->unpaired,
                    "Compare as independent groups, cell by cell; sees far less");
  command
      ->add_option("--want", options->wanted,
                   "Say how many samples it takes to see a difference of this share")
      ->check(CLI::Range(0.0001, 0.9999))
      ->capture_default_str()
      ->type_name("SHARE");
  command->add_option("--confidence", options->confidence, "Of intervals and of the verdict")
      ->check(CLI::Range(0.5, 0.9999))
      ->capture_default_str()
      ->type_name("SHARE");
  command->add_flag("--json", options->json, "Print the comparison as JSON");
  command->add_option("--threads", options->threads, "0: all cores")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command->callback(
      [&chosen, options] { chosen.action = [options] { return compare(*options); }; });
}

}  // namespace fathom

// fathom score: grades again without the model; also other tools' prediction files.
#include "cli/command.h"
#include "cli/kept.h"
#include "cli/label_agreement.h"
#include "cli/progress_note.h"
#include "cli/result_flags.h"
#include "cli/results_output.h"
#include "cli/terminal.h"
#include "report/result_files.h"
#include "report/terminal_table.h"
#include "results/grader_agreement.h"
#include "results/ruler_predictions.h"
#include "run/journal.h"
#include "suite/ruler_files.h"

namespace fathom {
namespace {

struct ScoreOptions {
  std::string folder;
  std::string predictions;
  std::string labels;
  std::string output;
  ResultFlags flags;
  bool json = false;
};

// A run of an older fathom lacks what grading wants to know of its samples. They are made again
// without the model; where that cannot be, answers are graded by their references alone.
Result<void> renew_sample_index(const std::string& folder) {
  const std::string index = folder + "/samples.jsonl";
  if (is_current_sample_index(index)) return {};
  TRY(const RunRecord record, read_run_record(folder));
  const auto renew = [&]() -> Result<size_t> {
    TRY(const Dataset dataset, Dataset::open(dataset_of_run(folder, record)));
    return remake_sample_index(index, dataset, progress_note("reading samples"));
  };
  const auto renewed = renew();
  if (!renewed)
    print_note(
        fmt::format("note: {} is of an older fathom, so strict scores rest on the references "
                    "alone; its samples cannot be read again: {}",
                    index, renewed.error().message));
  if (renewed && *renewed > 0)
    print_note(
        fmt::format("note: {}: {} samples are made differently today; their strict scores "
                    "rest on the references alone",
                    index, *renewed));
  return {};
}

Result<int> score_run_folder(const ScoreOptions& options) {
  TRY_VOID(renew_sample_index(options.folder));
  TRY(const ResultsOptions how, results_options_of(options.flags));
  TRY(FinishedRun finished, read_run(options.folder, how));
  const FinishedRun& run = kept(std::move(finished));
  TRY_VOID(show_results({&run, 1}, options.json, options.flags.strict));
  TRY_VOID(write_results(run));
  return 0;
}

std::vector<ForeignAnswer> answers_of(const std::vector<RulerPredictionFile>& files) {
  std::vector<ForeignAnswer> answers;
  for (const RulerPredictionFile& file : files) {
    int64_t index = 0;
    for (const RulerPrediction& row : file.rows)
      answers.push_back({file.task, file.length != 0 ? file.length : row.length, index++,
                         row.outputs, row.prediction, file.metric, row.null_output});
  }
  return answers;
}

Result<int> score_predictions(const ScoreOptions& options) {
  TRY(const auto files, read_ruler_predictions(options.predictions));
  TRY(const ResultsOptions how, results_options_of(options.flags));
  TRY(const Results results, results_of_predictions(answers_of(files), how));
  RunDescription description;
  description.name = options.predictions;
  description.model = options.predictions;
  description.provider = "predictions";
  description.suite = "RULER's prediction files";
  description.settings = "answers made elsewhere";
  if (!options.output.empty()) TRY_VOID(write_result_files(options.output, results, description));
  if (options.json) {
    print(to_pretty_json(summary_json(results, description)));
    return 0;
  }
  const Terminal terminal = stdout_terminal();
  print_text(
      terminal_table(results, description,
                     {static_cast<size_t>(terminal.width), terminal.color, options.flags.strict}));
  return 0;
}

Result<int> score_labels(const ScoreOptions& options) {
  TRY(const std::vector<LabelledReply> labels, read_labels(options.labels));
  std::vector<SampleFacts> samples;
  std::vector<Attempt> attempts;
  if (!options.folder.empty()) {
    TRY_VOID(renew_sample_index(options.folder));
    TRY(std::vector<SampleLine> index, read_sample_index(options.folder + "/samples.jsonl"));
    for (SampleLine& line : index) samples.push_back(std::move(line.facts));
    TRY(attempts, read_attempts(options.folder));
  }
  TRY(const GraderAgreement agreement,
      grader_agreement(labels, samples, attempts, options.flags.threads));
  print(options.json ? to_pretty_json(agreement_json(agreement)) : agreement_text(agreement));
  return 0;
}

Result<int> score(const ScoreOptions& options) {
  if (!options.labels.empty() && !options.predictions.empty())
    return fail(ErrorCode::kUsage,
                "--labels grades a run, or a label file with answers in it; it "
                "does not go with --ruler-predictions");
  if (!options.labels.empty()) return score_labels(options);
  if (options.folder.empty() == options.predictions.empty())
    return fail(ErrorCode::kUsage,
                "score needs a run folder, --labels FILE or --ruler-predictions FOLDER");
  return options.folder.empty() ? score_predictions(options) : score_run_folder(options);
}

}  // namespace

void add_score(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = add_command(
      app, "score",
      "Grade a run again without its model, or RULER's prediction files; check the grader",
      "  fathom score runs/a\n"
      "  fathom score --ruler-predictions results/llama/synthetic/4096/pred\n"
      "  fathom score runs/a --labels labels.jsonl\n");
  command->add_option("run", options->folder, "Run folder")->type_name("FOLDER");
  command
      ->add_option("--ruler-predictions", options->predictions,
                   "Folder with RULER's TASK.jsonl prediction files")
      ->type_name("FOLDER");
  command
      ->add_option("--labels", options->labels,
                   "Labels that people gave: print how far the grader agrees with them")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "With --ruler-predictions: folder for the result files")
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  add_result_flags(*command, options->flags);
  command->callback([&chosen, options] { chosen.action = [options] { return score(*options); }; });
}

}  // namespace fathom

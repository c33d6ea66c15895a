// fathom score: grades again without the model; also other tools' prediction files.
#include "cli/command.h"
#include "cli/results_output.h"
#include "cli/terminal.h"
#include "report/result_files.h"
#include "report/terminal_table.h"
#include "results/ruler_predictions.h"
#include "suite/ruler_files.h"

namespace fathom {
namespace {

struct ScoreOptions {
  std::string folder;
  std::string predictions;
  std::string output;
  bool json = false;
  int threads = 0;
};

Result<int> score_run_folder(const ScoreOptions& options) {
  TRY(const FinishedRun run, read_run(options.folder, options.threads));
  TRY_VOID(show_results(run, options.json));
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
  TRY(const Results results, results_of_predictions(answers_of(files), options.threads));
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
  print(
      terminal_table(results, description, {static_cast<size_t>(terminal.width), terminal.color}));
  return 0;
}

Result<int> score(const ScoreOptions& options) {
  if (options.folder.empty() == options.predictions.empty())
    return fail(ErrorCode::kUsage, "score needs a run folder, or --ruler-predictions FOLDER");
  return options.folder.empty() ? score_predictions(options) : score_run_folder(options);
}

}  // namespace

void add_score(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ScoreOptions>();
  CLI::App* command =
      add_command(app, "score", "Grade a run again without its model, or RULER's prediction files",
                  "  fathom score runs/a\n"
                  "  fathom score --ruler-predictions results/llama/synthetic/4096/pred\n");
  command->add_option("run", options->folder, "Run folder")->type_name("FOLDER");
  command
      ->add_option("--ruler-predictions", options->predictions,
                   "Folder with RULER's TASK.jsonl prediction files")
      ->type_name("FOLDER");
  command
      ->add_option("-o,--output", options->output,
                   "With --ruler-predictions: folder for the result files")
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  command->add_option("--threads", options->threads, "0: all cores")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command->callback([&chosen, options] { chosen.action = [options] { return score(*options); }; });
}

}  // namespace fathom

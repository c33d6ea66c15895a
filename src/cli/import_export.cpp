// fathom import and export: other tools' files in and out.
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/inspect_log.h"
#include "report/lm_eval.h"
#include "suite/factory.h"
#include "suite/ruler_files.h"

namespace fathom {
namespace {

struct ImportOptions {
  std::string path;
  std::string folder;
  std::string tokenizer;
  RulerImportOptions ruler;
};

Result<int> import_files(const ImportOptions& options) {
  RulerImportOptions ruler = options.ruler;
  std::shared_ptr<const Tokenizer> tokenizer;
  if (!options.tokenizer.empty()) {
    TRY(tokenizer, load_tokenizer(options.tokenizer));
    ruler.tokenizer = tokenizer.get();
  }
  TRY(const WriteResult written, import_ruler(options.path, options.folder, ruler));
  print(fmt::format("{}: {} samples {}\n", options.folder, written.manifest.samples,
                    written.existed ? "were there already" : "imported"));
  return 0;
}

Result<int> export_files(const std::string& dataset_folder, const std::string& folder) {
  TRY(const Dataset dataset, Dataset::open(dataset_folder));
  MakeSample make;
  if (dataset.needs_maker()) {
    TRY(const SampleFactory factory, open_factory(dataset.manifest().recipe));
    make = factory.make;
  }
  TRY(const auto reader, dataset.read(make));
  TRY(const int64_t count, export_ruler(*reader, folder));
  print(fmt::format("{}: {} samples in RULER's form\n", folder, count));
  return 0;
}

struct RunExportOptions {
  std::string run;
  std::string output;
  bool without_prompts = false;
};

Result<int> export_to_lm_eval(const RunExportOptions& options) {
  TRY(const FinishedRun run, read_run(options.run, 0));
  TRY(const LmEvalExport made, export_lm_eval(run, options.output, !options.without_prompts));
  print(fmt::format("{}\n", made.results_file));
  for (const std::string& file : made.sample_files) print(fmt::format("{}\n", file));
  return 0;
}

Result<int> export_to_inspect(const RunExportOptions& options) {
  constexpr int64_t kSlowBytes = 50'000'000;  // inspect's own word on large JSON logs
  TRY(const FinishedRun run, read_run(options.run, 0));
  TRY(const InspectExport made, export_inspect_log(run, options.output, !options.without_prompts));
  print(fmt::format("{}: {} samples\n", options.output, made.samples));
  if (made.bytes > kSlowBytes && !options.without_prompts)
    print_note(
        fmt::format("note: the log is {} MB, which inspect reads slowly; --without-prompts "
                    "makes a small one",
                    made.bytes / 1'000'000));
  return 0;
}

void add_run_export(CLI::App& command, Chosen& chosen, const char* name, const char* summary,
                    const char* output_help, const char* output_type,
                    Result<int> (*action)(const RunExportOptions&)) {
  auto options = std::make_shared<RunExportOptions>();
  CLI::App* one = command.add_subcommand(name, summary);
  one->add_option("run", options->run, "Run folder")->required()->type_name("FOLDER");
  one->add_option("-o,--output", options->output, output_help)->required()->type_name(output_type);
  one->add_flag("--without-prompts", options->without_prompts,
                "Leave the prompts out: small files, private texts stay here");
  one->callback([&chosen, options, action] {
    chosen.action = [options, action] { return action(*options); };
  });
}

}  // namespace

void add_import(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = add_command(app, "import", "Load other tools' datasets",
                                  "  fathom import ruler ruler-data/ -t tokenizer.json -o data/\n");
  command->require_subcommand(1);
  CLI::App* ruler = command->add_subcommand(
      "ruler", "RULER's JSONL files: LENGTH/TASK/validation.jsonl, any era, NeMo-Skills too");
  ruler->add_option("path", options->path, "Folder or file")->required()->type_name("PATH");
  ruler->add_option("-o,--output", options->folder, "Folder for the dataset")
      ->required()
      ->type_name("FOLDER");
  ruler
      ->add_option("-t,--tokenizer", options->tokenizer,
                   "Counts the prompts again and finds the evidence's tokens")
      ->type_name("FILE");
  ruler->add_option("--length", options->ruler.length, "Length of files that do not say theirs")
      ->type_name("N");
  ruler->add_flag("--compress", options->ruler.compress, "Write samples.jsonl.zst");
  ruler->callback(
      [&chosen, options] { chosen.action = [options] { return import_files(*options); }; });
}

void add_export(CLI::App& app, Chosen& chosen) {
  auto dataset = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  CLI::App* command = add_command(app, "export", "Write a dataset or a run for other tools",
                                  "  fathom export ruler data/ -o ruler-data/\n"
                                  "  fathom export lm-eval runs/a -o lm-eval/\n"
                                  "  fathom export inspect runs/a -o logs/a.json\n");
  command->require_subcommand(1);
  CLI::App* ruler =
      command->add_subcommand("ruler", "RULER's JSONL files: LENGTH/TASK/validation.jsonl");
  ruler->add_option("dataset", *dataset, "Dataset folder")->required()->type_name("FOLDER");
  ruler->add_option("-o,--output", *folder, "Folder to write to")->required()->type_name("FOLDER");
  ruler->callback([&chosen, dataset, folder] {
    chosen.action = [dataset, folder] { return export_files(*dataset, *folder); };
  });
  add_run_export(*command, chosen, "lm-eval",
                 "A run as lm-evaluation-harness's results and samples files", "Folder to write to",
                 "FOLDER", export_to_lm_eval);
  add_run_export(*command, chosen, "inspect", "A run as an inspect log (JSON, version 2)",
                 "The log, NAME.json", "FILE", export_to_inspect);
}

}  // namespace fathom

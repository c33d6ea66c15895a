// fathom generate: a suite's samples into a folder, as JSON lines or as a recipe; or one sample
// alone.
#include "cli/command.h"
#include "cli/progress_note.h"
#include "cli/suite_flags.h"
#include "cli/terminal.h"
#include "io/file.h"
#include "io/json.h"
#include "suite/dataset.h"
#include "suite/factory.h"
#include "suite/sample_access.h"
#include "suite/sample_json.h"
#include "text/nearest.h"

namespace fathom {
namespace {

struct GenerateOptions {
  SuiteFlags suite;
  std::string folder;
  std::string only;
  std::string shard;
  bool recipe = false;
  bool compress = false;
  bool unchecked = false;
  bool json = false;
  int threads = 0;
};

Result<int> write_only(const Sample& sample, const GenerateOptions& options) {
  const std::string line = sample_to_json(sample);
  if (options.folder.empty()) {
    print(line + "\n");
    return 0;
  }
  TRY_VOID(make_directories(options.folder));
  TRY_VOID(write_file_atomic(options.folder + "/sample.json", line + "\n"));
  TRY_VOID(write_file_atomic(options.folder + "/prompt.txt", sample.full_text()));
  print_note(
      fmt::format("{}: {} tokens; {}/prompt.txt holds the prompt, sample.json everything else",
                  sample.id, sample.tokens.total, options.folder));
  return 0;
}

Result<int> only_of_dataset(const GenerateOptions& options) {
  TRY(const Dataset dataset, Dataset::open(options.suite.suite));
  TRY(const auto samples, open_samples(dataset));
  const Suite& suite = dataset.manifest().recipe.suite;
  std::vector<SampleSlot> slots;  // of a recipe: an id is known before its sample is made
  if (dataset.needs_maker()) slots = shard_slots(suite, dataset.manifest().shard);
  for (size_t place = 0; place < static_cast<size_t>(dataset.manifest().samples); ++place) {
    if (place < slots.size() && slot_id(suite, slots[place]) != options.only) continue;
    TRY(const Sample sample, samples->at(place));
    if (sample.id == options.only) return write_only(sample, options);
  }
  return fail(ErrorCode::kUsage, "{}: it holds no sample '{}'", options.suite.suite, options.only);
}

Result<int> only_of_suite(const SampleFactory& factory, const GenerateOptions& options) {
  const Suite& suite = factory.recipe.suite;
  std::vector<std::string> ids;
  for (const SampleSlot& slot : suite_slots(suite)) {
    ids.push_back(slot_id(suite, slot));
    if (ids.back() != options.only) continue;
    TRY(const Sample sample, factory.make(slot));
    return write_only(sample, options);
  }
  return fail(ErrorCode::kUsage, "--only: the suite holds no sample '{}'{}", options.only,
              did_you_mean(options.only, ids));
}

std::string made_words(const WriteResult& written, const GenerateOptions& options) {
  const Manifest& manifest = written.manifest;
  if (options.json) {
    const Json made = {{"folder", options.folder},
                       {"samples", manifest.samples},
                       {"existed", written.existed},
                       {"samples_hash", manifest.samples_hash}};
    return to_json_line(made) + "\n";
  }
  return fmt::format("{}: {} samples {}, hash {}\n", options.folder, manifest.samples,
                     written.existed ? "were there already" : "made",
                     manifest.samples_hash.empty() ? "not checked" : manifest.samples_hash);
}

Result<int> generate(const GenerateOptions& options) {
  if (is_directory(options.suite.suite)) {
    if (!options.only.empty()) return only_of_dataset(options);
    return fail(ErrorCode::kUsage, "{}: is a dataset; give --only ID to make one of its samples",
                options.suite.suite);
  }
  TRY(const SuiteOverrides overrides, overrides_of(options.suite));
  TRY(const Suite suite, load_suite(options.suite.suite, overrides));
  for (const std::string& note : suite.notes) print_note("note: " + note);
  TRY(const SampleFactory factory,
      open_factory(suite, {.tokenizer = options.suite.tokenizer, .chat_template = ""}));
  if (!options.only.empty()) return only_of_suite(factory, options);
  if (options.folder.empty())
    return fail(ErrorCode::kUsage, "-o FOLDER is needed: where the dataset goes");
  WriteOptions write;
  write.form = options.recipe ? DatasetForm::kRecipe : DatasetForm::kSamples;
  write.compress = options.compress;
  write.check_recipe = !options.unchecked;
  write.threads = options.threads;
  write.progress = progress_note("making samples");
  if (!options.shard.empty()) {
    TRY(write.shard, parse_shard(options.shard));
  }
  TRY(const WriteResult written,
      write_dataset(options.folder, factory.recipe, write, factory.make));
  print(made_words(written, options));
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = add_command(
      app, "generate", "Make a suite's samples: exact lengths, evidence marked",
      "  fathom generate ruler -t tokenizer.json --lengths 4096,8192 --tasks niah_single_1,vt "
      "--samples 10 -o data/\n"
      "  fathom generate ruler -t model.gguf --template model --lengths 4k..128k --recipe -o "
      "data/\n"
      "  fathom generate my-suite.yaml -t tokenizer.json --compress -o data/\n"
      "  fathom generate ruler -t tokenizer.json --lengths 4096 --only niah_single_1:4096:0\n");
  command
      ->add_option("suite", options->suite.suite,
                   "Suite name or YAML file; a dataset folder with --only")
      ->required()
      ->type_name("SUITE");
  command->add_option("-o,--output", options->folder, "Folder for the dataset")
      ->type_name("FOLDER");
  add_suite_flags(*command, options->suite);
  command->add_option("--only", options->only, "Make one sample: to stdout, or with -o as files")
      ->type_name("ID");
  command->add_flag("--recipe", options->recipe,
                    "Store the recipe alone (kilobytes); samples are made when needed");
  command->add_flag("--unchecked", options->unchecked,
                    "With --recipe: do not make the samples once to record their hashes");
  command->add_flag("--compress", options->compress, "Write samples.jsonl.zst");
  command->add_option("--shard", options->shard, "Part i of n: 2/8")->type_name("I/N");
  command->add_option("--threads", options->threads, "0: all cores; the bytes do not depend on it")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->callback(
      [&chosen, options] { chosen.action = [options] { return generate(*options); }; });
}

}  // namespace fathom

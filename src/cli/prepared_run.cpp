#include "cli/prepared_run.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cli/progress_note.h"
#include "cli/terminal.h"
#include "io/file.h"
#include "io/json.h"
#include "suite/factory.h"

namespace fathom {
namespace {

constexpr int64_t kAnswerSlack =
    512;  // window beyond the length, for suites whose length leaves the answer out

bool is_gguf(const std::string& path) { return path.ends_with(".gguf"); }

Result<Suite> suite_of(const SuiteFlags& flags) {
  TRY(const SuiteOverrides overrides, overrides_of(flags));
  return load_suite(flags.suite, overrides);
}

int64_t longest(const Suite& suite) {
  int64_t length = 0;
  for (const SampleSlot& slot : suite_slots(suite)) length = std::max(length, slot.length);
  return length;
}

// The model's own template, kept with the dataset so that samples can be made again without the
// model.
Result<std::string> keep_template(const ModelProfile& profile, const std::string& folder) {
  const Json config = {{"chat_template", profile.chat_template},
                       {"bos_token", profile.bos_text},
                       {"eos_token", profile.eos_text}};
  const std::string path = folder + "/dataset/tokenizer_config.json";
  TRY_VOID(make_directories(folder + "/dataset"));
  TRY_VOID(write_file_atomic(path, to_pretty_json(config)));
  return path;
}

// With the template that the model told, where it told one.
Result<SampleFactory> factory_for(const SuiteFlags& flags, const Suite& suite,
                                  const std::string& model_path, const ModelProfile& profile,
                                  const std::string& folder) {
  FactorySources sources{flags.tokenizer, ""};
  if (sources.tokenizer.empty() && is_gguf(model_path)) sources.tokenizer = model_path;
  if ((suite.chat_template == "model" || suite.chat_template == "auto") &&
      !profile.chat_template.empty()) {
    TRY(sources.chat_template, keep_template(profile, folder));
  }
  return open_factory(suite, sources);
}

using SlotKey = std::tuple<size_t, int64_t, int64_t>;

// Writes the recipe and, on the way, describes every sample.
Result<Manifest> record_dataset(const SampleFactory& factory, const std::string& folder,
                                int threads) {
  const std::vector<SampleSlot> slots = suite_slots(factory.recipe.suite);
  std::map<SlotKey, size_t> places;
  for (size_t i = 0; i < slots.size(); ++i)
    places[{slots[i].task, slots[i].length, slots[i].index}] = i;
  std::vector<SampleLine> lines(slots.size());
  const MakeSample make = [&](const SampleSlot& slot) -> Result<Sample> {
    TRY(Sample sample, factory.make(slot));
    lines[places.at({slot.task, slot.length, slot.index})] = line_of(sample);
    return sample;
  };
  WriteOptions write;
  write.form = DatasetForm::kRecipe;
  write.threads = threads;
  write.progress = progress_note("making samples");
  TRY(const WriteResult written, write_dataset(folder + "/dataset", factory.recipe, write, make));
  const std::string index = folder + "/samples.jsonl";
  if (written.existed && is_current_sample_index(index)) return written.manifest;
  if (written.existed) {  // a kill came between the recipe and the index, or that is an older one
    for (const SampleSlot& slot : slots) TRY_VOID(make(slot));
  }
  if (written.existed) (void)keep_answered_samples(index, lines);
  TRY_VOID(write_sample_index(index, lines));
  return written.manifest;
}

Result<void> describe_dataset(const Dataset& dataset, const MakeSample& make,
                              const std::string& folder) {
  const std::string index = folder + "/samples.jsonl";
  TRY_VOID(dataset.verify());
  if (is_current_sample_index(index)) return {};
  std::vector<SampleLine> lines;
  TRY(const auto reader, dataset.read(make));
  const auto progress = progress_note("reading samples");
  for (;;) {
    TRY(const std::optional<Sample> sample, reader->next());
    if (!sample) break;
    lines.push_back(line_of(*sample));
    progress(static_cast<int64_t>(lines.size()), dataset.manifest().samples);
  }
  TRY_VOID(make_directories(folder));
  return write_sample_index(index, lines);
}

RunSettings settings_of(const PreparedRun& run, const ModelOptions& model,
                        const ModelProfile& profile, const RequestFlags& requests,
                        const std::string& dataset) {
  const Recipe& recipe = run.manifest.recipe;
  RunSettings settings;
  settings.model = model;
  settings.profile = profile;
  settings.decoding = requests.decoding;
  settings.max_output_tokens = requests.max_output_tokens;
  settings.add_special = recipe.add_special;
  settings.suite = recipe.suite.name;
  settings.dataset = dataset;
  settings.dataset_hash = dataset_hash(run.manifest);
  settings.tokenizer = recipe.tokenizer.source;
  settings.tokenizer_hash = recipe.tokenizer.hash;
  settings.chat_template = recipe.suite.chat_template;
  settings.template_hash = recipe.chat_template.hash;
  settings.length_counts = to_text(recipe.suite.length_counts);
  return settings;
}

// A dataset's samples are made: flags that would make others must not look as if they had done so.
Result<void> refuse_suite_flags(const SuiteFlags& flags) {
  const std::pair<const char*, bool> given[] = {{"--lengths", !flags.lengths.empty()},
                                                {"--tasks", !flags.tasks.empty()},
                                                {"--samples", flags.samples > 0},
                                                {"--seed", !flags.seed.empty()},
                                                {"--template", !flags.chat_template.empty()},
                                                {"--counts", !flags.length_counts.empty()},
                                                {"--wording", !flags.wording.empty()},
                                                {"--controls", !flags.controls.empty()},
                                                {"--no-answer-prefix", flags.no_answer_prefix},
                                                {"--corpus", !flags.corpora.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given)
      return fail(ErrorCode::kUsage,
                  "{}: {} is a frozen dataset, which has its own; generate another with this flag",
                  name, flags.suite);
  }
  return {};
}

// A tokenizer given beside a dataset must be the one that its lengths were counted with.
Result<void> check_tokenizer(const Dataset& dataset, const std::string& path) {
  TRY(const auto tokenizer, load_tokenizer(path));
  const SourceIdentity& made_with = dataset.manifest().recipe.tokenizer;
  if (made_with.hash.empty() || tokenizer->info().hash == made_with.hash) return {};
  return fail(ErrorCode::kUsage, "--tokenizer: {} was made with another tokenizer than {}",
              dataset.folder(), path);
}

Result<std::unique_ptr<SampleAccess>> access_of(const Dataset& dataset,
                                                const std::optional<SampleFactory>& factory) {
  if (!factory) return open_samples(dataset);
  return made_samples(shard_slots(dataset.manifest().recipe.suite, dataset.manifest().shard),
                      factory->make);
}

}  // namespace

Result<std::shared_ptr<const Sample>> IndexedSamples::sample(size_t position) {
  TRY(Sample sample, samples_->at(place_in_dataset(index_.at(position).facts, position)));
  return std::make_shared<const Sample>(std::move(sample));
}

Result<PreparedRun> prepare_run(const std::string& folder, const SuiteFlags& suite_flags,
                                const ModelFlags& model_flags, const RequestFlags& requests) {
  PreparedRun run;
  TRY(ModelOptions model, model_options_of(model_flags));
  std::optional<Dataset> dataset;
  Suite suite;
  if (is_directory(suite_flags.suite)) {
    TRY_VOID(refuse_suite_flags(suite_flags));
    TRY(dataset, Dataset::open(suite_flags.suite));
    suite = dataset->manifest().recipe.suite;
  } else {
    TRY(suite, suite_of(suite_flags));
    for (const std::string& note : suite.notes) print_note("note: " + note);
  }
  const ModelOptions given = model;
  if (is_gguf(model.model) && model.context_tokens == 0)
    model.context_tokens = longest(suite) + kAnswerSlack;
  TRY(run.model, open_model(model));
  TRY(const ModelProfile profile, run.model->probe());

  std::optional<SampleFactory> factory;
  if (!dataset) {
    TRY(factory, factory_for(suite_flags, suite, model.model, profile, folder));
    TRY(run.manifest, record_dataset(*factory, folder, model.threads));
    TRY(dataset, Dataset::open(folder + "/dataset"));
  } else {
    if (dataset->needs_maker()) {
      TRY(factory, open_factory(dataset->manifest().recipe, suite_flags.tokenizer));
    }
    if (!factory && !suite_flags.tokenizer.empty())
      TRY_VOID(check_tokenizer(*dataset, suite_flags.tokenizer));
    TRY_VOID(describe_dataset(*dataset, factory ? factory->make : nullptr, folder));
    run.manifest = dataset->manifest();
  }
  run.samples_of = [dataset = *dataset,
                    factory](const std::string& path) -> Result<std::unique_ptr<IndexedSamples>> {
    TRY(auto index, read_sample_index(path));
    TRY(auto samples, access_of(dataset, factory));
    return std::make_unique<IndexedSamples>(std::move(index), std::move(samples));
  };
  TRY(run.samples, run.samples_of(folder + "/samples.jsonl"));
  run.options.folder = folder;
  run.options.settings = settings_of(run, given, profile, requests, dataset->folder());
  run.options.limits = requests.limits;
  run.options.threads = model.threads;
  run.options.fathom_version = FATHOM_VERSION;
  return run;
}

}  // namespace fathom

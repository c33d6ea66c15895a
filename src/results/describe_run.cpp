#include <filesystem>

#include "base/clock.h"
#include "results/run_folder.h"

namespace fathom {
namespace {

std::string stem(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.ends_with(".gguf") ? name.substr(0, name.size() - 5) : name;
}

// As people call the model: a file's name without its end, else what comes after the provider.
std::string model_name(const RunSettings& settings) {
  if (settings.profile.provider == "gguf") return stem(settings.model.model);
  const size_t slash = settings.model.model.find('/');
  return slash == std::string::npos ? settings.model.model : settings.model.model.substr(slash + 1);
}

std::string decoding_words(const Decoding& decoding) {
  return decoding.temperature == 0
             ? "greedy"
             : fmt::format("temperature {:g}, top-p {:g}, seed {}", decoding.temperature,
                           decoding.top_p, decoding.seed);
}

std::string template_words(const Recipe& recipe) {
  return recipe.suite.chat_template == "none" ? "no chat template" : "chat template, no thinking";
}

std::string joined_lengths(const Suite& suite) {
  return fmt::format("{}", fmt::join(suite.lengths, ", "));
}

std::string short_hash(const std::string& hash) { return hash.substr(0, 16); }

class Conditions {
 public:
  explicit Conditions(std::string group) : group_(std::move(group)) {}
  void add(const std::string& name, const std::string& value) {
    if (!value.empty()) rows_.push_back({group_, name, value});
  }
  void append_to(std::vector<Condition>& all) const {
    all.insert(all.end(), rows_.begin(), rows_.end());
  }

 private:
  std::string group_;
  std::vector<Condition> rows_;
};

void add_model(const RunSettings& settings, std::vector<Condition>& all) {
  const ModelProfile& profile = settings.profile;
  Conditions model("Model");
  // A file's folder is nobody's business where a page is passed on.
  model.add("Name", profile.provider == "gguf" ? stem(settings.model.model) + ".gguf"
                                               : settings.model.model);
  model.add("Provider", profile.provider);
  model.add("Reported name", profile.name);
  model.add("Version", profile.version);
  model.add("Address", settings.model.base_url);
  if (profile.window_tokens > 0)
    model.add("Window", fmt::format("{} tokens", profile.window_tokens));
  model.add("Answer prefix", to_text(profile.prefix_policy));
  for (const std::string& note : profile.notes) model.add("Note", note);
  model.append_to(all);

  Conditions decoding("Decoding");
  decoding.add("Sampling", decoding_words(settings.decoding));
  decoding.add("Answer limit", settings.max_output_tokens > 0
                                   ? fmt::format("{} tokens", settings.max_output_tokens)
                                   : "each task's own reserve");
  decoding.add("Attempts per sample", std::to_string(settings.attempts));
  decoding.append_to(all);
}

void add_dataset(const Manifest& manifest, std::vector<Condition>& all) {
  const Recipe& recipe = manifest.recipe;
  Conditions data("Dataset");
  data.add("Suite", fmt::format("{} (version {})", recipe.suite.name, recipe.suite.version));
  data.add("Imported from", manifest.origin);
  data.add("Lengths", joined_lengths(recipe.suite));
  data.add("Length counts", to_text(recipe.suite.length_counts));
  data.add("Samples", std::to_string(manifest.samples));
  data.add("Seed", std::to_string(recipe.suite.seed));
  data.add("Tokenizer", fmt::format("{} ({})", stem(recipe.tokenizer.source),
                                    short_hash(recipe.tokenizer.hash)));
  data.add("Chat template",
           recipe.suite.chat_template == "none" ? "none" : short_hash(recipe.chat_template.hash));
  data.add("Wording",
           fmt::format("{} ({})", recipe.wording.source, short_hash(recipe.wording.hash)));
  for (const auto& [name, source] : recipe.corpora)
    data.add("Text: " + name, fmt::format("{} ({})", stem(source.source), short_hash(source.hash)));
  data.add("Hash", manifest.samples_hash.empty() ? recipe.hash() : manifest.samples_hash);
  data.append_to(all);
}

void add_machine(const RunRecord& record, std::vector<Condition>& all) {
  if (record.sessions.empty()) return;
  const RunSession& session = record.sessions.back();
  Conditions machine("Run");
  machine.add("fathom", session.fathom_version);
  machine.add("Processor", session.machine.cpu);
  machine.add("Cores", std::to_string(session.machine.cores));
  machine.add("Memory", fmt::format("{:.1f} GiB",
                                    static_cast<double>(session.machine.memory_bytes) / (1 << 30)));
  machine.add("System", session.machine.system);
  machine.add("Sessions", std::to_string(record.sessions.size()));
  machine.append_to(all);
}

}  // namespace

RunDescription describe_run(const std::string& folder, const RunRecord& record,
                            const Manifest& manifest) {
  const RunSettings& settings = record.settings;
  RunDescription description;
  description.name = std::filesystem::path(folder).lexically_normal().filename().string();
  if (description.name.empty())
    description.name = std::filesystem::path(folder).parent_path().filename().string();
  description.model = model_name(settings);
  description.provider = settings.profile.provider;
  description.suite = manifest.recipe.suite.name;
  description.simulated = settings.profile.provider == "simulated";
  description.started = utc_text(record.created_unix_ms);
  description.settings =
      fmt::format("{}, {}, answer prefix {}", decoding_words(settings.decoding),
                  template_words(manifest.recipe), to_text(settings.profile.prefix_policy));
  add_model(settings, description.conditions);
  add_dataset(manifest, description.conditions);
  add_machine(record, description.conditions);
  if (manifest.origin.empty())
    description.remake_command = fmt::format("fathom generate {} --only {{id}} -o sample/",
                                             shell_quoted(dataset_of_run(folder, record)));
  return description;
}

}  // namespace fathom

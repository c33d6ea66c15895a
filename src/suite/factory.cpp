#include "suite/factory.h"

#include <filesystem>
#include <future>

#include "corpus/corpora.h"
#include "io/file.h"
#include "suite/chat_template.h"
#include "suite/maker.h"
#include "suite/prompt.h"
#include "task/wording.h"

namespace fathom {
namespace {

// Templates of thinking models are rendered with thinking off: answers must fit the tasks' reserves
// (an arm of its own is R9).
const std::map<std::string, ParameterValue>& template_variables() {
  static const std::map<std::string, ParameterValue> variables = {{"enable_thinking", false}};
  return variables;
}

// Where the model's own template lies, if nobody says: in the GGUF itself, or beside the
// tokenizer's file.
std::string beside_tokenizer(const std::string& tokenizer) {
  if (is_directory(tokenizer) || tokenizer.ends_with(".gguf")) return tokenizer;
  const auto neighbour = std::filesystem::path(tokenizer).parent_path() / "tokenizer_config.json";
  return file_exists(neighbour.string()) ? neighbour.string() : "";
}

struct OpenedTemplate {
  ChatWrapper wrapper = ChatWrapper::none();
  SourceIdentity identity{"", "none"};
};

Result<OpenedTemplate> open_template(const Suite& suite, const FactorySources& sources) {
  if (suite.chat_template == "none") return OpenedTemplate{};
  std::string path = suite.chat_template;
  if (path == "model") {
    path =
        sources.chat_template.empty() ? beside_tokenizer(sources.tokenizer) : sources.chat_template;
    if (path.empty())
      return fail(ErrorCode::kUsage,
                  "{}: no chat template is beside this tokenizer; give its file with --template "
                  "FILE, or --template none",
                  sources.tokenizer);
  }
  TRY(const ChatTemplate chat, ChatTemplate::load(path));
  RenderOptions options;
  options.variables = template_variables();
  TRY_CONTEXT(const TemplateWrap wrap, chat.wrap({}, options), path);
  OpenedTemplate opened;
  opened.wrapper = ChatWrapper::of(wrap);
  opened.identity = {path, chat.hash() + " enable_thinking=false"};
  return opened;
}

// "auto" decided: the model's own template where it has one, none where it has not. The recipe
// holds the decision.
Suite decided(Suite suite, const FactorySources& sources) {
  if (suite.chat_template != "auto") return suite;
  const std::string path =
      sources.chat_template.empty() ? beside_tokenizer(sources.tokenizer) : sources.chat_template;
  suite.chat_template = !path.empty() && ChatTemplate::load(path) ? "model" : "none";
  return suite;
}

}  // namespace

Result<SampleFactory> open_factory(const Suite& asked, const FactorySources& sources) {
  if (sources.tokenizer.empty())
    return fail(ErrorCode::kUsage,
                "lengths are counted in a model's tokens: give its tokenizer with --tokenizer "
                "(tokenizer.json, *.model, *.tiktoken or "
                "*.gguf)");
  // The two that take time, at once.
  auto loading = std::async(std::launch::async, load_tokenizer, sources.tokenizer);
  const Result<Corpora> loaded = load_corpora(asked.corpora);
  TRY(const auto tokenizer, loading.get());
  const Suite suite = decided(asked, sources);
  TRY(const OpenedTemplate opened, open_template(suite, sources));
  TRY(const Corpora corpora, loaded);
  TRY(const SampleMaker maker, SampleMaker::create(suite, tokenizer, corpora, opened.wrapper));

  SampleFactory factory;
  factory.recipe.suite = suite;
  factory.recipe.tokenizer = {sources.tokenizer, tokenizer->info().hash};
  factory.recipe.chat_template = opened.identity;
  factory.recipe.wording = {suite.wording, maker.wording().hash()};
  for (const auto& [name, source] : suite.variant_wordings)
    factory.recipe.variant_wordings[name] = {source, maker.variant_wordings().at(name).hash()};
  for (const CorpusInfo& info : corpora.info())
    factory.recipe.corpora[info.name] = {info.source, info.hash};
  factory.recipe.add_special = opened.wrapper.add_special;
  factory.tokenizer = tokenizer;
  factory.make = [maker, tasks = suite.tasks](const SampleSlot& slot) {
    return maker.make(tasks.at(slot.task), slot.length, slot.index);
  };
  return factory;
}

Result<SampleFactory> open_factory(const Recipe& recipe, const std::string& tokenizer) {
  const std::string& path = tokenizer.empty() ? recipe.tokenizer.source : tokenizer;
  if (!file_exists(path) && !is_directory(path))
    return fail(
        ErrorCode::kIo,
        "{}: the dataset's tokenizer is not there any more; say where it is with --tokenizer",
        path);
  // The model's own template mostly lies beside its tokenizer and moves with it; the hash below
  // tells whether it is the same.
  const std::string& known = recipe.chat_template.source;
  const std::string chat_template = file_exists(known) || is_directory(known) ? known : "";
  TRY(SampleFactory factory, open_factory(recipe.suite, {path, chat_template}));
  const auto differences = recipe_differences(factory.recipe, recipe);
  if (!differences.empty())
    return fail(ErrorCode::kInput,
                "the dataset's samples cannot be made again, since a source has changed: {}",
                fmt::join(differences, "; "));
  return factory;
}

}  // namespace fathom

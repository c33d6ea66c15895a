// Manifests and the suites in them as JSON. docs/formats/dataset.md is the form.
#include "suite/manifest.h"
#include "suite/suite_lengths.h"
#include "suite/variant_json.h"

namespace fathom {
namespace {

constexpr int64_t kFormat = 1;

Json source_to_json(const SourceIdentity& identity) {
  return {{"source", identity.source}, {"hash", identity.hash}};
}

Result<SourceIdentity> source_from_json(const JsonReader& reader) {
  SourceIdentity identity;
  TRY(identity.source, reader.text("source"));
  TRY(identity.hash, reader.text("hash"));
  return identity;
}

Json parameters_to_json(const std::map<std::string, ParameterValue>& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters) {
    std::visit([&, &key = name](const auto& each) { json[key] = each; }, value);
  }
  return json;
}

Result<std::map<std::string, ParameterValue>> parameters_from_json(const JsonReader& reader) {
  std::map<std::string, ParameterValue> parameters;
  for (const auto& [name, value] : reader.json().items()) {
    if (value.is_boolean()) {
      parameters[name] = value.get<bool>();
    } else if (value.is_number_integer()) {
      parameters[name] = value.get<int64_t>();
    } else if (value.is_number()) {
      parameters[name] = value.get<double>();
    } else if (value.is_string()) {
      parameters[name] = value.get<std::string>();
    } else {
      return fail(ErrorCode::kInput, "{}: parameter '{}' must be a truth value, number or string",
                  reader.where(), name);
    }
  }
  return parameters;
}

// `shortest`: 0 for the rows of controls, which have no length.
Result<std::vector<int64_t>> lengths_from_json(const JsonReader& reader, int64_t shortest = 1) {
  TRY(const Json* items, reader.array("lengths"));
  std::vector<int64_t> lengths;
  for (const Json& item : *items) {
    if (!item.is_number_integer() || item.get<int64_t>() < shortest ||
        item.get<int64_t>() > kLongestLength) {
      return fail(ErrorCode::kInput, "{}: 'lengths' must be a list of lengths in tokens",
                  reader.where());
    }
    lengths.push_back(item.get<int64_t>());
  }
  return lengths;
}

Json task_to_json(const SuiteTask& task) {
  Json json = {{"name", task.name}, {"cell", task.cell}};
  if (!task.parameters.empty()) json["parameters"] = parameters_to_json(task.parameters);
  if (!task.lengths.empty()) json["lengths"] = task.lengths;
  if (task.samples != 0) json["samples"] = task.samples;
  if (!task.variant.ordinary()) json["variant"] = variant_json(task.variant);
  if (task.control_of != 0) json["control_of"] = task.control_of;
  return json;
}

Result<int64_t> sample_count(const JsonReader& reader) {
  TRY(const int64_t samples, reader.integer("samples"));
  if (samples < 0 || samples > 1'000'000'000) {
    return fail(ErrorCode::kInput, "{}: 'samples' is out of range", reader.where());
  }
  return samples;
}

Result<SuiteTask> task_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  SuiteTask task;
  TRY(task.name, reader.text("name"));
  TRY(task.cell, reader.text("cell"));
  if (reader.has("parameters")) {
    TRY(const JsonReader parameters, reader.object("parameters"));
    TRY(task.parameters, parameters_from_json(parameters));
  }
  if (reader.has("variant")) {
    TRY(const JsonReader variant, reader.object("variant"));
    TRY(task.variant, variant_from_json(variant));
  }
  if (reader.has("control_of")) {
    TRY(task.control_of, reader.integer("control_of"));
  }
  if (reader.has("lengths")) {
    TRY(task.lengths, lengths_from_json(reader, task.variant.is_control() ? 0 : 1));
  }
  if (reader.has("samples")) {
    TRY(task.samples, sample_count(reader));
  }
  return task;
}

Json recipe_to_json(const Recipe& recipe) {
  Json packs = Json::object();
  for (const auto& [name, pack] : recipe.variant_wordings) packs[name] = source_to_json(pack);
  Json corpora = Json::object();
  for (const auto& [name, corpus] : recipe.corpora) corpora[name] = source_to_json(corpus);
  return {{"hash", recipe.hash()},
          {"generator", recipe.generator},
          {"suite", suite_to_json(recipe.suite)},
          {"tokenizer", source_to_json(recipe.tokenizer)},
          {"chat_template", source_to_json(recipe.chat_template)},
          {"wording", source_to_json(recipe.wording)},
          {"variant_wordings", std::move(packs)},
          {"corpora", std::move(corpora)},
          {"add_special", recipe.add_special}};
}

Result<Recipe> recipe_from_json(const JsonReader& reader) {
  Recipe recipe;
  TRY(recipe.generator, reader.integer("generator"));
  TRY(const JsonReader suite, reader.object("suite"));
  TRY(recipe.suite, suite_from_json(suite.json(), suite.where()));
  const auto source = [&](const char* key) -> Result<SourceIdentity> {
    TRY(const JsonReader part, reader.object(key));
    return source_from_json(part);
  };
  TRY(recipe.tokenizer, source("tokenizer"));
  TRY(recipe.chat_template, source("chat_template"));
  TRY(recipe.wording, source("wording"));
  TRY(recipe.add_special, reader.boolean("add_special"));
  TRY(const JsonReader corpora, reader.object("corpora"));
  for (const auto& [name, value] : corpora.json().items()) {
    TRY(const JsonReader part, corpora.object(name));
    TRY(recipe.corpora[name], source_from_json(part));
  }
  if (reader.has("variant_wordings")) {
    TRY(const JsonReader packs, reader.object("variant_wordings"));
    for (const auto& [name, value] : packs.json().items()) {
      TRY(const JsonReader part, packs.object(name));
      TRY(recipe.variant_wordings[name], source_from_json(part));
    }
  }
  TRY(const std::string hash, reader.text("hash"));
  if (hash != recipe.hash()) {
    return fail(
        ErrorCode::kInput,
        "{}: the recipe was changed: its hash is {}, the file says {}; generate the dataset "
        "again",
        reader.where(), recipe.hash(), hash);
  }
  return recipe;
}

Result<CellDigest> cell_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  CellDigest cell;
  TRY(cell.cell, reader.text("cell"));
  TRY(cell.length, reader.integer("length"));
  TRY(cell.samples, reader.integer("samples"));
  TRY(cell.hash, reader.text("hash"));
  return cell;
}

Result<void> read_cells(const JsonReader& reader, Manifest& manifest) {
  TRY(const Json* cells, reader.array("cells"));
  for (const Json& json : *cells) {
    TRY(CellDigest cell, cell_from_json(json, reader.where() + ": cells"));
    manifest.cells.push_back(std::move(cell));
  }
  TRY(manifest.samples_hash, reader.text("samples_hash"));
  if (manifest.samples_hash != combined_hash(manifest.cells)) {
    return fail(ErrorCode::kInput, "{}: 'samples_hash' does not belong to 'cells'", reader.where());
  }
  return {};
}

}  // namespace

Json suite_to_json(const Suite& suite) {
  Json tasks = Json::array();
  for (const SuiteTask& task : suite.tasks) tasks.push_back(task_to_json(task));
  return {{"name", suite.name},
          {"version", suite.version},
          {"tasks", std::move(tasks)},
          {"lengths", suite.lengths},
          {"samples", suite.samples},
          {"seed", suite.seed},
          {"length_counts", to_text(suite.length_counts)},
          {"wording", suite.wording},
          {"template", suite.chat_template},
          {"answer_prefix", suite.answer_prefix},
          {"corpora", suite.corpora},
          {"variant_wordings", suite.variant_wordings},
          {"notes", suite.notes}};
}

Result<Suite> suite_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  Suite suite;
  TRY(suite.name, reader.text("name"));
  TRY(suite.version, reader.integer("version"));
  TRY(const Json* tasks, reader.array("tasks"));
  for (size_t i = 0; i < tasks->size(); ++i) {
    TRY(SuiteTask task, task_from_json((*tasks)[i], fmt::format("{}: tasks[{}]", where, i)));
    suite.tasks.push_back(std::move(task));
  }
  TRY(suite.lengths, lengths_from_json(reader));
  TRY(suite.samples, sample_count(reader));
  const Json& seed = reader.json().contains("seed") ? reader.json()["seed"] : Json();
  if (!seed.is_number_unsigned()) {
    return fail(ErrorCode::kInput, "{}: 'seed' must be an integer of 0 or more", where);
  }
  suite.seed = seed.get<uint64_t>();
  TRY(const std::string counts, reader.text("length_counts"));
  TRY_CONTEXT(suite.length_counts, length_counts_from_text(counts), where);
  TRY(suite.wording, reader.text("wording"));
  TRY(suite.chat_template, reader.text("template"));
  TRY(suite.answer_prefix, reader.boolean("answer_prefix"));
  TRY(const JsonReader corpora, reader.object("corpora"));
  for (const auto& [name, value] : corpora.json().items()) {
    TRY(suite.corpora[name], corpora.text(name));
  }
  if (reader.has("variant_wordings")) {
    TRY(const JsonReader packs, reader.object("variant_wordings"));
    for (const auto& [name, value] : packs.json().items()) {
      TRY(suite.variant_wordings[name], packs.text(name));
    }
  }
  TRY(suite.notes, reader.texts("notes"));
  return suite;
}

Json manifest_to_json(const Manifest& manifest) {
  Json cells = Json::array();
  for (const CellDigest& cell : manifest.cells) {
    cells.push_back({{"cell", cell.cell},
                     {"length", cell.length},
                     {"samples", cell.samples},
                     {"hash", cell.hash}});
  }
  return {{"format", kFormat},
          {"fathom", manifest.fathom_version},
          {"form", manifest.form == DatasetForm::kRecipe ? "recipe" : "samples"},
          {"file", manifest.file},
          {"file_sha256", manifest.file_sha256},
          {"origin", manifest.origin},
          {"shard", to_text(manifest.shard)},
          {"samples", manifest.samples},
          {"samples_hash", manifest.samples_hash},
          {"cells", std::move(cells)},
          {"recipe", recipe_to_json(manifest.recipe)}};
}

Result<Manifest> manifest_from_json(const Json& json, const std::string& where) {
  TRY(const JsonReader reader, JsonReader::of(json, where));
  TRY(const int64_t format, reader.integer("format"));
  if (format != kFormat) {
    return fail(ErrorCode::kInput,
                "{}: format {} is unknown (this fathom reads {}); use a newer one", where, format,
                kFormat);
  }
  Manifest manifest;
  TRY(manifest.fathom_version, reader.text("fathom"));
  TRY(const std::string form, reader.text("form"));
  if (form != "recipe" && form != "samples") {
    return fail(ErrorCode::kInput, "{}: 'form' must be recipe or samples, not '{}'", where, form);
  }
  manifest.form = form == "recipe" ? DatasetForm::kRecipe : DatasetForm::kSamples;
  TRY(manifest.file, reader.text("file"));
  if (manifest.file.find('/') != std::string::npos) {
    return fail(ErrorCode::kInput, "{}: 'file' must be a name in this folder, not '{}'", where,
                manifest.file);
  }
  TRY(manifest.file_sha256, reader.text("file_sha256"));
  TRY(manifest.origin, reader.text("origin"));
  TRY(const std::string shard, reader.text("shard"));
  TRY_CONTEXT(manifest.shard, parse_shard(shard), where);
  TRY(manifest.samples, sample_count(reader));
  TRY(const JsonReader recipe, reader.object("recipe"));
  TRY(manifest.recipe, recipe_from_json(recipe));
  TRY_VOID(read_cells(reader, manifest));
  return manifest;
}

}  // namespace fathom

#include "suite/template_source.h"

#include <filesystem>

#include "io/file.h"
#include "io/json.h"
#include "tokenizer/gguf.h"

namespace fathom {
namespace {

constexpr const char* kConfigName = "tokenizer_config.json";

// A special token is a text, or an object that holds one; missing and null count as empty.
std::string token_text(const Json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  if (found->is_object() && found->contains("content") && (*found)["content"].is_string()) {
    return (*found)["content"].get<std::string>();
  }
  return "";
}

// chat_template is a text, or a list of {name, template}.
Result<std::string> pick_template(const Json& value, const std::string& name,
                                  const std::string& where) {
  if (value.is_string()) {
    if (name.empty() || name == "default") return value.get<std::string>();
    return fail(ErrorCode::kInput, "{}: has one chat template without a name, not '{}'", where,
                name);
  }
  if (!value.is_array()) {
    return fail(ErrorCode::kInput, "{}: 'chat_template' must be a text or a list", where);
  }
  const std::string wanted = name.empty() ? "default" : name;
  std::vector<std::string> names;
  for (const Json& entry : value) {
    TRY_CONTEXT(const JsonReader reader, JsonReader::of(entry, where), "chat_template");
    TRY(const std::string entry_name, reader.text("name"));
    if (entry_name == wanted) return reader.text("template");
    names.push_back(entry_name);
  }
  return fail(ErrorCode::kInput, "{}: no chat template named '{}'; it has {}", where, wanted,
              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

Result<TemplateSource> from_gguf(const std::string& path, const std::string& name) {
  TRY(const GgufFile gguf, GgufFile::open(path));
  const std::string key = name.empty() || name == "default" ? "tokenizer.chat_template"
                                                            : "tokenizer.chat_template." + name;
  const auto text = gguf.text(key);
  if (!text) {
    return fail(ErrorCode::kInput,
                "{}: no chat template in it (key {}); give a Jinja file, or --template none", path,
                key);
  }
  TemplateSource source{std::string(*text), "", "", {}, path};
  const auto tokens = gguf.texts("tokenizer.ggml.tokens");
  const auto token = [&](const char* id_key) -> std::string {
    const auto id = gguf.integer(id_key);
    if (!id || !tokens || *id < 0 || static_cast<size_t>(*id) >= tokens->size()) return "";
    return std::string((*tokens)[static_cast<size_t>(*id)]);
  };
  source.bos_token = token("tokenizer.ggml.bos_token_id");
  source.eos_token = token("tokenizer.ggml.eos_token_id");
  const std::string unknown = token("tokenizer.ggml.unknown_token_id");
  const std::string padding = token("tokenizer.ggml.padding_token_id");
  if (!unknown.empty()) source.other_tokens["unk_token"] = unknown;
  if (!padding.empty()) source.other_tokens["pad_token"] = padding;
  return source;
}

// The tokens that the config beside a Jinja file names; none where there is no config.
Result<TemplateSource> from_jinja(const std::string& path) {
  TemplateSource source;
  const std::string config = (std::filesystem::path(path).parent_path() / kConfigName).string();
  if (file_exists(config)) {
    TRY(const std::string text, read_file(config));
    TRY(const Json json, parse_json(text, config));
    source.bos_token = token_text(json, "bos_token");
    source.eos_token = token_text(json, "eos_token");
  }
  TRY(source.text, read_file(path));
  source.origin = path;
  return source;
}

Result<TemplateSource> from_folder(const std::string& folder, const std::string& name) {
  const std::string jinja = folder + "/chat_template.jinja";
  if (name.empty() && file_exists(jinja)) return from_jinja(jinja);
  const std::string named = folder + "/additional_chat_templates/" + name + ".jinja";
  if (!name.empty() && name.find('/') == std::string::npos && file_exists(named)) {
    TRY(TemplateSource source, from_jinja(jinja));
    TRY(source.text, read_file(named));
    source.origin = named;
    return source;
  }
  const std::string config = folder + "/" + kConfigName;
  if (!file_exists(config)) {
    return fail(ErrorCode::kInput, "{}: holds neither chat_template.jinja nor {}", folder,
                kConfigName);
  }
  TRY(const std::string text, read_file(config));
  return template_from_config(text, name, config);
}

}  // namespace

Result<TemplateSource> template_from_config(const std::string& json, const std::string& name,
                                            const std::string& where) {
  TRY(const Json config, parse_json(json, where));
  if (!config.is_object()) return fail(ErrorCode::kInput, "{}: must be a JSON object", where);
  const auto found = config.find("chat_template");
  if (found == config.end() || found->is_null()) {
    return fail(
        ErrorCode::kInput,
        "{}: has no 'chat_template'; a base model has none: give --template none, or a Jinja file",
        where);
  }
  TemplateSource source;
  TRY(source.text, pick_template(*found, name, where));
  source.bos_token = token_text(config, "bos_token");
  source.eos_token = token_text(config, "eos_token");
  for (const char* key : {"unk_token", "pad_token", "sep_token", "cls_token", "mask_token"}) {
    const std::string text = token_text(config, key);
    if (!text.empty()) source.other_tokens[key] = text;
  }
  source.origin = where;
  return source;
}

Result<TemplateSource> read_template_source(const std::string& path, const std::string& name) {
  if (is_directory(path)) return from_folder(path, name);
  if (path.ends_with(".gguf")) return from_gguf(path, name);
  if (path.ends_with(".json")) {
    TRY(const std::string text, read_file(path));
    return template_from_config(text, name, path);
  }
  return from_jinja(path);
}

}  // namespace fathom

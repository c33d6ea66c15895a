// A suite file as a whole, and flags put over it. docs/formats/suite.md is the form.
#include "suite/suite_parse.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "io/embedded.h"
#include "io/file.h"
#include "suite/suite_lengths.h"

namespace fathom {
namespace {

const std::vector<std::string> kSuiteKeys = {
    "name",    "version", "description",   "tasks",    "lengths",
    "samples", "seed",    "wording",       "template", "answer_prefix",
    "corpora", "without", "length_counts", "controls", "variants"};
const std::vector<std::string> kCorpora = {"essay", "words", "squad", "hotpotqa"};

// Tasks that need a corpus, and what takes their place where it is missing.
using Without = std::map<std::string, std::map<std::string, std::string>>;

struct File {
  Suite suite;
  Without without;
  VariantsPlan variants;
};

Result<std::vector<int64_t>> edges(const YamlValue& value, const std::string& where) {
  TRY_VOID(check_yaml_keys(value, where, "'lengths'", {"edges"}));
  const YamlValue* settings = value.find("edges");
  if (settings == nullptr) return fail(yaml_error(where, value, "'lengths' needs 'edges'"));
  TRY_VOID(check_yaml_keys(*settings, where, "'edges'", {"block", "at"}));
  const YamlValue* block_value = settings->find("block");
  const YamlValue* at = settings->find("at");
  if (block_value == nullptr || at == nullptr) {
    return fail(yaml_error(where, *settings, "'edges' needs 'block' and 'at'"));
  }
  TRY(const int64_t block, yaml_integer(*block_value, where, "'block'", 1, kLongestLength));
  TRY(const auto centres, parse_suite_lengths(*at, where));
  std::vector<int64_t> lengths;
  for (const int64_t centre : centres) {
    auto three = block_edges(block, centre);
    if (!three) return fail(yaml_error(where, *at, three.error().message));
    lengths.insert(lengths.end(), three->begin(), three->end());
  }
  return lengths;
}

Result<Without> parse_without(const YamlValue& value, const std::string& where,
                              const TaskCatalog& catalog) {
  TRY_VOID(check_yaml_keys(value, where, "'without'", kCorpora));
  Without without;
  for (const auto& [corpus, tasks] : value.members) {
    TRY_VOID(check_yaml_keys(tasks, where, fmt::format("'{}'", corpus.scalar), catalog.names));
    for (const auto& [task, replacement] : tasks.members) {
      TRY(const std::string name, yaml_text(replacement, where, "a replacement"));
      if (catalog.parameters(name) == nullptr) {
        return fail(yaml_error(where, replacement, unknown_task_message(name, catalog)));
      }
      without[corpus.scalar][task.scalar] = name;
    }
  }
  return without;
}

Result<void> parse_tasks(const YamlValue& value, const std::string& where,
                         const TaskCatalog& catalog, Suite& suite) {
  if (value.kind != YamlKind::kSequence || value.items.empty()) {
    return fail(yaml_error(
        where, value,
        fmt::format("'tasks' must be a list of tasks (- name), not {}",
                    value.items.empty() && value.kind == YamlKind::kSequence ? "an empty one"
                                                                             : describe(value))));
  }
  std::map<std::string, int> seen;
  for (const YamlValue& entry : value.items) {
    TRY(auto rows, parse_suite_task(entry, where, catalog));
    for (SuiteTask& row : rows) {
      const auto [earlier, fresh] = seen.emplace(row.cell, entry.line);
      if (!fresh) {
        return fail(yaml_error(where, entry,
                               fmt::format("'{}' stands here a second time (first in line {}); "
                                           "list its lengths and values together",
                                           row.cell, earlier->second)));
      }
      suite.tasks.push_back(std::move(row));
    }
  }
  return {};
}

Result<void> parse_texts(const YamlValue& root, const std::string& where, Suite& suite) {
  if (const YamlValue* value = root.find("wording")) {
    TRY(suite.wording, yaml_text(*value, where, "'wording'"));
    if (names_file(suite.wording)) suite.wording = beside_suite(where, suite.wording);
  }
  if (const YamlValue* value = root.find("template")) {
    TRY(suite.chat_template, yaml_text(*value, where, "'template'"));
    if (names_file(suite.chat_template)) {
      suite.chat_template = beside_suite(where, suite.chat_template);
    }
  }
  if (const YamlValue* value = root.find("answer_prefix")) {
    TRY(suite.answer_prefix, yaml_boolean(*value, where, "'answer_prefix'"));
  }
  if (const YamlValue* value = root.find("length_counts")) {
    TRY(const std::string text, yaml_text(*value, where, "'length_counts'"));
    auto counts = length_counts_from_text(text);
    if (!counts) return fail(yaml_error(where, *value, counts.error().message));
    suite.length_counts = *counts;
  }
  if (const YamlValue* value = root.find("corpora")) {
    TRY_VOID(check_yaml_keys(*value, where, "'corpora'", kCorpora));
    for (const auto& [key, path] : value->members) {
      TRY(const std::string text, yaml_text(path, where, fmt::format("'{}'", key.scalar)));
      suite.corpora[key.scalar] = beside_suite(where, text);
    }
  }
  return {};
}

Result<File> parse_file(const YamlValue& root, const std::string& where,
                        const TaskCatalog& catalog) {
  TRY_VOID(check_yaml_keys(root, where, "a suite", kSuiteKeys));
  for (const char* needed : {"name", "tasks", "lengths", "samples"}) {
    if (root.find(needed) == nullptr) {
      return fail(yaml_error(where, root, fmt::format("a suite needs the key '{}'", needed)));
    }
  }
  File file;
  Suite& suite = file.suite;
  TRY(suite.name, yaml_text(*root.find("name"), where, "'name'"));
  if (const YamlValue* value = root.find("version")) {
    TRY(suite.version, yaml_integer(*value, where, "'version'", 1, 1'000'000));
  }
  if (const YamlValue* value = root.find("description")) {
    TRY_VOID(yaml_text(*value, where, "'description'"));
  }
  TRY(suite.lengths, parse_suite_lengths(*root.find("lengths"), where));
  TRY(suite.samples, yaml_integer(*root.find("samples"), where, "'samples'", 1, 10'000'000));
  if (const YamlValue* value = root.find("seed")) {
    TRY(const int64_t seed, yaml_integer(*value, where, "'seed'", 0, INT64_MAX));
    suite.seed = static_cast<uint64_t>(seed);
  }
  TRY_VOID(parse_texts(root, where, suite));
  if (const YamlValue* value = root.find("without")) {
    TRY(file.without, parse_without(*value, where, catalog));
  }
  TRY_VOID(parse_tasks(*root.find("tasks"), where, catalog, suite));
  if (const YamlValue* value = root.find("controls")) {
    TRY(file.variants.controls, parse_suite_controls(*value, where));
  }
  if (const YamlValue* value = root.find("variants")) {
    TRY_VOID(parse_suite_variants(*value, where, file.variants));
  }
  return file;
}

// Keeps the named tasks, in the order of the flag; names that the suite lacks come from the
// catalog.
Result<void> select_tasks(Suite& suite, const std::vector<std::string>& names,
                          const TaskCatalog& catalog) {
  if (names.empty()) return {};
  std::vector<SuiteTask> kept;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    bool found = false;
    for (const SuiteTask& task : suite.tasks) {
      if (task.name != name && task.cell != name) continue;
      found = true;
      if (seen.insert(task.cell).second) kept.push_back(task);
    }
    if (found) continue;
    if (catalog.parameters(name) == nullptr) {
      return fail(ErrorCode::kUsage, "--tasks: {}", unknown_task_message(name, catalog));
    }
    SuiteTask task;
    task.name = task.cell = name;
    if (seen.insert(name).second) kept.push_back(task);
  }
  suite.tasks = std::move(kept);
  return {};
}

Result<void> apply_overrides(Suite& suite, const SuiteOverrides& overrides,
                             const TaskCatalog& catalog) {
  TRY_VOID(select_tasks(suite, overrides.tasks, catalog));
  if (!overrides.lengths.empty()) {
    suite.lengths = overrides.lengths;
    sort_lengths(suite.lengths);
    for (SuiteTask& task : suite.tasks) task.lengths.clear();
  }
  if (overrides.samples) {
    if (*overrides.samples < 1) return fail(ErrorCode::kUsage, "--samples must be at least 1");
    suite.samples = *overrides.samples;
    for (SuiteTask& task : suite.tasks) task.samples = 0;
  }
  if (overrides.seed) suite.seed = *overrides.seed;
  if (overrides.length_counts) suite.length_counts = *overrides.length_counts;
  if (overrides.wording) suite.wording = *overrides.wording;
  if (overrides.chat_template) suite.chat_template = *overrides.chat_template;
  if (overrides.answer_prefix) suite.answer_prefix = *overrides.answer_prefix;
  for (const auto& [name, path] : overrides.corpora) suite.corpora[name] = path;
  return {};
}

void replace_missing(Suite& suite, const Without& without) {
  for (const auto& [corpus, replacements] : without) {
    if (suite.corpora.contains(corpus)) continue;
    for (SuiteTask& task : suite.tasks) {
      const auto found = replacements.find(task.name);
      if (found == replacements.end()) continue;
      suite.notes.push_back(fmt::format(
          "{} needs the corpus '{}', which was not given (--corpus {}=FILE): {} takes its place",
          task.cell, corpus, corpus, found->second));
      task.name = task.cell = found->second;
      task.parameters.clear();
    }
  }
  std::set<std::string> seen;
  std::erase_if(suite.tasks, [&](const SuiteTask& task) { return !seen.insert(task.cell).second; });
}

}  // namespace

Result<std::vector<int64_t>> parse_suite_lengths(const YamlValue& value, const std::string& where) {
  std::vector<int64_t> lengths;
  switch (value.kind) {
    case YamlKind::kNull:
      return fail(yaml_error(where, value, "'lengths' is empty"));
    case YamlKind::kScalar: {
      auto some = length_item(value.scalar);
      if (!some) return fail(yaml_error(where, value, some.error().message));
      lengths = std::move(*some);
      break;
    }
    case YamlKind::kMap: {
      TRY(lengths, edges(value, where));
      break;
    }
    case YamlKind::kSequence:
      for (const YamlValue& item : value.items) {
        TRY(const auto some, parse_suite_lengths(item, where));
        lengths.insert(lengths.end(), some.begin(), some.end());
      }
      if (lengths.empty()) return fail(yaml_error(where, value, "'lengths' is an empty list"));
      break;
  }
  sort_lengths(lengths);
  return lengths;
}

Result<Suite> parse_suite(std::string_view yaml, const std::string& where,
                          const SuiteOverrides& overrides, const TaskCatalog& catalog) {
  TRY(const YamlValue root, parse_yaml(yaml, where));
  if (root.kind == YamlKind::kNull) {
    return fail(ErrorCode::kInput, "{}: the file is empty; docs/formats/suite.md shows a suite",
                where);
  }
  TRY(File file, parse_file(root, where, catalog));
  TRY_VOID(apply_overrides(file.suite, overrides, catalog));
  replace_missing(file.suite, file.without);
  if (overrides.controls) {
    if (auto known = check_control_names(*overrides.controls); !known) {
      return fail(with_context(known.error(), "--controls"));
    }
    file.variants.controls = *overrides.controls;
  }
  if (auto added = add_variants(file.suite, file.variants, catalog); !added) {
    return fail(with_context(added.error(), where));
  }
  return std::move(file.suite);
}

std::string beside_suite(const std::string& where, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(where).parent_path();
  if (folder.empty() || std::filesystem::path(path).is_absolute()) return path;
  return (folder / path).lexically_normal().string();
}

bool names_file(const std::string& text) {
  return text.find('/') != std::string::npos || text.find('.') != std::string::npos;
}

std::vector<std::string> embedded_suites() {
  std::vector<std::string> names;
  for (const std::string& file : embedded_names("suites/")) {
    const std::string name = file.substr(7);
    if (name.ends_with(".yaml")) names.push_back(name.substr(0, name.size() - 5));
  }
  return names;
}

Result<Suite> load_suite(const std::string& name_or_path, const SuiteOverrides& overrides,
                         const TaskCatalog& catalog) {
  if (const auto text = embedded_file("suites/" + name_or_path + ".yaml")) {
    return parse_suite(*text, name_or_path, overrides, catalog);
  }
  if (!names_file(name_or_path) && !file_exists(name_or_path)) {
    const auto names = embedded_suites();
    const std::string nearest = nearest_word(name_or_path, names);
    return fail(ErrorCode::kUsage, "no suite '{}'; {}", name_or_path,
                nearest.empty()
                    ? fmt::format("fathom has {}, or give a YAML file", fmt::join(names, ", "))
                    : fmt::format("did you mean '{}'?", nearest));
  }
  TRY(const std::string text, read_file(name_or_path));
  return parse_suite(text, name_or_path, overrides, catalog);
}

}  // namespace fathom

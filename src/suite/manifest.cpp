#include "suite/manifest.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "io/file.h"

namespace fathom {
namespace {

std::string shown(const SourceIdentity& identity) {
  return fmt::format("{} ({})", identity.source.empty() ? "-" : identity.source,
                     identity.hash.substr(0, 12));
}

void compare_source(std::vector<std::string>& lines, const char* name, const SourceIdentity& wanted,
                    const SourceIdentity& found) {
  if (wanted.hash == found.hash) return;
  lines.push_back(fmt::format("{}: {} instead of {}", name, shown(wanted), shown(found)));
}

using NamedSources = std::map<std::string, SourceIdentity>;
void compare_sources(std::vector<std::string>& lines, const std::string& kind,
                     const NamedSources& wanted, const NamedSources& found) {
  for (const auto& [name, source] : wanted) {
    const auto other = found.find(name);
    const std::string label = kind + " " + name;
    compare_source(lines, label.c_str(), source,
                   other == found.end() ? SourceIdentity{} : other->second);
  }
  for (const auto& [name, source] : found) {
    const std::string label = kind + " " + name;
    if (!wanted.contains(name)) compare_source(lines, label.c_str(), {}, source);
  }
}

template <typename T>
void compare(std::vector<std::string>& lines, const char* name, const T& wanted, const T& found) {
  if (wanted == found) return;
  lines.push_back(fmt::format("{}: {} instead of {}", name, wanted, found));
}

std::string list(const std::vector<int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

void compare_suites(std::vector<std::string>& lines, const Suite& wanted, const Suite& found) {
  compare(lines, "suite version", wanted.version, found.version);
  compare(lines, "lengths", list(wanted.lengths), list(found.lengths));
  compare(lines, "samples", wanted.samples, found.samples);
  compare(lines, "seed", wanted.seed, found.seed);
  compare(lines, "what lengths count", std::string(to_text(wanted.length_counts)),
          std::string(to_text(found.length_counts)));
  compare(lines, "answer prefix", wanted.answer_prefix, found.answer_prefix);
  const auto cells = [](const Suite& suite) {
    std::vector<std::string> names;
    for (const SuiteTask& task : suite.tasks) names.push_back(task.cell);
    return fmt::format("{}", fmt::join(names, ","));
  };
  compare(lines, "tasks", cells(wanted), cells(found));
  if (lines.empty() && wanted.canonical() != found.canonical()) {
    lines.emplace_back("the parameters, lengths or samples of single tasks differ");
  }
}

}  // namespace

std::string Recipe::hash() const {
  std::string text = fmt::format(
      "generator={}\nsuite={}\ntokenizer={}\ntemplate={}\nwording={}\nadd_special={}\n", generator,
      suite.hash(), tokenizer.hash, chat_template.hash, wording.hash, add_special);
  for (const auto& [name, pack] : variant_wordings) {
    text += fmt::format("wording {}={}\n", name, pack.hash);
  }
  for (const auto& [name, corpus] : corpora) {
    text += fmt::format("corpus {}={}\n", name, corpus.hash);
  }
  return hash_hex(text);
}

std::vector<std::string> recipe_differences(const Recipe& wanted, const Recipe& found) {
  std::vector<std::string> lines;
  if (wanted.hash() == found.hash()) return lines;
  compare_suites(lines, wanted.suite, found.suite);
  compare_source(lines, "tokenizer", wanted.tokenizer, found.tokenizer);
  compare_source(lines, "chat template", wanted.chat_template, found.chat_template);
  compare_source(lines, "wording", wanted.wording, found.wording);
  compare_sources(lines, "wording", wanted.variant_wordings, found.variant_wordings);
  compare_sources(lines, "corpus", wanted.corpora, found.corpora);
  compare(lines, "special tokens added", wanted.add_special, found.add_special);
  compare(lines, "version of the generator", wanted.generator, found.generator);
  return lines;
}

Result<Shard> parse_shard(const std::string& text) {
  const size_t slash = text.find('/');
  Shard shard;
  const auto number = [](std::string_view digits, int64_t& value) {
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    return !digits.empty() && rest == end && error == std::errc{};
  };
  const std::string_view view = text;
  const bool valid = slash != std::string::npos && number(view.substr(0, slash), shard.number) &&
                     number(view.substr(slash + 1), shard.of) && shard.number >= 1 &&
                     shard.of >= shard.number;
  if (!valid) {
    return fail(ErrorCode::kUsage, "--shard must be i/n with 1 <= i <= n, as 2/8, not '{}'", text);
  }
  return shard;
}

std::string to_text(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.of); }

std::string combined_hash(const std::vector<CellDigest>& cells) {
  if (cells.empty()) return "";
  std::string text;
  for (const CellDigest& cell : cells) {
    text += fmt::format("{} {} {} {}\n", cell.cell, cell.length, cell.samples, cell.hash);
  }
  return hash_hex(text);
}

std::string dataset_hash(const Manifest& manifest) {
  return manifest.samples_hash.empty() ? manifest.recipe.hash() : manifest.samples_hash;
}

Result<Manifest> read_manifest(const std::string& folder) {
  const std::string path = folder + "/manifest.json";
  if (!file_exists(path)) {
    return fail(
        ErrorCode::kUsage,
        "{}: no dataset here (manifest.json is missing); `fathom generate … -o {}` makes one",
        folder, folder);
  }
  TRY(const std::string text, read_file(path));
  TRY(const Json json, parse_json(text, path));
  return manifest_from_json(json, path);
}

Result<void> write_manifest(const std::string& folder, const Manifest& manifest) {
  return write_file_atomic(folder + "/manifest.json", to_pretty_json(manifest_to_json(manifest)));
}

}  // namespace fathom

#include "cli/suite_flags.h"

#include <charconv>

namespace fathom {

void add_suite_flags(CLI::App& command, SuiteFlags& flags) {
  command
      .add_option("-t,--tokenizer", flags.tokenizer,
                  "Vocabulary that lengths are counted in (a GGUF model brings its own)")
      ->type_name("FILE")
      ->group("Suite");
  command
      .add_option("--lengths", flags.lengths,
                  "Target lengths in tokens: 4096,8k or 4k..128k (doubling)")
      ->type_name("LIST")
      ->group("Suite");
  command.add_option("--tasks", flags.tasks, "Tasks to keep, by name (fathom tasks lists them)")
      ->type_name("LIST")
      ->group("Suite");
  command.add_option("--samples", flags.samples, "Samples per task and length")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000'000}))
      ->group("Suite");
  command.add_option("--seed", flags.seed, "Seed of all samples")->type_name("N")->group("Suite");
  command
      .add_option("--template", flags.chat_template,
                  "Chat template inside the length: model (its own), auto (its own, else none), "
                  "none, or a Jinja or "
                  "tokenizer_config.json file")
      ->type_name("T")
      ->group("Suite");
  command
      .add_option("--counts", flags.length_counts,
                  "What a length counts: prompt+reserve, prompt, context")
      ->type_name("WHAT")
      ->group("Suite");
  command.add_option("--wording", flags.wording, "Wording pack: a name or a YAML file")
      ->type_name("W")
      ->group("Suite");
  command
      .add_option(
          "--controls", flags.controls,
          "Controls beside every task: no-context (what was known or guessed), needles-only "
          "(evidence without filler), or none")
      ->type_name("LIST")
      ->group("Suite");
  command
      .add_flag("--no-answer-prefix", flags.no_answer_prefix, "Do not give the start of the answer")
      ->group("Suite");
  command
      .add_option("--corpus", flags.corpora,
                  "Text to build from, NAME=PATH: essay (folder of books), words (folder), squad, "
                  "hotpotqa (JSON files)")
      ->type_name("NAME=PATH")
      ->group("Suite");
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  for (const char c : text + ",") {
    if (c == ',' && depth == 0) {
      if (!name.empty()) names.push_back(name);
      name.clear();
      continue;
    }
    if (c == '[') ++depth;
    if (c == ']' && depth > 0) --depth;
    if (c != ' ' || !name.empty()) name += c;
  }
  if (!name.empty()) names.push_back(name);
  return names;
}

Result<SuiteOverrides> overrides_of(const SuiteFlags& flags) {
  SuiteOverrides overrides;
  overrides.tasks = split_names(flags.tasks);
  if (!flags.lengths.empty()) {
    TRY_CONTEXT(overrides.lengths, parse_lengths(flags.lengths), "--lengths");
  }
  if (flags.samples > 0) overrides.samples = flags.samples;
  if (!flags.seed.empty()) {
    uint64_t seed = 0;
    const auto [end, error] =
        std::from_chars(flags.seed.data(), flags.seed.data() + flags.seed.size(), seed);
    if (error != std::errc() || end != flags.seed.data() + flags.seed.size())
      return fail(ErrorCode::kUsage,
                  "--seed: '{}' is not a whole number from 0 to 18446744073709551615", flags.seed);
    overrides.seed = seed;
  }
  if (!flags.length_counts.empty()) {
    TRY_CONTEXT(overrides.length_counts, length_counts_from_text(flags.length_counts), "--counts");
  }
  if (!flags.wording.empty()) overrides.wording = flags.wording;
  if (!flags.chat_template.empty()) overrides.chat_template = flags.chat_template;
  if (!flags.controls.empty()) {
    overrides.controls.emplace();
    if (flags.controls != "none") overrides.controls = split_names(flags.controls);
  }
  if (flags.no_answer_prefix) overrides.answer_prefix = false;
  for (const std::string& corpus : flags.corpora) {
    const size_t equals = corpus.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == corpus.size())
      return fail(ErrorCode::kUsage, "--corpus: '{}' must be NAME=PATH, for example essay=books/",
                  corpus);
    overrides.corpora[corpus.substr(0, equals)] = corpus.substr(equals + 1);
  }
  return overrides;
}

}  // namespace fathom

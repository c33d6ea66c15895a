// fathom audit: is every sample of a dataset what it says?
#include "suite/audit.h"

#include "cli/command.h"
#include "cli/terminal.h"
#include "suite/audit_record.h"
#include "suite/factory.h"

namespace fathom {
namespace {

struct AuditFlags {
  std::string folder;
  std::string tokenizer;
  bool json = false;
  bool record = false;
  AuditOptions options;
};

Result<int> audit(const AuditFlags& flags) {
  TRY(const Dataset dataset, Dataset::open(flags.folder));
  TRY_VOID(dataset.verify());
  const Recipe& recipe = dataset.manifest().recipe;
  MakeSample make;
  std::shared_ptr<const Tokenizer> tokenizer;
  if (dataset.needs_maker()) {
    TRY(const SampleFactory factory, open_factory(recipe, flags.tokenizer));
    make = factory.make;
    tokenizer = factory.tokenizer;
  } else {
    TRY_CONTEXT(tokenizer,
                load_tokenizer(flags.tokenizer.empty() ? recipe.tokenizer.source : flags.tokenizer),
                "the dataset's tokenizer (--tokenizer says where it is)");
    if (!recipe.tokenizer.hash.empty() && tokenizer->info().hash != recipe.tokenizer.hash)
      return fail(ErrorCode::kUsage, "{}: was made with another tokenizer than {}", flags.folder,
                  tokenizer->info().source);
  }
  AuditOptions options = flags.options;
  options.add_special = recipe.add_special;
  options.length_counts = recipe.suite.length_counts;
  TRY(const auto reader, dataset.read(make));
  TRY(const AuditResult result, audit_samples(*reader, *tokenizer, options));
  print(flags.json ? to_pretty_json(audit_to_json(result)) : audit_to_text(result));
  if (flags.record)
    TRY_VOID(write_audit_record(flags.folder, {.samples_hash = dataset.manifest().samples_hash,
                                               .samples = result.samples,
                                               .breaches = result.breaches,
                                               .fathom_version = FATHOM_VERSION}));
  if (result.passed()) return 0;
  return fail(ErrorCode::kInput, "{}: {} breaches", flags.folder, result.breaches);
}

}  // namespace

void add_audit(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<AuditFlags>();
  CLI::App* command = add_command(
      app, "audit", "Check a dataset without a model: lengths, answers, ties, depths, drift",
      "  fathom audit data/\n"
      "  fathom audit data/ --tokenizer tokenizer.json --json > findings.json\n"
      "  fathom audit runs/a/dataset --record     so that a gate may ask for it\n");
  command->add_option("dataset", flags->folder, "Dataset folder")->required()->type_name("FOLDER");
  command
      ->add_option("-t,--tokenizer", flags->tokenizer, "The dataset's tokenizer, if it has moved")
      ->type_name("FILE");
  command
      ->add_option("--off-by", flags->options.allowed_off_by,
                   "Tokens a sample may miss its length by")
      ->check(kNotNegative)
      ->capture_default_str();
  command
      ->add_option("--block", flags->options.block_tokens, "Block size for evidence spans, tokens")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--threads", flags->options.threads, "0: all cores")
      ->check(CLI::Range(0, 1024));
  command->add_flag(
      "--record", flags->record,
      "Write the outcome to audit.json in the dataset's folder, for gates that ask for it");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([&chosen, flags] { chosen.action = [flags] { return audit(*flags); }; });
}

}  // namespace fathom

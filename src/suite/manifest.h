// manifest.json: what a dataset is and proof of it. Equal recipe hashes mean equal samples,
// whichever form they are stored in (G10). File form: docs/formats/dataset.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json.h"
#include "suite/suite.h"

namespace fathom {

// Changes whenever the same recipe would give other samples.
inline constexpr int64_t kGeneratorVersion = 1;

// A file or embedded thing that samples are made from.
struct SourceIdentity {
  std::string
      source;        // path or name, for people and for opening it again; not part of the identity
  std::string hash;  // of the content that matters
  bool operator==(const SourceIdentity&) const = default;
};

// Everything that decides the samples.
struct Recipe {
  Suite suite;
  SourceIdentity tokenizer;
  SourceIdentity chat_template;  // hash "none" where there is no template
  SourceIdentity wording;
  std::map<std::string, SourceIdentity> variant_wordings;  // of Suite::variant_wordings, by name
  std::map<std::string, SourceIdentity> corpora;           // those that were read
  bool add_special = true;  // the tokenizer adds BOS and the like to the prompt (false where the
                            // template writes it)
  int64_t generator = kGeneratorVersion;

  [[nodiscard]] std::string hash() const;
  bool operator==(const Recipe&) const = default;
};

// What differs, one line each, for people: "tokenizer: a.json (1f…) instead of b.json (2e…)". Empty
// where the hashes are equal.
[[nodiscard]] std::vector<std::string> recipe_differences(const Recipe& wanted,
                                                          const Recipe& found);

// Part i of n: the slots whose place in suite_slots() is i-1 modulo n.
struct Shard {
  int64_t number = 1;  // from 1
  int64_t of = 1;
  bool operator==(const Shard&) const = default;
};
[[nodiscard]] Result<Shard> parse_shard(const std::string& text);  // "2/8"; errors: kUsage
[[nodiscard]] std::string to_text(const Shard& shard);

// One cell's samples: the hash is over the lines "ID HASH\n" in order.
struct CellDigest {
  std::string cell;
  int64_t length = 0;
  int64_t samples = 0;
  std::string hash;
  bool operator==(const CellDigest&) const = default;
};

enum class DatasetForm { kRecipe, kSamples };

struct Manifest {
  DatasetForm form = DatasetForm::kSamples;
  std::string file;  // of kSamples: "samples.jsonl" or "samples.jsonl.zst", in the same folder
  std::string file_sha256;  // of kSamples
  Recipe recipe;
  std::string origin;  // empty: made by fathom from the recipe; else where it was imported from
  Shard shard;
  int64_t samples = 0;
  std::vector<CellDigest> cells;  // empty in a recipe that was not checked
  std::string
      samples_hash;  // over the lines "CELL LENGTH SAMPLES HASH\n" of cells; empty where cells is
  std::string fathom_version;

  bool operator==(const Manifest&) const = default;
};

[[nodiscard]] std::string combined_hash(const std::vector<CellDigest>& cells);

// What a run's record names its samples by: samples_hash, or the recipe's hash where cells were not
// checked.
[[nodiscard]] std::string dataset_hash(const Manifest& manifest);

[[nodiscard]] Json manifest_to_json(const Manifest& manifest);
[[nodiscard]] Result<Manifest> manifest_from_json(const Json& json, const std::string& where);

// FOLDER/manifest.json.
[[nodiscard]] Result<Manifest> read_manifest(const std::string& folder);
[[nodiscard]] Result<void> write_manifest(const std::string& folder, const Manifest& manifest);

[[nodiscard]] Json suite_to_json(const Suite& suite);
[[nodiscard]] Result<Suite> suite_from_json(const Json& json, const std::string& where);

}  // namespace fathom

// Shards of one dataset, joined.
#include <map>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "io/file.h"
#include "io/jsonl.h"
#include "suite/cell_digests.h"
#include "suite/dataset.h"
#include "suite/sample_json.h"

namespace fathom {
namespace {

// The shards in order, each once, all of one recipe.
Result<std::vector<Dataset>> open_shards(const std::vector<std::string>& folders) {
  std::map<int64_t, Dataset> by_number;
  std::optional<Manifest> first;
  for (const std::string& folder : folders) {
    TRY(Dataset dataset, Dataset::open(folder));
    const Manifest& manifest = dataset.manifest();
    if (dataset.needs_maker()) {
      return fail(ErrorCode::kUsage, "{}: holds a recipe, not samples: there is nothing to merge",
                  folder);
    }
    if (!first) first = manifest;
    const auto lines = recipe_differences(first->recipe, manifest.recipe);
    if (!lines.empty() || first->shard.of != manifest.shard.of ||
        first->origin != manifest.origin) {
      return fail(
          ErrorCode::kUsage, "{}: is no part of the same dataset as {} ({})", folder, folders[0],
          lines.empty() ? "another number of shards" : fmt::format("{}", fmt::join(lines, "; ")));
    }
    const Shard shard = manifest.shard;
    if (!by_number.emplace(shard.number, std::move(dataset)).second) {
      return fail(ErrorCode::kUsage, "{}: shard {} is given twice", folder, to_text(shard));
    }
  }
  if (!first) return fail(ErrorCode::kUsage, "no shard to merge");
  std::vector<Dataset> shards;
  for (int64_t number = 1; number <= first->shard.of; ++number) {
    const auto found = by_number.find(number);
    if (found == by_number.end()) {
      return fail(ErrorCode::kUsage, "shard {} is missing",
                  to_text(Shard{number, first->shard.of}));
    }
    shards.push_back(std::move(found->second));
  }
  return shards;
}

}  // namespace

Result<WriteResult> merge_datasets(const std::vector<std::string>& shard_folders,
                                   const std::string& folder, bool compress) {
  TRY(const auto shards, open_shards(shard_folders));
  WriteResult result{shards[0].manifest(), false};
  Manifest& manifest = result.manifest;
  manifest.shard = {};
  manifest.file = compress ? "samples.jsonl.zst" : "samples.jsonl";
  manifest.samples = 0;
  if (file_exists(folder + "/manifest.json")) {
    return fail(ErrorCode::kUsage, "{}: already holds a dataset; choose another folder with -o",
                folder);
  }
  std::vector<std::unique_ptr<SampleReader>> readers;
  for (const Dataset& shard : shards) {
    TRY(auto reader, shard.read());
    readers.push_back(std::move(reader));
  }
  TRY_VOID(make_directories(folder));
  TRY(LineWriter writer, LineWriter::create(folder + "/" + manifest.file));
  CellDigests digests;
  const auto slots = suite_slots(manifest.recipe.suite);
  for (size_t place = 0; place < slots.size(); ++place) {
    TRY(const auto sample, readers[place % readers.size()]->next());
    const std::string id = slot_id(manifest.recipe.suite, slots[place]);
    if (!sample || sample->id != id) {
      return fail(ErrorCode::kInput, "{}: sample {} is missing",
                  shards[place % shards.size()].folder(), id);
    }
    digests.add(sample->cell, sample->length, sample->id, sample->hash());
    TRY_VOID(writer.write(sample_to_json(*sample)));
    ++manifest.samples;
  }
  TRY_VOID(writer.finish());
  TRY_VOID(seal_dataset(folder, digests, manifest));
  return result;
}

}  // namespace fathom

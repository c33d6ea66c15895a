// A suite's samples, frozen: written as a recipe (made again when needed) or as JSONL, read lazily
// from either (G10, D1).
//
//   TRY(const Manifest manifest, write_dataset("data", recipe, options, [&](const SampleSlot& slot)
//   { return maker.make(slot); })); TRY(Dataset dataset, Dataset::open("data")); TRY(auto reader,
//   dataset.read(make));       // make: needed for a recipe only while (true) {
//     TRY(std::optional<Sample> sample, reader->next());
//     if (!sample) break;
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/manifest.h"
#include "suite/suite.h"
#include "task/sample.h"

namespace fathom {

// Makes one sample of a suite. Called on many threads at once.
using MakeSample = std::function<Result<Sample>(const SampleSlot& slot)>;

struct WriteOptions {
  DatasetForm form = DatasetForm::kSamples;
  bool compress = false;     // samples.jsonl.zst in place of samples.jsonl
  bool check_recipe = true;  // of a recipe: make all samples once and record their hashes
  Shard shard;
  int threads = 0;                                         // 0: all cores
  std::string fathom_version;                              // for the manifest
  std::function<void(int64_t done, int64_t of)> progress;  // called in order, from one thread
};

struct WriteResult {
  Manifest manifest;
  bool existed = false;  // the folder already held this dataset: nothing was made
};

// The slots of a shard, in order.
[[nodiscard]] std::vector<SampleSlot> shard_slots(const Suite& suite, const Shard& shard);

// Makes the samples on N threads and writes them in order into FOLDER with manifest.json last.
// Memory holds a few samples per thread. The bytes do not depend on the thread count. A folder that
// already holds the same dataset is left as it is; another one is refused with the differences
// named (kUsage). The first failing sample's error is returned and nothing is left behind.
[[nodiscard]] Result<WriteResult> write_dataset(const std::string& folder, const Recipe& recipe,
                                                const WriteOptions& options,
                                                const MakeSample& make);

// As write_dataset(), for samples that come from elsewhere (imports), in their order. `next` gives
// nullopt at the end.
[[nodiscard]] Result<WriteResult> write_imported(
    const std::string& folder, const Recipe& recipe, const std::string& origin, bool compress,
    const std::function<Result<std::optional<Sample>>()>& next);

// One pass over a dataset's samples, in order. Thread-compatible.
class SampleReader {
 public:
  virtual ~SampleReader() = default;
  [[nodiscard]] virtual Result<std::optional<Sample>> next() = 0;  // nullopt: the end
  virtual Result<void> skip(int64_t count) = 0;                    // without making or parsing them
};

// A folder with a manifest. Thread-safe: reading makes a new reader.
class Dataset {
 public:
  // Errors: kIo; kInput where the manifest is malformed or its file is missing.
  [[nodiscard]] static Result<Dataset> open(const std::string& folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  [[nodiscard]] bool needs_maker() const { return manifest_.form == DatasetForm::kRecipe; }
  // Equal for the recipe and the materialised form of the same samples.
  [[nodiscard]] std::string hash() const;

  // That the samples file is the one the manifest speaks of, by its SHA-256; nothing to check for a
  // recipe. Reads the whole file. Errors: kInput naming the file.
  [[nodiscard]] Result<void> verify() const;

  // A recipe makes each sample in next() with `make`; the JSONL form reads one line at a time and
  // checks its hash.
  [[nodiscard]] Result<std::unique_ptr<SampleReader>> read(MakeSample make = nullptr) const;

 private:
  Dataset() = default;
  std::string folder_;
  Manifest manifest_;
};

// Reads samples that are made on the fly, without a folder (`fathom run SUITE`), in slot order.
[[nodiscard]] std::unique_ptr<SampleReader> make_sample_reader(std::vector<SampleSlot> slots,
                                                               MakeSample make);

// Joins shards 1/n … n/n of one dataset into `folder`, in suite order; the shards stay as they are.
// Errors: kUsage where a shard is missing, twice there, or of another dataset.
[[nodiscard]] Result<WriteResult> merge_datasets(const std::vector<std::string>& shard_folders,
                                                 const std::string& folder, bool compress);

}  // namespace fathom

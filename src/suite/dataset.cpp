#include "suite/dataset.h"

#include "base/hash.h"
#include "io/file.h"
#include "io/jsonl.h"
#include "suite/cell_digests.h"
#include "suite/ordered_making.h"
#include "suite/sample_json.h"

namespace fathom {
namespace {

// The dataset that the folder already holds, checked against what is wanted; nullopt: none.
Result<std::optional<Manifest>> existing(const std::string& folder, const Manifest& wanted) {
  if (!file_exists(folder + "/manifest.json")) return std::optional<Manifest>();
  TRY(Manifest found, read_manifest(folder));
  std::vector<std::string> lines = recipe_differences(wanted.recipe, found.recipe);
  if (wanted.form != found.form || wanted.file != found.file) {
    const auto name = [](const Manifest& each) {
      return each.form == DatasetForm::kRecipe ? std::string("a recipe") : each.file;
    };
    lines.push_back(fmt::format("form: {} instead of {}", name(wanted), name(found)));
  }
  if (wanted.shard != found.shard) {
    lines.push_back(
        fmt::format("shard: {} instead of {}", to_text(wanted.shard), to_text(found.shard)));
  }
  if (wanted.origin != found.origin) {
    lines.push_back(fmt::format("origin: '{}' instead of '{}'", wanted.origin, found.origin));
  }
  if (!lines.empty()) {
    return fail(ErrorCode::kUsage,
                "{}: holds another dataset ({}); choose another folder with -o, or remove this one",
                folder, fmt::join(lines, "; "));
  }
  if (!found.file.empty() && !file_exists(folder + "/" + found.file))
    return std::optional<Manifest>();
  return std::optional<Manifest>(std::move(found));
}

// A recipe's samples are made when they are asked for.
class MakingReader : public SampleReader {
 public:
  MakingReader(std::vector<SampleSlot> slots, MakeSample make)
      : slots_(std::move(slots)), make_(std::move(make)) {}

  Result<std::optional<Sample>> next() override {
    if (next_ >= slots_.size()) return std::optional<Sample>();
    TRY(Sample sample, make_(slots_[next_]));
    ++next_;
    return std::optional<Sample>(std::move(sample));
  }

  Result<void> skip(int64_t count) override {
    next_ = std::min(slots_.size(), next_ + static_cast<size_t>(count));
    return {};
  }

 private:
  std::vector<SampleSlot> slots_;
  MakeSample make_;
  size_t next_ = 0;
};

class FileReader : public SampleReader {
 public:
  FileReader(LineReader lines, std::string path)
      : lines_(std::move(lines)), path_(std::move(path)) {}

  Result<std::optional<Sample>> next() override {
    std::string_view line;
    TRY(const bool more, lines_.next(line));
    if (!more) return std::optional<Sample>();
    TRY(Sample sample, sample_from_json(line, fmt::format("{}:{}", path_, lines_.number())));
    return std::optional<Sample>(std::move(sample));
  }

  Result<void> skip(int64_t count) override {
    std::string_view line;
    for (int64_t i = 0; i < count; ++i) {
      TRY(const bool more, lines_.next(line));
      if (!more) break;
    }
    return {};
  }

 private:
  LineReader lines_;
  std::string path_;
};

Manifest planned(const Recipe& recipe, const WriteOptions& options) {
  Manifest manifest;
  manifest.form = options.form;
  if (options.form == DatasetForm::kSamples) {
    manifest.file = options.compress ? "samples.jsonl.zst" : "samples.jsonl";
  }
  manifest.recipe = recipe;
  manifest.shard = options.shard;
  manifest.fathom_version = FATHOM_VERSION;
  return manifest;
}

}  // namespace

std::vector<SampleSlot> shard_slots(const Suite& suite, const Shard& shard) {
  const std::vector<SampleSlot> all = suite_slots(suite);
  std::vector<SampleSlot> mine;
  for (size_t i = static_cast<size_t>(shard.number - 1); i < all.size();
       i += static_cast<size_t>(shard.of)) {
    mine.push_back(all[i]);
  }
  return mine;
}

Result<WriteResult> write_dataset(const std::string& folder, const Recipe& recipe,
                                  const WriteOptions& options, const MakeSample& make) {
  WriteResult result{planned(recipe, options), false};
  Manifest& manifest = result.manifest;
  TRY(auto found, existing(folder, manifest));
  if (found) return WriteResult{std::move(*found), true};
  const auto slots = shard_slots(recipe.suite, options.shard);
  if (slots.empty()) {
    return fail(ErrorCode::kUsage, "shard {} of {} samples is empty; use fewer shards",
                to_text(options.shard), suite_slots(recipe.suite).size());
  }
  TRY_VOID(make_directories(folder));
  const bool with_lines = options.form == DatasetForm::kSamples;
  std::optional<LineWriter> writer;
  if (with_lines) {
    TRY(writer, LineWriter::create(folder + "/" + manifest.file));
  }
  CellDigests digests;
  const auto take = [&](size_t position, const MadeSample& sample) -> Result<void> {
    const SampleSlot& slot = slots[position];
    if (sample.id != slot_id(recipe.suite, slot)) {
      return fail(ErrorCode::kInternal, "sample {} was made for slot {}", sample.id,
                  slot_id(recipe.suite, slot));
    }
    digests.add(recipe.suite.tasks[slot.task].cell, slot.length, sample.id, sample.hash);
    if (writer) TRY_VOID(writer->write(sample.line));
    if (options.progress) {
      options.progress(static_cast<int64_t>(position + 1), static_cast<int64_t>(slots.size()));
    }
    return {};
  };
  if (with_lines || options.check_recipe) {
    TRY_VOID(make_in_order(slots, options.threads, with_lines, make, take));
  }
  if (writer) TRY_VOID(writer->finish());
  manifest.samples = static_cast<int64_t>(slots.size());
  TRY_VOID(seal_dataset(folder, digests, manifest));
  return result;
}

Result<WriteResult> write_imported(const std::string& folder, const Recipe& recipe,
                                   const std::string& origin, bool compress,
                                   const std::function<Result<std::optional<Sample>>()>& next) {
  WriteResult result;
  Manifest& manifest = result.manifest;
  manifest.file = compress ? "samples.jsonl.zst" : "samples.jsonl";
  manifest.recipe = recipe;
  manifest.origin = origin;
  manifest.fathom_version = FATHOM_VERSION;
  TRY(auto found, existing(folder, manifest));
  if (found) return WriteResult{std::move(*found), true};
  TRY_VOID(make_directories(folder));
  TRY(LineWriter writer, LineWriter::create(folder + "/" + manifest.file));
  CellDigests digests;
  while (true) {
    TRY(const std::optional<Sample> sample, next());
    if (!sample) break;
    digests.add(sample->cell, sample->length, sample->id, sample->hash());
    TRY_VOID(writer.write(sample_to_json(*sample)));
    ++manifest.samples;
  }
  TRY_VOID(writer.finish());
  TRY_VOID(seal_dataset(folder, digests, manifest));
  return result;
}

Result<Dataset> Dataset::open(const std::string& folder) {
  Dataset dataset;
  dataset.folder_ = folder;
  TRY(dataset.manifest_, read_manifest(folder));
  const std::string& file = dataset.manifest_.file;
  if (dataset.manifest_.form == DatasetForm::kSamples &&
      (file.empty() || !file_exists(folder + "/" + file))) {
    return fail(ErrorCode::kInput,
                "{}/manifest.json: its sample file '{}' is missing; generate the dataset again",
                folder, file);
  }
  return dataset;
}

Result<void> Dataset::verify() const {
  if (needs_maker()) return {};
  const std::string path = folder_ + "/" + manifest_.file;
  TRY(const std::string found, sha256_file(path));
  if (found == manifest_.file_sha256) return {};
  return fail(ErrorCode::kInput,
              "{}: is not the file that manifest.json speaks of (SHA-256 {}… instead of {}…); "
              "generate the dataset again",
              path, found.substr(0, 16), manifest_.file_sha256.substr(0, 16));
}

std::string Dataset::hash() const {
  return manifest_.origin.empty()
             ? hash_hex(fmt::format("{} {}", manifest_.recipe.hash(), to_text(manifest_.shard)))
             : manifest_.samples_hash;
}

Result<std::unique_ptr<SampleReader>> Dataset::read(MakeSample make) const {
  if (needs_maker()) {
    if (!make) {
      return fail(ErrorCode::kInternal, "{}: a recipe was read without a maker of samples",
                  folder_);
    }
    return make_sample_reader(shard_slots(manifest_.recipe.suite, manifest_.shard),
                              std::move(make));
  }
  const std::string path = folder_ + "/" + manifest_.file;
  TRY(LineReader lines, LineReader::open(path));
  return std::unique_ptr<SampleReader>(std::make_unique<FileReader>(std::move(lines), path));
}

std::unique_ptr<SampleReader> make_sample_reader(std::vector<SampleSlot> slots, MakeSample make) {
  return std::make_unique<MakingReader>(std::move(slots), std::move(make));
}

}  // namespace fathom

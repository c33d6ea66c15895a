// Random access to a dataset's samples.
#include <fstream>
#include <optional>

#include "io/jsonl.h"
#include "suite/dataset.h"
#include "suite/sample_json.h"

namespace fathom {
namespace {

SampleEntry entry_of(const Sample& sample) {
  return {sample.id,    sample.hash(),   sample.cell,  sample.length,
          sample.index, sample.haystack, sample.tokens};
}

std::vector<SampleEntry> entries_of(const Suite& suite, const std::vector<SampleSlot>& slots) {
  std::vector<SampleEntry> entries;
  entries.reserve(slots.size());
  for (const SampleSlot& slot : slots) {
    SampleEntry entry;
    entry.id = slot_id(suite, slot);
    entry.cell = suite.tasks[slot.task].cell;
    entry.length = slot.length;
    entry.index = slot.index;
    entry.tokens.prompt = entry.tokens.total = slot.length;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

struct DatasetIndex::State {
  std::vector<SampleEntry> entries;
  // Of a recipe:
  std::vector<SampleSlot> slots;
  MakeSample make;
  // Of a file:
  std::string path;
  bool seekable = false;
  std::vector<uint64_t> offsets;     // of each line, and of the end; plain files only
  std::optional<LineReader> reader;  // compressed files: stands before line `position`
  size_t position = 0;

  Result<Sample> read_plain(size_t wanted) {
    std::ifstream file(path, std::ios::binary);
    std::string line(offsets[wanted + 1] - offsets[wanted], '\0');
    file.seekg(static_cast<std::streamoff>(offsets[wanted]));
    if (!file.read(line.data(), static_cast<std::streamsize>(line.size()))) {
      return fail(ErrorCode::kIo, "{}: cannot be read at byte {}; did the file change?", path,
                  offsets[wanted]);
    }
    return sample_from_json(line, fmt::format("{}:{}", path, wanted + 1));
  }

  Result<Sample> read_compressed(size_t wanted) {
    if (!reader || wanted < position) {
      TRY(reader, LineReader::open(path));
      position = 0;
    }
    std::string_view line;
    while (position <= wanted) {
      TRY(const bool more, reader->next(line));
      if (!more) return fail(ErrorCode::kIo, "{}: ends before sample {}", path, wanted + 1);
      ++position;
    }
    return sample_from_json(line, fmt::format("{}:{}", path, wanted + 1));
  }

  // One pass: entries, and where each line begins.
  Result<void> scan() {
    TRY(LineReader lines, LineReader::open(path));
    std::string_view line;
    while (true) {
      TRY(const bool more, lines.next(line));
      if (!more) break;
      TRY(const Sample sample, sample_from_json(line, fmt::format("{}:{}", path, lines.number())));
      entries.push_back(entry_of(sample));
      if (lines.number() != entries.size()) {
        return fail(ErrorCode::kInput, "{}:{}: a blank line among the samples", path,
                    lines.number() - 1);
      }
      if (seekable) offsets.push_back(offsets.back() + line.size() + 1);
    }
    return {};
  }
};

DatasetIndex::DatasetIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
DatasetIndex::DatasetIndex(DatasetIndex&&) noexcept = default;
DatasetIndex& DatasetIndex::operator=(DatasetIndex&&) noexcept = default;
DatasetIndex::~DatasetIndex() = default;

const std::vector<SampleEntry>& DatasetIndex::entries() const { return state_->entries; }

Result<DatasetIndex> DatasetIndex::build(const Dataset& dataset, MakeSample make) {
  auto state = std::make_unique<State>();
  const Manifest& manifest = dataset.manifest();
  if (dataset.needs_maker()) {
    if (!make) {
      return fail(ErrorCode::kInternal, "{}: a recipe was read without a maker of samples",
                  dataset.folder());
    }
    state->slots = shard_slots(manifest.recipe.suite, manifest.shard);
    state->entries = entries_of(manifest.recipe.suite, state->slots);
    state->make = std::move(make);
    return DatasetIndex(std::move(state));
  }
  state->path = dataset.folder() + "/" + manifest.file;
  state->seekable = !manifest.file.ends_with(".zst");
  state->offsets.push_back(0);
  TRY_VOID(state->scan());
  if (static_cast<int64_t>(state->entries.size()) != manifest.samples) {
    return fail(ErrorCode::kInput, "{}: holds {} samples, its manifest says {}; generate it again",
                state->path, state->entries.size(), manifest.samples);
  }
  return DatasetIndex(std::move(state));
}

DatasetIndex DatasetIndex::of_suite(const Suite& suite, MakeSample make) {
  auto state = std::make_unique<State>();
  state->slots = suite_slots(suite);
  state->entries = entries_of(suite, state->slots);
  state->make = std::move(make);
  return DatasetIndex(std::move(state));
}

Result<Sample> DatasetIndex::sample(size_t position) {
  if (state_->make) return state_->make(state_->slots[position]);
  return state_->seekable ? state_->read_plain(position) : state_->read_compressed(position);
}

}  // namespace fathom

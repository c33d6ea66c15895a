#include "suite/sample_access.h"

namespace fathom {
namespace {

class MadeSamples final : public SampleAccess {
 public:
  MadeSamples(std::vector<SampleSlot> slots, MakeSample make)
      : slots_(std::move(slots)), make_(std::move(make)) {}
  Result<Sample> at(size_t position) override {
    if (position >= slots_.size())
      return fail(ErrorCode::kInput, "a dataset of {} samples has none at place {}", slots_.size(),
                  position);
    return make_(slots_[position]);
  }

 private:
  std::vector<SampleSlot> slots_;
  MakeSample make_;
};

class ReadSamples final : public SampleAccess {
 public:
  explicit ReadSamples(Dataset dataset) : dataset_(std::move(dataset)) {}

  Result<Sample> at(size_t position) override {
    if (!reader_ || position < next_) {
      TRY(reader_, dataset_.read());
      next_ = 0;
    }
    TRY_VOID(reader_->skip(static_cast<int64_t>(position - next_)));
    TRY(std::optional<Sample> sample, reader_->next());
    if (!sample)
      return fail(ErrorCode::kInput, "{}: it has no sample at place {}", dataset_.folder(),
                  position);
    next_ = position + 1;
    return std::move(*sample);
  }

 private:
  Dataset dataset_;
  std::unique_ptr<SampleReader> reader_;
  size_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<SampleAccess>> open_samples(const Dataset& dataset) {
  if (!dataset.needs_maker()) return std::make_unique<ReadSamples>(dataset);
  const Manifest& manifest = dataset.manifest();
  TRY(const SampleFactory factory, open_factory(manifest.recipe));
  return made_samples(shard_slots(manifest.recipe.suite, manifest.shard), factory.make);
}

std::unique_ptr<SampleAccess> made_samples(std::vector<SampleSlot> slots, MakeSample make) {
  return std::make_unique<MadeSamples>(std::move(slots), std::move(make));
}

}  // namespace fathom

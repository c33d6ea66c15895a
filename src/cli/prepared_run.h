// What stands before a run starts: the model probed, the dataset opened or recorded, every sample
// described.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/model_flags.h"
#include "cli/suite_flags.h"
#include "model/model.h"
#include "results/sample_index.h"
#include "run/run.h"
#include "suite/manifest.h"
#include "suite/sample_access.h"

namespace fathom {

// The samples of a run, described by its index and made or read when they are sent.
class IndexedSamples final : public SampleSource {
 public:
  IndexedSamples(std::vector<SampleLine> index, std::unique_ptr<SampleAccess> samples)
      : index_(std::move(index)), samples_(std::move(samples)) {}
  [[nodiscard]] size_t count() const override { return index_.size(); }
  [[nodiscard]] Result<SampleInfo> info(size_t position) override {
    return info_of(index_.at(position));
  }
  [[nodiscard]] Result<std::shared_ptr<const Sample>> sample(size_t position) override;

 private:
  std::vector<SampleLine> index_;
  std::unique_ptr<SampleAccess> samples_;
};

struct PreparedRun {
  std::unique_ptr<Model> model;
  Manifest manifest;
  std::unique_ptr<IndexedSamples> samples;
  RunOptions options;
  // The samples of an index of this dataset's, all or some, for a run beside this one.
  std::function<Result<std::unique_ptr<IndexedSamples>>(const std::string& index)> samples_of;
};

// `folder`: the run's. A suite's recipe is written to FOLDER/dataset and its samples are described
// in FOLDER/samples.jsonl; a dataset folder is used where it lies. An earlier run's files are used
// again where they are of the same recipe, and refused otherwise.
[[nodiscard]] Result<PreparedRun> prepare_run(const std::string& folder, const SuiteFlags& suite,
                                              const ModelFlags& model,
                                              const RequestFlags& requests);

}  // namespace fathom

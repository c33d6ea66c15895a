// Single samples of a dataset by their place: made again from a recipe, or read from the file.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "suite/dataset.h"
#include "suite/factory.h"

namespace fathom {

// Thread-compatible. Places near after the last one are cheap; in a materialised dataset going back
// starts over.
class SampleAccess {
 public:
  virtual ~SampleAccess() = default;
  [[nodiscard]] virtual Result<Sample> at(size_t position) = 0;
};

// Opens the sources of a recipe where the dataset is one. Errors: those of open_factory() and
// Dataset::read().
[[nodiscard]] Result<std::unique_ptr<SampleAccess>> open_samples(const Dataset& dataset);

// Samples that a factory makes, in slot order.
[[nodiscard]] std::unique_ptr<SampleAccess> made_samples(std::vector<SampleSlot> slots,
                                                         MakeSample make);

}  // namespace fathom

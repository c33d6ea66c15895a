// The hashes of a dataset's cells, built up sample by sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "suite/manifest.h"

namespace fathom {

// Cells appear in the order of their first sample. Thread-compatible; memory: one hash text a
// sample of the cells still open.
class CellDigests {
 public:
  void add(const std::string& cell, int64_t length, const std::string& id,
           const std::string& hash) {
    for (size_t i = cells_.size(); i-- > 0;) {
      if (cells_[i].cell != cell || cells_[i].length != length) continue;
      ++cells_[i].samples;
      lines_[i] += fmt::format("{} {}\n", id, hash);
      return;
    }
    cells_.push_back({cell, length, 1, ""});
    lines_.push_back(fmt::format("{} {}\n", id, hash));
  }

  [[nodiscard]] std::vector<CellDigest> finish() {
    for (size_t i = 0; i < cells_.size(); ++i) cells_[i].hash = hash_hex(lines_[i]);
    return cells_;
  }

 private:
  std::vector<CellDigest> cells_;
  std::vector<std::string> lines_;
};

// Ends a dataset whose samples are written: their hashes go into the manifest, which is written
// last.
[[nodiscard]] inline Result<void> seal_dataset(const std::string& folder, CellDigests& digests,
                                               Manifest& manifest) {
  if (!manifest.file.empty()) {
    TRY(manifest.file_sha256, sha256_file(folder + "/" + manifest.file));
  }
  manifest.cells = digests.finish();
  manifest.samples_hash = combined_hash(manifest.cells);
  return write_manifest(folder, manifest);
}

}  // namespace fathom

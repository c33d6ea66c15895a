// What the arms of a study read of a few samples, layer by block, for the page (spec V2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/selection_log.h"
#include "base/result.h"
#include "results/arm_folder.h"

namespace fathom {

inline constexpr int64_t kMostPictureColumns = 256;
inline constexpr size_t kMostPictureSamples = 6;

// One layer: what its masked queries read.
struct PictureLayer {
  int layer = 0;
  bool dense = false;  // left alone by the arm: reads everything, and has no shares
  // By column, percent of the queries that see a block and read it, of the block most read; -1: no
  // query sees any. A share above 0 is at least 1.
  std::vector<int64_t> shares;
};

struct ArmPicture {
  size_t arm = 0;  // into the study's arms
  std::string sample_id;
  int64_t block = 0;   // tokens
  int64_t merged = 1;  // blocks a column, so that there are at most kMostPictureColumns
  int64_t context_tokens = 0;
  int64_t prompt_tokens = 0;
  int64_t end = 0;    // positions up to the last query's own
  int64_t steps = 0;  // masked queries
  std::vector<PictureLayer> layers;
};

// Ids of samples worth a picture: for each selector the first one that it loses, those before that
// the evidence alone keeps; last one that everything answers. None without full attention.
[[nodiscard]] std::vector<std::string> picture_samples(std::span<const FinishedArm> arms);

[[nodiscard]] ArmPicture picture_of(const SelectionLog& log);

// Of these samples, from ARM/selections.jsonl.zst; arms without a log have none. Of several lines
// about one sample the last counts. Errors: kIo, kInput "FILE:LINE: …". Memory: one log.
[[nodiscard]] Result<std::vector<ArmPicture>> read_pictures(
    std::span<const FinishedArm> arms, const std::vector<std::string>& samples);

}  // namespace fathom

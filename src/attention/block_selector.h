// What all selectors have in common: scores of blocks become sets of blocks within the budget, with
// what is always kept, what an oracle forces in and what a knock-out leaves out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attention/block_grid.h"
#include "attention/selector.h"

namespace fathom {

// [rows][blocks]; one row for all heads, one per kv head, or one per query head.
struct BlockScores {
  int rows = 1;
  int64_t blocks = 0;
  std::vector<double> values = {};

  BlockScores(int row_count, int64_t block_count)
      : rows(row_count),
        blocks(block_count),
        values(static_cast<size_t>(row_count) * static_cast<size_t>(block_count)) {}
  [[nodiscard]] std::span<double> row(int i) {
    return std::span(values).subspan(static_cast<size_t>(i * blocks), static_cast<size_t>(blocks));
  }
  [[nodiscard]] std::span<const double> row(int i) const {
    return std::span(values).subspan(static_cast<size_t>(i * blocks), static_cast<size_t>(blocks));
  }
};

// Rows as `sharing` wants them chosen from: kKvSum sums a group's query heads, kLayer all rows.
[[nodiscard]] BlockScores shared_scores(BlockScores scores, HeadSharing sharing,
                                        const AttentionShape& shape);

// Adds visible blocks to `kept`, the highest score first and of equal ones the lower block, until
// it holds `most`; those in `left_out` never.
void add_best(BlockSet& kept, std::span<const double> scores, const BlockGrid& grid, int64_t most,
              const BlockSet& left_out);

// What becomes of the evidence's blocks.
enum class EvidenceRule { kNone, kForcedIn, kLeftOut };

class BlockSelector : public Selector {
 public:
  BlockSelector(SelectorOptions options, const AttentionShape& shape, int layers, EvidenceRule rule)
      : options_(std::move(options)), shape_(shape), layers_(layers), rule_(rule) {}

  void begin(const SelectorContext& context) final;
  [[nodiscard]] Selection select(const KeyView& keys, const QueryView& query) final;
  [[nodiscard]] int64_t observes_from() const override { return context_.first_masked; }
  void observe(const KeyView&, const QueryView&) override {}
  [[nodiscard]] bool needs_logits() const override { return false; }
  [[nodiscard]] double pairs_read_to_select(int64_t) const override { return 0; }

 protected:
  virtual void reset() {}
  [[nodiscard]] virtual BlockScores scores(const KeyView& keys, const QueryView& query,
                                           const BlockGrid& grid) = 0;
  // Blocks a query may read at most, the always-kept ones among them.
  [[nodiscard]] virtual int64_t most_blocks(const BlockGrid& grid) const;
  // Whether its scores say anything.
  [[nodiscard]] virtual bool weighs() const { return true; }
  // Adds what this selector keeps beside sinks and window.
  virtual void keep_more(const BlockGrid&, BlockSet&) const {}
  // Adds what it gave up for good, for a row of the shared scores.
  virtual void leave_out_more(int /*layer*/, size_t /*row*/, BlockSet& /*left_out*/) const {}
  // The sets that were chosen, one per row; empty: everything is read.
  virtual void chosen(const KeyView&, const QueryView&, const BlockGrid&,
                      std::span<const BlockSet>) {}

  [[nodiscard]] const SelectorOptions& options() const { return options_; }
  [[nodiscard]] const AttentionShape& shape() const { return shape_; }
  [[nodiscard]] const SelectorContext& context() const { return context_; }
  [[nodiscard]] int layers() const { return layers_; }

 private:
  [[nodiscard]] BlockSet always_kept(const BlockGrid& grid) const;
  [[nodiscard]] BlockSet evidence_blocks(const BlockGrid& grid) const;

  SelectorOptions options_;
  AttentionShape shape_;
  int layers_;
  EvidenceRule rule_;
  SelectorContext context_;
};

}  // namespace fathom

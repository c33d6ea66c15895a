// What words encoded to before: text is Zipfian, so nearly every word of a long text is found here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"
#include "tokenizer/word_key.h"
#include "tokenizer/word_merger.h"
#include "tokenizer/zeroed_array.h"

namespace fathom {

// The tokens of one short word: up to four in place, more in the cache's spill.
struct WordEntry {
  static constexpr uint32_t kInline = 4;
  static constexpr int kCountShift = 24;  // ids are below 2^21

  WordKey key;
  std::array<uint32_t, kInline> tokens{};  // tokens[0] holds the count in its top byte; beyond
                                           // kInline, tokens[1] is a place in the spill

  [[nodiscard]] uint32_t count() const { return tokens[0] >> kCountShift; }
  [[nodiscard]] uint32_t first() const { return tokens[0] & ((uint32_t{1} << kCountShift) - 1); }
};
static_assert(sizeof(WordEntry) == 32);

// Single-threaded: one per call, borrowed from a WordCachePool.
class WordCache {
 public:
  WordCache();

  // Makes room so that the next `words` insertions move nothing. Call between batches. Forgets
  // everything when the table is at its largest.
  void reserve(size_t words);

  void prefetch(uint64_t hash) const { __builtin_prefetch(&entries_[hash & mask_]); }
  // The entry of `key`, or null.
  [[nodiscard]] const WordEntry* find(const WordKey& key, uint64_t hash) const {
    for (uint64_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
      if (entries_[slot].key == key) return &entries_[slot];
      if (entries_[slot].key.high == 0) return nullptr;
    }
  }
  // Requires: find() gives null, reserve() was called. The entry stays in place until reserve() or
  // clear().
  const WordEntry* insert(const WordKey& key, uint64_t hash, const TokenId* ids, size_t count);
  [[nodiscard]] const TokenId* spilled(const WordEntry& entry) const {
    return spill_.data() + entry.tokens[1];
  }

  // Words over WordKey::kMaxBytes.
  struct LongWord {
    const TokenId* ids =
        nullptr;  // null: not known; valid until the next insert_long() or reserve()
    size_t count = 0;
  };
  static constexpr size_t kMaxLongBytes = 128;
  [[nodiscard]] LongWord find_long(std::string_view word, uint64_t hash) const;
  void insert_long(std::string_view word, uint64_t hash, const TokenId* ids, size_t count);

  Symbols symbols;  // scratch for the words that must be merged

 private:
  struct LongEntry {
    uint64_t hash = 0;
    uint32_t text = 0;  // in long_text_
    uint32_t ids = 0;   // in long_ids_
    uint16_t bytes = 0;
    uint16_t count = 0;
  };

  void grow();
  void grow_long();
  void clear();
  void clear_long();

  uint64_t mask_ = 0;
  size_t used_ = 0;
  ZeroedArray<WordEntry> entries_;
  std::vector<TokenId> spill_;
  uint64_t long_mask_ = 0;
  size_t long_used_ = 0;
  std::vector<LongEntry> long_entries_;
  std::vector<char> long_text_;
  std::vector<TokenId> long_ids_;
};

// Thread-safe. Caches in use are with their borrowers; the rest wait here, the last returned goes
// out first.
class WordCachePool {
 public:
  class Lease {
   public:
    explicit Lease(WordCachePool& pool) : pool_(pool), cache_(pool.take()) {}
    ~Lease() { pool_.put(std::move(cache_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    WordCache& operator*() const { return *cache_; }

   private:
    WordCachePool& pool_;
    std::unique_ptr<WordCache> cache_;
  };

 private:
  std::unique_ptr<WordCache> take();
  void put(std::unique_ptr<WordCache> cache);

  std::mutex mutex_;
  std::vector<std::unique_ptr<WordCache>> idle_;
};

}  // namespace fathom

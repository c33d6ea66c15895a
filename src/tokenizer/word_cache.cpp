#include "tokenizer/word_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fathom {

namespace {

constexpr size_t kFirstEntries = size_t{1} << 14;
constexpr size_t kMostEntries = size_t{1} << 19;
constexpr size_t kFirstLongEntries = size_t{1} << 10;
constexpr size_t kMostLongEntries = size_t{1} << 16;

}  // namespace

WordCache::WordCache()
    : mask_(kFirstEntries - 1),
      entries_(kFirstEntries),
      long_mask_(kFirstLongEntries - 1),
      long_entries_(kFirstLongEntries) {}

void WordCache::reserve(size_t words) {
  if ((used_ + words) * 2 <= entries_.size()) return;
  entries_.size() < kMostEntries ? grow() : clear();
}

void WordCache::grow() {
  const ZeroedArray<WordEntry> old =
      std::exchange(entries_, ZeroedArray<WordEntry>(entries_.size() * 4));
  mask_ = entries_.size() - 1;
  for (const WordEntry& entry : old) {
    if (entry.key.high == 0) continue;
    uint64_t slot = entry.key.hash() & mask_;
    while (entries_[slot].key.high != 0) slot = (slot + 1) & mask_;
    entries_[slot] = entry;
  }
}

void WordCache::clear() {
  std::fill(entries_.begin(), entries_.end(), WordEntry{});
  spill_.clear();
  used_ = 0;
}

const WordEntry* WordCache::insert(const WordKey& key, uint64_t hash, const TokenId* ids,
                                   size_t count) {
  WordEntry entry;
  entry.key = key;
  if (count <= WordEntry::kInline) {
    std::copy_n(ids, count, entry.tokens.begin());
  } else {
    entry.tokens[1] = static_cast<uint32_t>(spill_.size());
    spill_.insert(spill_.end(), ids, ids + count);
  }
  entry.tokens[0] |= static_cast<uint32_t>(count) << WordEntry::kCountShift;
  uint64_t slot = hash & mask_;
  while (entries_[slot].key.high != 0) slot = (slot + 1) & mask_;
  entries_[slot] = entry;
  ++used_;
  return &entries_[slot];
}

WordCache::LongWord WordCache::find_long(std::string_view word, uint64_t hash) const {
  for (uint64_t slot = hash & long_mask_;; slot = (slot + 1) & long_mask_) {
    const LongEntry& entry = long_entries_[slot];
    if (entry.bytes == 0) return {};
    if (entry.hash == hash && entry.bytes == word.size() &&
        std::memcmp(long_text_.data() + entry.text, word.data(), word.size()) == 0)
      return {long_ids_.data() + entry.ids, entry.count};
  }
}

void WordCache::insert_long(std::string_view word, uint64_t hash, const TokenId* ids,
                            size_t count) {
  if ((long_used_ + 1) * 2 > long_entries_.size())
    long_entries_.size() < kMostLongEntries ? grow_long() : clear_long();
  uint64_t slot = hash & long_mask_;
  while (long_entries_[slot].bytes != 0) slot = (slot + 1) & long_mask_;
  LongEntry& entry = long_entries_[slot];
  entry.hash = hash;
  entry.text = static_cast<uint32_t>(long_text_.size());
  entry.ids = static_cast<uint32_t>(long_ids_.size());
  entry.bytes = static_cast<uint16_t>(word.size());
  entry.count = static_cast<uint16_t>(count);
  long_text_.insert(long_text_.end(), word.begin(), word.end());
  // One id more than needed, so that ids of an empty encoding are not null.
  long_ids_.insert(long_ids_.end(), ids, ids + count);
  long_ids_.push_back(kNoToken);
  ++long_used_;
}

void WordCache::grow_long() {
  std::vector<LongEntry> old(long_entries_.size() * 4);
  old.swap(long_entries_);
  long_mask_ = long_entries_.size() - 1;
  for (const LongEntry& entry : old) {
    if (entry.bytes == 0) continue;
    uint64_t slot = entry.hash & long_mask_;
    while (long_entries_[slot].bytes != 0) slot = (slot + 1) & long_mask_;
    long_entries_[slot] = entry;
  }
}

void WordCache::clear_long() {
  std::fill(long_entries_.begin(), long_entries_.end(), LongEntry{});
  long_text_.clear();
  long_ids_.clear();
  long_used_ = 0;
}

std::unique_ptr<WordCache> WordCachePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto cache = std::move(idle_.back());
      idle_.pop_back();
      return cache;
    }
  }
  return std::make_unique<WordCache>();
}

void WordCachePool::put(std::unique_ptr<WordCache> cache) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(cache));
}

}  // namespace fathom

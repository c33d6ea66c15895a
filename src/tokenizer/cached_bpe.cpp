#include "tokenizer/cached_bpe.h"

#include <xxhash.h>

#include <array>

namespace fathom {

namespace {

constexpr size_t kBatch = 256;

// Sinks take the words of a text in order.
class CountSink {
 public:
  void add_short(const WordEntry& entry, const WordCache&, size_t) { total_ += entry.count(); }
  void add_long(WordCache::LongWord word, size_t, size_t) { total_ += word.count; }
  [[nodiscard]] size_t total() const { return total_; }

 private:
  size_t total_ = 0;
};

class IdSink {
 public:
  explicit IdSink(std::vector<TokenId>& ids) : ids_(ids) {}
  ~IdSink() { flush(); }
  IdSink(const IdSink&) = delete;
  IdSink& operator=(const IdSink&) = delete;

  void add_short(const WordEntry& entry, const WordCache& cache, size_t) {
    const uint32_t count = entry.count();
    if (count > WordEntry::kInline) return append(cache.spilled(entry), count);
    // All four are written and `count` of them kept: no branch on the count.
    TokenId* out = buffer_.data() + used_;
    out[0] = entry.first();
    out[1] = entry.tokens[1];
    out[2] = entry.tokens[2];
    out[3] = entry.tokens[3];
    used_ += count;
    if (used_ > kBuffer) flush();
  }
  void add_long(WordCache::LongWord word, size_t, size_t) { append(word.ids, word.count); }

 private:
  static constexpr size_t kBuffer = 1024;

  void append(const TokenId* ids, size_t count) {
    flush();
    ids_.insert(ids_.end(), ids, ids + count);
  }
  void flush() {
    ids_.insert(ids_.end(), buffer_.data(), buffer_.data() + used_);
    used_ = 0;
  }

  std::vector<TokenId>& ids_;
  size_t used_ = 0;
  std::array<TokenId, kBuffer + WordEntry::kInline> buffer_;
};

}  // namespace

struct CachedBpe::Batch {
  size_t begin = 0;
  size_t words = 0;
  std::array<size_t, kBatch> ends;
  std::array<WordKey, kBatch> keys;  // high 0: a long word
  std::array<uint64_t, kBatch> hashes;
  std::array<const WordEntry*, kBatch> entries;
  std::array<uint16_t, kBatch> misses;
};

void CachedBpe::look_up(std::string_view text, WordCache& cache, Batch& batch) const {
  size_t begin = batch.begin;
  for (size_t i = 0; i < batch.words; ++i) {
    const size_t size = batch.ends[i] - begin;
    WordKey key;
    if (size <= WordKey::kMaxBytes)
      key = begin + 16 <= text.size() ? load_word_key(text.data() + begin, size)
                                      : copy_word_key(text.data() + begin, size);
    const uint64_t hash = key.hash();
    batch.keys[i] = key;
    batch.hashes[i] = hash;
    cache.prefetch(hash);
    begin = batch.ends[i];
  }
  size_t misses = 0;
  for (size_t i = 0; i < batch.words; ++i) {
    const WordEntry* entry =
        batch.keys[i].high == 0 ? nullptr : cache.find(batch.keys[i], batch.hashes[i]);
    batch.entries[i] = entry;
    batch.misses[misses] = static_cast<uint16_t>(i);
    misses += entry == nullptr && batch.keys[i].high != 0;
  }
  for (size_t m = 0; m < misses; ++m) model_.whole_words().prefetch(batch.hashes[batch.misses[m]]);
  for (size_t m = 0; m < misses; ++m) {
    const size_t i = batch.misses[m];
    const size_t from = i == 0 ? batch.begin : batch.ends[i - 1];
    batch.entries[i] =
        add_short(text.substr(from, batch.ends[i] - from), batch.keys[i], batch.hashes[i], cache);
  }
}

const WordEntry* CachedBpe::add_short(std::string_view word, const WordKey& key, uint64_t hash,
                                      WordCache& cache) const {
  // An earlier miss of the same batch may have been the same word.
  if (const WordEntry* entry = cache.find(key, hash)) return entry;
  if (const TokenId whole = model_.whole_words().find(key, hash); whole != kNoToken)
    return cache.insert(key, hash, &whole, 1);
  model_.encode_word(word, cache.symbols);
  return cache.insert(key, hash, cache.symbols.ids.data(), cache.symbols.ids.size());
}

WordCache::LongWord CachedBpe::encode_long(std::string_view word, WordCache& cache) const {
  const bool cached = word.size() <= WordCache::kMaxLongBytes;
  const uint64_t hash = cached ? XXH3_64bits(word.data(), word.size()) : 0;
  if (cached)
    if (const WordCache::LongWord known = cache.find_long(word, hash); known.ids) return known;
  model_.encode_word(word, cache.symbols);
  if (cached) cache.insert_long(word, hash, cache.symbols.ids.data(), cache.symbols.ids.size());
  return {cache.symbols.ids.data(), cache.symbols.ids.size()};
}

template <typename Sink>
void CachedBpe::run(const WordSource& source, std::string_view text, WordCache& cache,
                    Sink& sink) const {
  WordSource::Cursor cursor;
  Batch batch;
  while ((batch.words = source.next(text, cursor, batch.ends.data(), kBatch)) > 0) {
    cache.reserve(kBatch);
    look_up(text, cache, batch);
    size_t begin = batch.begin;
    for (size_t i = 0; i < batch.words; ++i) {
      const size_t end = batch.ends[i];
      if (batch.entries[i])
        sink.add_short(*batch.entries[i], cache, begin);
      else
        sink.add_long(encode_long(text.substr(begin, end - begin), cache), begin, end);
      begin = end;
    }
    batch.begin = begin;
  }
}

size_t CachedBpe::count(const WordSource& source, std::string_view text) const {
  const WordCachePool::Lease cache(caches_);
  CountSink sink;
  run(source, text, *cache, sink);
  return sink.total();
}

void CachedBpe::encode(const WordSource& source, std::string_view text,
                       std::vector<TokenId>& ids) const {
  const WordCachePool::Lease cache(caches_);
  IdSink sink(ids);
  run(source, text, *cache, sink);
}

void CachedBpe::encode_with_ends(const WordSource& source, std::string_view text,
                                 std::vector<TokenId>& ids, std::vector<uint64_t>& ends) const {
  const WordCachePool::Lease lease(caches_);
  Symbols& symbols = (*lease).symbols;
  WordSource::Cursor cursor;
  std::array<size_t, kBatch> words;
  size_t begin = 0;
  while (const size_t n = source.next(text, cursor, words.data(), kBatch)) {
    for (size_t i = 0; i < n; ++i) {
      model_.encode_word(text.substr(begin, words[i] - begin), symbols);
      ids.insert(ids.end(), symbols.ids.begin(), symbols.ids.end());
      for (const uint32_t end : symbols.ends) ends.push_back(begin + end);
      begin = words[i];
    }
  }
}

}  // namespace fathom

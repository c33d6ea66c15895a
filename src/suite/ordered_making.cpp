#include "suite/ordered_making.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/threads.h"
#include "suite/sample_json.h"

namespace fathom {
namespace {

constexpr size_t kSamplesPerThread = 4;

// Workers claim positions in order, never further ahead of the taker than the ring is long.
class Line {
 public:
  Line(size_t count, size_t window) : count_(count), ring_(window) {}

  // The next position to make; nullopt: none left, or stopped.
  std::optional<size_t> claim() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stopped_ || next_ == count_ || next_ < taken_ + ring_.size(); });
    if (stopped_ || next_ == count_) return std::nullopt;
    return next_++;
  }

  void put(size_t position, Result<MadeSample> result) {
    const std::lock_guard lock(mutex_);
    ring_[position % ring_.size()] = std::move(result);
    ready_.notify_one();
  }

  Result<MadeSample> take(size_t position) {
    std::unique_lock lock(mutex_);
    std::optional<Result<MadeSample>>& place = ring_[position % ring_.size()];
    ready_.wait(lock, [&] { return place.has_value(); });
    Result<MadeSample> result = std::move(*place);
    place.reset();
    ++taken_;
    room_.notify_all();
    return result;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    room_.notify_all();
  }

 private:
  const size_t count_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable ready_;
  std::vector<std::optional<Result<MadeSample>>> ring_;
  size_t next_ = 0;
  size_t taken_ = 0;
  bool stopped_ = false;
};

Result<MadeSample> make_one(const SampleSlot& slot, bool with_lines, const MakeSample& make) {
  TRY(const Sample sample, make(slot));
  MadeSample made{sample.id, sample.hash(), {}};
  if (with_lines) made.line = sample_to_json(sample);
  return made;
}

}  // namespace

Result<void> make_in_order(
    const std::vector<SampleSlot>& slots, int threads, bool with_lines, const MakeSample& make,
    const std::function<Result<void>(size_t position, const MadeSample& sample)>& take) {
  const size_t wanted = static_cast<size_t>(threads > 0 ? threads : available_cores());
  const size_t workers = std::clamp<size_t>(slots.size(), 1, wanted);
  Line line(slots.size(), workers * kSamplesPerThread);
  std::vector<std::jthread> pool;
  for (size_t i = 0; i < workers; ++i) {
    pool.emplace_back([&] {
      while (const auto position = line.claim()) {
        line.put(*position, make_one(slots[*position], with_lines, make));
      }
    });
  }
  for (size_t position = 0; position < slots.size(); ++position) {
    Result<MadeSample> made = line.take(position);
    Result<void> taken;
    if (made) taken = take(position, *made);
    if (made && taken) continue;
    line.stop();
    return made ? std::move(taken) : fail(std::move(made).error());
  }
  return {};
}

}  // namespace fathom

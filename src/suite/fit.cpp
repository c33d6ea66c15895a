#include "suite/fit.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace fathom {
namespace {

constexpr size_t kProbeBytes = 16384;  // of filler, for the first guess
constexpr int kMostEncodes = 64;
constexpr int kPlainAttempts = 3;       // with all closers
constexpr size_t kMostDropped = 16;     // units given up to make room for closers
constexpr int64_t kMostToClose = 6000;  // tokens; more is left to units
constexpr int64_t kNear = 1;            // tokens by which a sample may miss its length (G1)

struct Measured {
  std::string text;
  BuiltContext context;
  std::vector<ByteSpan> spans;  // empty where only counted
  int64_t prompt_tokens = 0;
  int64_t context_tokens = 0;
  int64_t total = 0;
};

class Fitter {
 public:
  explicit Fitter(const FitRequest& request) : r_(request) {}

  Result<Fit> run() {
    least_ = r_.context.least_units();
    most_ = r_.context.most_units();
    if (r_.length <= 0) return fail(ErrorCode::kInput, "the length must be at least 1 token");
    probe();
    size_t units = first_guess();
    TRY(Measured first, measure({units, {}}, false));
    int64_t gap = r_.length - first.total;
    // A guess from few units can be far off where units differ much: count again nearer by.
    for (int round = 0; round < 4 && std::abs(gap) > r_.length / 16 + 64; ++round) {
      const size_t moved = move_units(units, gap);
      if (moved == units) break;
      units = moved;
      TRY(Measured again, measure({units, {}}, false));
      gap = r_.length - again.total;
    }
    return close(units, gap);
  }

  Fit as_it_is(BuiltContext context) { return finish({}, measure(std::move(context), true)); }

 private:
  [[nodiscard]] int64_t count(std::string_view text) const {
    return static_cast<int64_t>(
        r_.tokenizer.count(text, {.add_special = false, .parse_special = true}));
  }

  // Tokens that a unit adds where it stands after another.
  int64_t unit_cost(size_t unit) {
    std::string text;
    r_.context.append_unit(unit, text);
    return std::max<int64_t>(count(anchor_ + text) - anchor_tokens_, 0);
  }

  // As they stand after so many units; few more or fewer make no difference that is not found out.
  const std::vector<int64_t>& closer_costs(size_t units) {
    if (costs_.empty()) {
      for (size_t closer = 0; closer < r_.context.closers(); ++closer) {
        std::string text = anchor_;
        r_.context.append_closer(closer, units, text);
        costs_.push_back(count(text) - anchor_tokens_);
      }
    }
    return costs_;
  }

  void probe() {
    std::string text;
    size_t units = 0;
    const size_t limit = most_ > least_ ? most_ - least_ : 0;
    while (units < limit && text.size() < kProbeBytes && units < kProbeBytes) {
      r_.context.append_unit(least_ + units, text);
      if (++units == 1) anchor_ = text;
    }
    anchor_tokens_ = count(anchor_);
    const auto tokens = static_cast<double>(std::max<int64_t>(count(text), 1));
    unit_tokens_ = std::max(tokens / static_cast<double>(std::max<size_t>(units, 1)), 0.01);
    bytes_per_token_ = text.empty() ? 4.0 : static_cast<double>(text.size()) / tokens;
  }

  size_t first_guess() const {
    double room = static_cast<double>(r_.length);
    if (r_.counts == LengthCounts::kPromptAndReserve) room -= static_cast<double>(r_.reserve);
    if (r_.counts != LengthCounts::kContext) {
      room -= static_cast<double>(count(r_.frame.head) + count(r_.frame.tail));
    }
    const double units = std::max(room, 0.0) / unit_tokens_;
    return std::clamp(static_cast<size_t>(units), least_, std::max(least_, most_));
  }

  Result<Measured> measure(const ContextSize& size, bool with_spans) {
    TRY(BuiltContext context, r_.context.build(size, bytes_per_token_));
    return measure(std::move(context), with_spans);
  }

  Measured measure(BuiltContext context, bool with_spans) {
    ++encodes_;
    Measured measured;
    measured.context = std::move(context);
    const PromptFrame& frame = r_.frame;
    measured.text.reserve(frame.head.size() + measured.context.text.size() + frame.tail.size() +
                          frame.answer_prefix.size());
    measured.text = frame.head;
    measured.text += measured.context.text;
    measured.text += frame.tail;
    measured.text += frame.answer_prefix;
    if (with_spans || r_.counts == LengthCounts::kContext) {
      std::vector<TokenId> ids;
      r_.tokenizer.encode_with_spans(measured.text, r_.encode, ids, measured.spans);
      measured.prompt_tokens = static_cast<int64_t>(ids.size());
      measured.context_tokens = tokens_starting_in(measured);
    } else {
      measured.prompt_tokens = static_cast<int64_t>(r_.tokenizer.count(measured.text, r_.encode));
    }
    measured.total = total_of(measured);
    return measured;
  }

  int64_t tokens_starting_in(const Measured& measured) const {
    const auto starts_before = [](const ByteSpan& span, uint64_t at) { return span.begin < at; };
    const uint64_t begin = r_.frame.head.size();
    const auto first =
        std::lower_bound(measured.spans.begin(), measured.spans.end(), begin, starts_before);
    const auto last = std::lower_bound(first, measured.spans.end(),
                                       begin + measured.context.text.size(), starts_before);
    return last - first;
  }

  int64_t total_of(const Measured& measured) const {
    switch (r_.counts) {
      case LengthCounts::kPromptAndReserve:
        return measured.prompt_tokens + r_.reserve;
      case LengthCounts::kPrompt:
        return measured.prompt_tokens;
      case LengthCounts::kContext:
        return measured.context_tokens;
    }
    return 0;
  }

  // The units with which `gap` tokens more (or, negative, fewer) are there; what is left over is
  // taken from `gap`, which ends at 0 or more unless even the fewest units are too many.
  size_t move_units(size_t units, int64_t& gap) {
    while (gap < 0 && units > least_) gap += unit_cost(--units);
    while (units < most_) {
      const int64_t cost = unit_cost(units);
      if (cost > gap || (cost == 0 && gap == 0)) break;
      gap -= cost;
      ++units;
      if (cost == 0 && units - least_ > static_cast<size_t>(r_.length)) break;
    }
    return units;
  }

  // `gap`: tokens that a context of so many units lacks, as counted.
  Result<Fit> close(size_t units, int64_t gap) {
    units = move_units(units, gap);
    if (gap < 0) return too_short();
    std::optional<Fit> nearest;
    int64_t wanted = gap;  // tokens that closers must add to `units` units, corrected as we learn
    for (int attempt = 0; encodes_ < kMostEncodes; ++attempt) {
      std::optional<Choice> choice = attempt % 2 == 1 ? exchange() : std::nullopt;
      const bool exchanged = choice.has_value();
      if (!choice) choice = choose(units, wanted, attempt);
      if (!choice && attempt >= kPlainAttempts) choice = choose(units, wanted, 0);
      if (!choice) break;
      TRY(Measured measured, measure(choice->size, true));
      const int64_t missing = r_.length - measured.total;
      if (missing == 0) return finish(choice->size, std::move(measured));
      if (std::abs(missing) <= kNear && !nearest) {
        nearest = finish(choice->size, std::move(measured));
      }
      if (closest_missing_ == 0 || std::abs(missing) < std::abs(closest_missing_)) {
        closest_ = choice->size;
        closest_missing_ = missing;
      }
      if (exchanged) {
        tried_.push_back(std::move(choice->size));
        continue;
      }
      const int64_t correction = missing + choice->miss;
      if (correction == 0 && nearest) break;  // counts are as predicted: nothing fits exactly
      wanted += correction;
      while (wanted < 0 && units > least_) wanted += unit_cost(--units);
      tried_.push_back(std::move(choice->size));
    }
    if (nearest) return std::move(*nearest);
    return not_found(units);
  }

  struct Choice {
    ContextSize size;
    int64_t miss = 0;  // by how much its sum differs from what is wanted
  };

  // The closest size found so far with closers exchanged for others that cost what is missing more.
  // The number of pieces stays, so what depends on it (the digits of a numbered list) stays too,
  // and the count changes by the difference of the costs alone.
  std::optional<Choice> exchange() {
    if (closest_missing_ == 0 || closest_.closers.empty()) return std::nullopt;
    const std::vector<int64_t>& costs = closer_costs(closest_.units);
    std::set<size_t> chosen(closest_.closers.begin(), closest_.closers.end());
    int64_t missing = closest_missing_;
    for (const size_t old : closest_.closers) {
      const auto replacement = best_exchange(costs, chosen, old, missing);
      if (!replacement) continue;
      chosen.erase(old);
      chosen.insert(*replacement);
      missing -= costs[*replacement] - costs[old];
      if (missing == 0) break;
    }
    if (missing != 0) return std::nullopt;
    ContextSize size{closest_.units, {chosen.begin(), chosen.end()}};
    if (std::find(tried_.begin(), tried_.end(), size) != tried_.end()) return std::nullopt;
    return Choice{std::move(size), 0};
  }

  // The closer that brings `missing` nearest to 0 in the place of `old`; none where nothing brings
  // it nearer.
  static std::optional<size_t> best_exchange(const std::vector<int64_t>& costs,
                                             const std::set<size_t>& chosen, size_t old,
                                             int64_t missing) {
    std::optional<size_t> best;
    int64_t left = std::abs(missing);
    for (size_t other = 0; other < costs.size(); ++other) {
      const int64_t after = std::abs(missing - (costs[other] - costs[old]));
      if (costs[other] <= 0 || chosen.contains(other) || after >= left) continue;
      best = other;
      left = after;
    }
    return best;
  }

  // Units and closers that add `wanted` tokens to `units` units, by their own counts; off by one
  // where nothing fits, and never a choice that was tried. Later attempts choose among other halves
  // of the closers, which join with their neighbours in another way.
  std::optional<Choice> choose(size_t units, int64_t wanted, int attempt) {
    const size_t all = r_.context.closers();
    const size_t preferred = r_.context.preferred_closers();
    for (const int64_t miss : {0, -1, 1}) {
      for (const size_t pool : {preferred, all}) {
        int64_t total = wanted + miss;
        size_t left = units;
        for (size_t dropped = 0; dropped <= kMostDropped; ++dropped) {
          if (auto size = closers_for(left, total, pool, attempt)) return Choice{*size, miss};
          if (left == least_ || total > kMostToClose) break;
          total += unit_cost(--left);
        }
        if (preferred == all) break;
      }
    }
    return std::nullopt;
  }

  static bool left_out(size_t closer, int attempt) {
    if (attempt < kPlainAttempts) return false;
    const uint64_t mixed = (closer + 1) * 0x9E3779B97F4A7C15ULL * static_cast<uint64_t>(attempt);
    return (mixed >> 37 & 1) != 0;
  }

  std::optional<ContextSize> closers_for(size_t units, int64_t total, size_t pool, int attempt) {
    if (total < 0 || total > kMostToClose) return std::nullopt;
    ContextSize size{units, {}};
    if (total > 0) {
      std::vector<int64_t> costs(closer_costs(units).begin(),
                                 closer_costs(units).begin() + static_cast<ptrdiff_t>(pool));
      for (size_t i = 0; i < costs.size(); ++i) {
        if (left_out(i, attempt)) costs[i] = 0;
      }
      size.closers = closers_that_sum(costs, total);
      if (size.closers.empty()) return std::nullopt;
    }
    if (std::find(tried_.begin(), tried_.end(), size) != tried_.end()) return std::nullopt;
    return size;
  }

  Fit finish(const ContextSize& size, Measured measured) const {
    Fit fit;
    fit.size = size;
    fit.context = std::move(measured.context);
    fit.text = std::move(measured.text);
    fit.tokens = std::move(measured.spans);
    fit.prompt_tokens = measured.prompt_tokens;
    fit.context_tokens = measured.context_tokens;
    fit.total = measured.total;
    fit.encodes = encodes_;
    return fit;
  }

  Result<Fit> too_short() {
    TRY(const Measured smallest, measure({least_, {}}, false));
    return fail(ErrorCode::kInput,
                "{} tokens cannot hold this sample; the smallest length that can is {} tokens",
                r_.length, smallest.total);
  }

  Result<Fit> not_found(size_t units) {
    if (units >= most_) {
      return fail(ErrorCode::kInput,
                  "not enough text for {} tokens: there are only {} units of filler", r_.length,
                  most_);
    }
    TRY(const Measured smallest, measure({least_, {}}, false));
    const auto room = static_cast<int64_t>(2 * unit_tokens_) + 16;
    if (r_.length < smallest.total + room) {
      return fail(ErrorCode::kInput,
                  "{} tokens leave no room for filler that fits; use {} tokens or more", r_.length,
                  smallest.total + room);
    }
    return fail(ErrorCode::kInput,
                "no text of exactly {} tokens was found with this tokenizer after {} tries",
                r_.length, encodes_);
  }

  const FitRequest& r_;
  size_t least_ = 0;
  size_t most_ = 0;
  std::string anchor_;  // text of one unit, to count others after it
  int64_t anchor_tokens_ = 0;
  double unit_tokens_ = 1;
  double bytes_per_token_ = 4;
  std::vector<int64_t> costs_;
  std::vector<ContextSize> tried_;
  ContextSize closest_;          // of those measured
  int64_t closest_missing_ = 0;  // tokens that it lacks; 0: nothing was measured
  int encodes_ = 0;
};

}  // namespace

Result<Fit> fit_length(const FitRequest& request) { return Fitter(request).run(); }

Fit count_context(const FitRequest& request, BuiltContext context) {
  return Fitter(request).as_it_is(std::move(context));
}

std::vector<size_t> closers_that_sum(const std::vector<int64_t>& costs, int64_t total) {
  if (total <= 0) return {};
  const auto sums = static_cast<size_t>(total) + 1;
  constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> fewest(sums, kNever);  // closers that make a sum
  fewest[0] = 0;
  std::vector<std::vector<bool>> taken;  // whether closer i was the last one taken for a sum
  std::vector<size_t> places;
  for (size_t i = 0; i < costs.size() && fewest[sums - 1] != 1; ++i) {
    if (costs[i] <= 0 || costs[i] > total) continue;
    const auto cost = static_cast<size_t>(costs[i]);
    std::vector<bool> took(sums, false);
    for (size_t sum = sums - 1; sum >= cost; --sum) {
      if (fewest[sum - cost] == kNever || fewest[sum - cost] + 1 >= fewest[sum]) continue;
      fewest[sum] = fewest[sum - cost] + 1;
      took[sum] = true;
    }
    taken.push_back(std::move(took));
    places.push_back(i);
  }
  std::vector<size_t> chosen;
  if (fewest[sums - 1] == kNever) return chosen;
  size_t sum = sums - 1;
  for (size_t row = taken.size(); row > 0 && sum > 0; --row) {
    if (!taken[row - 1][sum]) continue;
    chosen.push_back(places[row - 1]);
    sum -= static_cast<size_t>(costs[places[row - 1]]);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace fathom

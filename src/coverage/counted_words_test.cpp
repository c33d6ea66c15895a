// A4: counts of words inside what is read, against counting by position sets and ranks by hand.
#include "coverage/counted_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "coverage/random_log_test.h"

namespace fathom {
namespace {

// Pearson over mean ranks; NaN where one side is constant.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto rank = [](const std::vector<double>& values, size_t i) {
    double below = 0;
    double equal = 0;
    for (const double value : values) {
      below += value < values[i] ? 1 : 0;
      equal += value == values[i] ? 1 : 0;
    }
    return below + (equal + 1) / 2;
  };
  const double middle = (static_cast<double>(x.size()) + 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double dx = rank(x, i) - middle;
    const double dy = rank(y, i) - middle;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xy / std::sqrt(xx * yy);
}

std::vector<CountedWord> random_words(uint64_t number, int64_t tokens) {
  Random random(RandomKey(number), "words");
  std::vector<CountedWord> words(2 + random.below(4));
  for (size_t w = 0; w < words.size(); ++w) {
    words[w].wanted = w == 0 || random.below(3) == 0;
    for (uint64_t i = random.below(words[w].wanted ? 8 : 4); i > 0; --i) {
      const auto begin = random.below(static_cast<uint64_t>(tokens));
      words[w].places.push_back({begin, begin + 1 + random.below(2)});
    }
  }
  return words;
}

double gap_by_hand(const std::vector<CountedWord>& words, const std::vector<double>& counts) {
  double least = 1e9;
  double most = 0;
  for (size_t w = 0; w < words.size(); ++w) {
    if (words[w].wanted) least = std::min(least, counts[w]);
    if (!words[w].wanted) most = std::max(most, counts[w]);
  }
  return least - most;
}

TEST(CountedWords, A4_EqualsBruteForceOnRandomLogs) {
  int correlated = 0;
  for (uint64_t number = 0; number < 1'500; ++number) {
    SCOPED_TRACE(number);
    const RandomLog made = random_log(number);
    const std::vector<CountedWord> words = random_words(number, made.log.context_tokens);
    std::vector<double> truth;
    for (const CountedWord& word : words) truth.push_back(double(word.places.size()));
    EXPECT_EQ(gap(words), gap_by_hand(words, truth));
    struct Sums {
      double looks = 0, gap = 0, apart = 0, rank = 0, ranked = 0, seen = 0;
    };
    std::map<int, Sums> layers;
    for (const LoggedSelection& each : made.log.selections) {
      if (each.dense) continue;
      const std::set<int64_t> read = positions(each, made.log.block);
      std::vector<double> seen;
      double all = 0;
      double all_seen = 0;
      for (const CountedWord& word : words) {
        double count = 0;
        for (const TokenSpan& span : word.places) count += holds(read, span) ? 1 : 0;
        seen.push_back(count);
        all += double(word.places.size());
        all_seen += count;
      }
      Sums& sums = layers[each.layer];
      sums.looks += 1;
      sums.gap += gap_by_hand(words, seen);
      sums.apart += gap_by_hand(words, seen) > 0 ? 1 : 0;
      sums.seen += all > 0 ? all_seen / all : 0;
      const double rank = rank_correlation(truth, seen);
      if (std::isnan(rank)) continue;
      sums.rank += rank;
      sums.ranked += 1;
    }
    const std::vector<CountedReading> got = counted_words(made.log, words);
    ASSERT_EQ(got.size(), layers.size());
    size_t place = 0;
    for (const auto& [layer, sums] : layers) {
      const CountedReading& one = got[place++];
      EXPECT_EQ(one.layer, layer);
      EXPECT_NEAR(one.gap, sums.gap / sums.looks, 1e-12);
      EXPECT_NEAR(one.told_apart, sums.apart / sums.looks, 1e-12);
      EXPECT_NEAR(one.seen, sums.seen / sums.looks, 1e-12);
      ASSERT_EQ(one.rank_correlation.has_value(), sums.ranked > 0);
      if (!one.rank_correlation) continue;
      EXPECT_NEAR(*one.rank_correlation, sums.rank / sums.ranked, 1e-9);
      ++correlated;
    }
  }
  EXPECT_GT(correlated, 500);
}

TEST(CountedWords, A4_ReadingEverythingCountsEverything) {
  SelectionLog log{.sample_id = "cwe", .arm = "full", .shape = {2, 1, 8}, .layers = 1, .block = 4};
  log.prompt_tokens = 20;
  const Selection everything{.sets = {}, .everything = true};
  log.selections = {logged(0, 19, 0, &everything, log.shape, log.block)};
  const std::vector<CountedWord> words = {
      {{{0, 1}, {4, 5}, {9, 10}}, true}, {{{2, 3}, {6, 7}}, true}, {{{3, 4}}, false}};
  const CountedReading reading = counted_words(log, words).front();
  EXPECT_EQ(gap(words), 1);
  EXPECT_EQ(reading.gap, 1);
  EXPECT_EQ(reading.told_apart, 1);
  EXPECT_EQ(reading.seen, 1);
  EXPECT_EQ(reading.seen_wanted, 1);
  EXPECT_NEAR(reading.rank_correlation.value(), 1, 1e-12);
}

}  // namespace
}  // namespace fathom

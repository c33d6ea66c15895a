#include "corpus/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Noise, GrassIsThePublishedLine) {
  const auto grass = find_noise("grass");
  ASSERT_TRUE(grass);
  EXPECT_EQ(
      grass->line(),
      "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.");
  EXPECT_EQ(grass->sentences.size(), 5u);
}

TEST(Noise, EveryFillerHasFiveDistinctSentences) {
  const auto names = noise_names();
  ASSERT_GE(names.size(), 3u);
  for (const std::string& name : names) {
    const auto noise = find_noise(name);
    ASSERT_TRUE(noise) << name;
    EXPECT_EQ(noise->sentences.size(), 5u) << name;
    for (const std::string& sentence : noise->sentences)
      EXPECT_TRUE(sentence.ends_with('.')) << sentence;
  }
}

TEST(Noise, UnknownNameListsThoseThereAre) {
  const auto none = find_noise("gras");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, testing::HasSubstr("grass, river"));
}

}  // namespace
}  // namespace fathom

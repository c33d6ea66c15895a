// A8: recordings come back bit for bit; damaged ones are refused, whatever is damaged.
#include "attention/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "attention/recorder.h"
#include "base/half.h"
#include "base/hash.h"
#include "base/random.h"
#include "io/file.h"

namespace fathom {
namespace {

AttentionRecording random_recording(uint64_t number) {
  Random random(RandomKey(number), "recording");
  AttentionRecording out{.sample_id = fmt::format("vt[hops={}]:64:{}", random.below(5), number)};
  out.shape.kv_heads = 1 + static_cast<int>(random.below(3));
  out.shape.query_heads = out.shape.kv_heads * (1 + static_cast<int>(random.below(3)));
  out.shape.head_size = 1 + static_cast<int>(random.below(6));
  out.logit = {.before = 0.02F, .after = 50, .capped = random.below(2) == 0};
  const auto prompt = static_cast<int64_t>(1 + random.below(20));
  for (int64_t i = 0; i < prompt; ++i)
    out.tokens.push_back(static_cast<int32_t>(random.below(50'000)));
  out.context_tokens = static_cast<int64_t>(random.below(static_cast<uint64_t>(prompt) + 1));
  out.evidence = {{0, 1}, {random.below(2), static_cast<uint64_t>(prompt)}};
  const int64_t positions = prompt + static_cast<int64_t>(random.below(5));
  out.first_query = static_cast<int64_t>(random.below(static_cast<uint64_t>(positions)));
  const auto number_of = [&] { return static_cast<float>(random.below(2001)) / 100 - 10; };
  for (uint64_t layer = 0; layer < 1 + number % 3; ++layer) {
    LayerRecording& one = out.layers.emplace_back();
    for (int64_t i = 0; i < positions * out.shape.kv_heads * out.shape.head_size; ++i)
      one.keys.push_back(half_of(number_of()));
    for (int64_t q = out.first_query; q < positions; ++q) {
      one.first.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(q) + 1)));
      for (int i = 0; i < out.shape.query_heads * out.shape.head_size; ++i)
        one.queries.push_back(number_of());
    }
  }
  return out;
}

std::string with_hash(const std::string& body) { return body + hash_hex(body); }

TEST(Recording, A8_ComesBackBitForBit) {
  for (uint64_t number = 0; number < 200; ++number) {
    const AttentionRecording recording = random_recording(number);
    const auto again = recording_from_bytes(recording_bytes(recording), "memory");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, recording);
  }
  const std::string path = testing::TempDir() + "/" + recording_name("vt[hops=4]:1024:0");
  ASSERT_TRUE(write_recording(path, random_recording(1)));
  const auto read = read_recording(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, random_recording(1));
}

TEST(Recording, A8_DamageIsSeen) {
  const std::string whole = recording_bytes(random_recording(2));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(recording_from_bytes(std::string_view(whole).substr(0, size), "cut")) << size;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const auto read = recording_from_bytes(changed, "changed.kq");
    ASSERT_FALSE(read) << at;
    EXPECT_TRUE(read.error().message.starts_with("changed.kq: "));
  }
}

// A hash says that nothing was damaged, not that nobody means harm.
TEST(Recording, A8_ALyingHeaderIsRefused) {
  const AttentionRecording recording = random_recording(3);
  const std::string whole = recording_bytes(recording);
  const std::string body = whole.substr(0, whole.size() - 32);
  const size_t brace = body.find('{');
  const size_t end = body.find('}') + 1;
  const auto positions = fmt::format("\"positions\":{}", recording.positions());
  const struct {
    std::string from;
    std::string to;
  } rows[] = {{positions, "\"positions\":16777216"},
              {positions, "\"positions\":0"},
              {positions, "\"positions\":9223372036854775807"},
              {"\"layers\":1", "\"layers\":10000"},
              {"\"layers\":1", "\"layers\":-1"},
              {"\"head_size\":", "\"head_size\":65535,\"was\":"},
              {"\"query_heads\":", "\"query_heads\":65536,\"was\":"},
              {"\"kv_heads\":", "\"kv_heads\":0,\"was\":"},
              {"\"first_query\":", "\"first_query\":99999,\"was\":"},
              {"\"context_tokens\":", "\"context_tokens\":99999,\"was\":"},
              {"\"evidence\":[[", "\"evidence\":[[5,2],["},
              {"\"evidence\":[[", "\"evidence\":[[0,18446744073709551615],["},
              {"\"tokens\":[", "\"tokens\":[-1,"},
              {"\"tokens\":[", "\"tokens\":[1.5,"},
              {"\"before\":", "\"before\":1e300,\"was\":"},
              {"\"capped\":", "\"capped\":3,\"was\":"}};
  for (const auto& [from, to] : rows) {
    std::string header = body.substr(brace, end - brace);
    const size_t at = header.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    header.replace(at, from.size(), to);
    const auto length = static_cast<uint32_t>(header.size());
    std::string lying = body.substr(0, 12);
    lying.append(reinterpret_cast<const char*>(&length), sizeof length);
    lying += header + body.substr(end);
    const auto read = recording_from_bytes(with_hash(lying), "lying.kq");
    ASSERT_FALSE(read) << to;
    EXPECT_TRUE(read.error().message.starts_with("lying.kq")) << read.error().message;
  }
}

TEST(Recording, A8_NumbersMustBeFiniteAndQueriesSeeThemselves) {
  for (const int what : {0, 1, 2}) {
    AttentionRecording recording = random_recording(6);
    LayerRecording& layer = recording.layers.back();
    if (what == 0) layer.keys.back() = 0x7C00;
    if (what == 1) layer.queries.back() = NAN;
    if (what == 2) layer.first.back() = static_cast<int32_t>(recording.positions());
    EXPECT_FALSE(recording_from_bytes(recording_bytes(recording), "odd.kq")) << what;
  }
}

TEST(Recording, A8_NamesAreFilesAndDiffer) {
  EXPECT_TRUE(recording_name("vt[hops=4]:1024:0").starts_with("vt_hops_4__1024_0-"));
  EXPECT_NE(recording_name("a:b"), recording_name("a_b"));
  EXPECT_EQ(recording_name("../../etc").find('/'), std::string::npos);
  EXPECT_FALSE(recording_name("..").starts_with("."));
  EXPECT_LT(recording_name(std::string(5000, 'x')).size(), 200U);
}

TEST(Recording, A8_LogitsFollowTheRule) {
  EXPECT_FLOAT_EQ((LogitRule{.before = 0.125F}.of(16)), 2);
  EXPECT_FLOAT_EQ((LogitRule{.before = 0.02F, .after = 50, .capped = true}.of(100)),
                  50 * std::tanh(2.0F));
}

// The recorder keeps what it is shown: keys once, queries from `observed` before the question on.
TEST(Recording, A8_TheRecorderKeepsWhatItIsShown) {
  const AttentionShape shape{.query_heads = 2, .kv_heads = 1, .head_size = 2};
  const std::vector<int32_t> tokens(10, 7);
  AttentionRecording into;
  const auto recorder = make_recorder(shape, 2, 3, into);
  recorder->begin({.sample_id = "s", .tokens = tokens, .question = {6, 10}, .first_masked = 6});
  EXPECT_EQ(recorder->observes_from(), 3);
  std::vector<float> keys;
  for (int i = 0; i < 24; ++i) keys.push_back(static_cast<float>(i));
  for (int64_t position = 0; position < 11; ++position) {
    const std::vector<float> query(4, static_cast<float>(position));
    for (int layer = 0; layer < 2; ++layer) {
      const KeyView view{keys.data(), position + 1, 12};
      const QueryView looks{.layer = layer, .position = position, .first = layer, .query = query};
      if (position < 6) {
        recorder->observe(view, looks);
      } else {
        EXPECT_TRUE(recorder->select(view, looks).everything);
      }
    }
  }
  ASSERT_EQ(into.layers.size(), 2U);
  EXPECT_EQ(into.positions(), 11);
  EXPECT_EQ(into.queries(), 8);
  EXPECT_EQ(into.layers[1].first, std::vector<int32_t>(8, 1));
  EXPECT_EQ(into.layers[0].queries.front(), 3);
  EXPECT_EQ(into.layers[0].queries.size(), 32U);
  for (size_t i = 0; i < 22; ++i)
    EXPECT_EQ(float_of_half(into.layers[1].keys[i]), static_cast<float>(i));
}

}  // namespace
}  // namespace fathom

// A4: selection logs as files that any engine writes.
#include "attention/selection_log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "attention/block_grid.h"
#include "base/random.h"
#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

SelectionLog random_log(uint64_t number) {
  Random random(RandomKey(number), "selection log");
  SelectionLog log;
  log.sample_id = fmt::format("vt[hops={}]:4096:{}", random.below(5), number);
  log.arm = "quest-\"256\"";
  log.layers = static_cast<int>(random.between(1, 5));
  const auto kv_heads = static_cast<int>(random.between(1, 3));
  log.shape = {.query_heads = kv_heads * static_cast<int>(random.between(1, 3)),
               .kv_heads = kv_heads};
  log.shape.head_size = 64;
  log.block = random.between(1, 40);
  log.prompt_tokens = random.between(1, 400);
  log.context_tokens = random.between(0, log.prompt_tokens);
  for (int64_t p = log.context_tokens; p < log.prompt_tokens + 3; p += random.between(1, 60)) {
    for (int layer = 0; layer < log.layers; ++layer) {
      if (random.below(4) == 0) continue;  // a layer that was not logged
      const int64_t first = random.below(3) == 0 ? random.between(0, p) : 0;
      const BlockGrid grid{.block = log.block, .first = first, .position = p};
      Selection selection{.sets = {}, .everything = random.below(5) == 0};
      const int64_t ways[] = {1, log.shape.kv_heads, log.shape.query_heads};
      if (!selection.everything) {
        selection.sets.resize(static_cast<size_t>(ways[random.below(3)]), BlockSet(grid.size()));
        for (BlockSet& set : selection.sets)
          for (int64_t b = grid.lowest(); b < grid.size(); ++b)
            if (random.below(3) > 0) set.insert(b);
      }
      const bool dense = random.below(6) == 0;
      LoggedSelection& entry = log.selections.emplace_back(
          logged(layer, p, first, dense ? nullptr : &selection, log.shape, log.block));
      if (random.below(2) == 0) entry.pairs_to_select = static_cast<double>(random.below(99)) / 2;
      for (int64_t b = 0; b < grid.size(); ++b)
        if (random.below(4) == 0)
          entry.candidates.push_back(
              {b, random.uniform() - 0.5,
               random.below(2) == 0 ? std::optional(random.uniform()) : std::nullopt});
    }
  }
  return log;
}

TEST(SelectionLogFile, A4_RoundTripsRandomLogs) {
  size_t looks = 0;
  for (uint64_t number = 0; number < 1'500; ++number) {
    const SelectionLog log = random_log(number);
    const std::string line = selection_log_line(log);
    const auto read = selection_log_from_line(line, "log.jsonl:1");
    ASSERT_TRUE(read) << read.error().message << "\n" << line;
    ASSERT_EQ(*read, log) << line;
    looks += log.selections.size();
  }
  EXPECT_GT(looks, 5'000U);
}

TEST(SelectionLogFile, ABatchLoggedLayerByLayerIsWrittenQueryByQuery) {
  SelectionLog log{.sample_id = "s", .arm = "full", .shape = {2, 1, 8}, .layers = 2, .block = 4};
  log.prompt_tokens = log.context_tokens = 10;
  for (const auto& [layer, position] : {std::pair(0, 8), {0, 9}, {1, 8}, {1, 9}})
    log.selections.push_back(logged(layer, position, 0, nullptr, log.shape, log.block));
  const auto read = selection_log_from_line(selection_log_line(log), "x:1");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->selections.size(), 4U);
  EXPECT_EQ(read->selections[1], log.selections[2]);
  EXPECT_EQ(read->selections[2], log.selections[1]);
}

// A line of one look: query 9 of blocks of 4, two kv heads with two query heads each.
std::string line_of(const std::string& look, const std::string& block = "4") {
  return R"({"sample": "niah:1024:0", "arm": "real", "layers": 3, "query_heads": 4, "kv_heads": 2, )"
         R"("head_size": 8, "prompt_tokens": 10, "block": )" +
         block + R"(, "steps": [{"position": 9, "looks": [)" + look + "]}]}";
}

std::set<int64_t> blocks_of(const LoggedSelection& entry) {
  std::set<int64_t> blocks;
  entry.blocks.for_each([&](int64_t b) { blocks.insert(b); });
  return blocks;
}

// Every way to say what a look reads, with the pairs counted by hand.
TEST(SelectionLogFile, A5_ReadsEveryFormOfALook) {
  struct Case {
    std::string look;
    std::set<int64_t> blocks;
    double pairs;
  };
  const Case cases[] = {
      {R"({"layer": 1, "blocks": [0, 2]})", {0, 2}, 2 * (4 + 2)},
      {R"({"layer": 1, "blocks": [[0, 2], 2]})", {0, 1, 2}, 20},
      {R"({"layer": 1, "blocks": []})", {}, 0},
      {R"({"layer": 1, "blocks": [0, 2], "pairs": 8})", {0, 2}, 8},
      {R"({"layer": 1, "tokens": [[0, 4], [8, 10]]})", {0, 2}, 12},
      {R"({"layer": 1, "tokens": [[5, 10]], "first": 5})", {1, 2}, 10},
      {R"({"layer": 1, "heads": [[0], [0, 1]]})", {0, 1}, 4 + 8},
      {R"({"layer": 1, "heads": [[0], [1], [2], [2]]})", {0, 1, 2}, 8 + 2},
      {R"({"layer": 1, "heads": [[1, 2]], "first": 6})", {1, 2}, 2 * (2 + 2)},
      {R"({"layer": 1, "all": true})", {}, 20},
      {R"({"layer": 1, "dense": true, "first": 4})", {}, 12},
      {R"({"layer": 1, "dense": false, "blocks": [2]})", {2}, 4},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.look);
    const auto log = selection_log_from_line(line_of(each.look), "f:1");
    ASSERT_TRUE(log) << log.error().message;
    ASSERT_EQ(log->selections.size(), 1U);
    const LoggedSelection& entry = log->selections.front();
    EXPECT_EQ(blocks_of(entry), each.blocks);
    EXPECT_EQ(entry.pairs, each.pairs);
    EXPECT_EQ(entry.layer, 1);
    EXPECT_EQ(log->context_tokens, 10);  // not said: all of the prompt
  }
}

TEST(SelectionLogFile, RefusesBadLinesByPlaceAndRemedy) {
  struct Case {
    std::string line;
    std::string message;
  };
  const auto look = [](const std::string& text) { return line_of(text); };
  const Case cases[] = {
      {"", "not valid JSON"},
      {"[]", "must be an object"},
      {"{\"sample\": 7}", "key 'sample' must be a string"},
      {"{\"sample\": \"\"}", "key 'sample' must be the sample's id"},
      {R"({"sample": "a", "arm": "b", "layers": 0})", "key 'layers' must be from 1 to"},
      {R"({"sample": "a", "arm": "b", "layers": 1, "query_heads": 6, "kv_heads": 4})",
       "a divisor of query_heads (6); with tensor parallelism"},
      {line_of("", "0"), "key 'block' must be from 1"},
      {line_of("", "1.5"), "key 'block' must be a whole number"},
      {line_of("", "99999999999999999999"), "not valid JSON"},
      {look(R"({"layer": 3, "all": true})"), "'steps[0].looks[0].layer' must be from 0 to 2"},
      {look(R"({"layer": -1, "all": true})"), "must be from 0 to 2, not -1"},
      {look(R"({"layer": 1})"), "exactly one of them"},
      {look(R"({"layer": 1, "all": true, "blocks": []})"), "exactly one of them"},
      {look(R"({"layer": 1, "all": 1})"), "'steps[0].looks[0].all' must be true or false"},
      {look(R"({"layer": 1, "blocks": [3]})"), "is 'position' that of the query itself?"},
      {look(R"({"layer": 1, "blocks": [-1, 0]})"), "leave padding such as -1 out"},
      {look(R"({"layer": 1, "blocks": [2, 0]})"), "0 comes after 2; sort it"},
      {look(R"({"layer": 1, "blocks": [1, 1]})"), "ascending without repeats"},
      {look(R"({"layer": 1, "blocks": [[1, 1]]})"), "not empty, not [1, 1)"},
      {look(R"({"layer": 1, "blocks": [[0, 9223372036854775807]]})"), "below 3"},
      {look(R"({"layer": 1, "blocks": [9223372036854775807]})"), "not [9223372036854775807"},
      {look(R"({"layer": 1, "blocks": [0.5]})"), "a list of whole numbers and of ranges"},
      {look(R"({"layer": 1, "blocks": [[0, 1, 2]]})"), "a list of whole numbers and of ranges"},
      {look(R"({"layer": 1, "blocks": [["0", 1]]})"), "a list of whole numbers and of ranges"},
      {look(R"({"layer": 1, "blocks": {}})"), "must be a list"},
      {look(R"({"layer": 1, "tokens": [[0, 3]]})"), "whole blocks of 4, not [0, 3)"},
      {look(R"({"layer": 1, "tokens": [[0, 11]]})"), "below 10"},
      {look(R"({"layer": 1, "heads": [[], [], []]})"), "2 (one per kv head) or 4"},
      {look(R"({"layer": 1, "heads": [1, 2]})"), "a list of lists"},
      {look(R"({"layer": 1, "blocks": [0], "pairs": 9})"), "from 4 (the union"},
      {look(R"({"layer": 1, "blocks": [0], "pairs": 3})"), "to 8 (2 kv heads"},
      {look(R"({"layer": 1, "all": true, "pairs": 3})"), "left out here"},
      {look(R"({"layer": 1, "all": true, "to_select": -1})"), "'steps[0].looks[0].to_select'"},
      {look(R"({"layer": 1, "all": true, "first": 10})"), "'steps[0].looks[0].first' must be"},
      {look(R"({"layer": 1, "all": true, "candidates": [[0]]})"), "[block, score, mass]"},
      {look(R"({"layer": 1, "all": true, "candidates": [[1, 1], [0, 1]]})"), "ascending"},
      {look(R"({"layer": 1, "all": true, "candidates": [[0, 1, -1]]})"), "masses of 0 or more"},
      {look(R"({"layer": 1, "all": true}, {"layer": 1, "all": true})"), "one look a layer"},
      {R"({"sample": "a", "arm": "b", "layers": 1, "query_heads": 1, "kv_heads": 1, "head_size": 1,
          "block": 1, "prompt_tokens": 5, "steps": [{"position": 4, "looks": []},
          {"position": 4, "looks": []}]})",
       "key 'steps[1].position' must be above the step before"},
      {R"({"sample": "a", "arm": "b", "layers": 1, "query_heads": 1, "kv_heads": 1, "head_size": 1,
          "block": 1, "prompt_tokens": 5, "context_tokens": 6, "steps": []})",
       "key 'context_tokens' must be from 0 to 5"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.line);
    const auto log = selection_log_from_line(each.line, "real.jsonl:12");
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().code, ErrorCode::kInput);
    EXPECT_THAT(log.error().message, StartsWith("real.jsonl:12: "));
    EXPECT_THAT(log.error().message, HasSubstr(each.message));
  }
}

// A few bytes that ask for a lot of memory.
TEST(SelectionLogFile, RefusesALineWhoseSetsWouldFillTheMemory) {
  std::string steps;
  for (int step = 0; step < 400; ++step)
    steps += fmt::format(R"({}{{"position": {}, "looks": [{{"layer": 0, "blocks": [0]}}]}})",
                         step == 0 ? "" : ",", (1 << 24) - 500 + step);
  const auto log = selection_log_from_line(
      R"({"sample": "a", "arm": "b", "layers": 1, "query_heads": 1, "kv_heads": 1, "head_size": 1, )"
      R"("block": 1, "prompt_tokens": 5, "steps": [)" +
          steps + "]}",
      "f:1");
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().message, HasSubstr("log larger blocks, or fewer layers or steps"));
}

TEST(SelectionLogFile, NamesTheLineOfAFile) {
  const std::string path = testing::TempDir() + "/selections.jsonl";
  ASSERT_TRUE(write_file_atomic(
      path, line_of(R"({"layer": 0, "all": true})") + "\n\n" + line_of(R"({"layer": 7})") + "\n"));
  int taken = 0;
  const auto read = for_each_selection_log(path, [&](SelectionLog&& log) -> Result<void> {
    EXPECT_EQ(log.sample_id, "niah:1024:0");
    ++taken;
    return {};
  });
  ASSERT_FALSE(read);
  EXPECT_EQ(taken, 1);
  EXPECT_THAT(read.error().message, StartsWith(path + ":3: key 'steps[0].looks[0].layer'"));
  EXPECT_FALSE(
      for_each_selection_log(path + ".missing", [](SelectionLog&&) -> Result<void> { return {}; }));
}

// The example of docs/formats/selection-log.md, with the numbers that its text promises.
TEST(SelectionLogFile, ReadsTheExampleOfItsDocument) {
  const auto text = read_file(FATHOM_SOURCE_DIR "/docs/formats/selection-log.md");
  ASSERT_TRUE(text);
  const size_t begin = text->find("```json\n") + 8;
  std::string line = text->substr(begin, text->find("```", begin) - begin);
  std::ranges::replace(line, '\n', ' ');
  const auto log = selection_log_from_line(line, "selection-log.md:7");
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->selections.size(), 5U);
  EXPECT_EQ(log->selections[1].pairs, 4052 * 2);
  EXPECT_EQ(log->selections[2].pairs, 170);
  EXPECT_EQ(log->selections[2].blocks.count(), 1 + 4 + 3);
  EXPECT_EQ(log->selections[3].pairs, (16 + 16 + 4) + (16 + 16 + 16 + 4));
  EXPECT_TRUE(log->selections[4].everything && !log->selections[4].dense);
}

// Runs of blocks inserted at once, against one by one.
TEST(BlockSet, InsertsRuns) {
  for (uint64_t number = 0; number < 1'000; ++number) {
    Random random(RandomKey(number), "runs");
    const int64_t size = random.between(1, 200);
    BlockSet at_once(size);
    BlockSet one_by_one(size);
    for (int run = 0; run < 3; ++run) {
      const int64_t begin = random.between(0, size);
      const int64_t end = random.between(begin, size);
      at_once.insert(begin, end);
      for (int64_t b = begin; b < end; ++b) one_by_one.insert(b);
    }
    ASSERT_EQ(at_once, one_by_one);
  }
}

}  // namespace
}  // namespace fathom

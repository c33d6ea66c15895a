// Datasets: G3 (any thread count and shard, the same samples), G10 (recipe and materialised form),
// D1 (shards), hostile rows (Q1).
#include "suite/dataset.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/hash.h"
#include "base/random.h"
#include "io/file.h"
#include "suite/sample_json.h"

namespace fathom {
namespace {

// A folder of its own for each test, removed at the end.
class DatasetTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() /
            fmt::format("fathom_dataset_{}_{}", test->name(), ::getpid());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string folder(const std::string& name) { return (root_ / name).string(); }

 private:
  std::filesystem::path root_;
};

Recipe recipe() {
  Recipe made;
  made.suite.name = "s";
  made.suite.lengths = {512, 1024};
  made.suite.samples = 7;
  for (const char* name : {"vt", "niah"}) {
    SuiteTask task;
    task.name = task.cell = name;
    made.suite.tasks.push_back(task);
  }
  made.suite.tasks[1].cell = "niah[keys=4]";
  made.suite.tasks[1].parameters["keys"] = int64_t{4};
  made.tokenizer = {"a/tokenizer.json", "0123"};
  made.chat_template = {"", "none"};
  made.wording = {"fathom", "4567"};
  made.corpora["essay"] = {"fathom", "89ab"};
  return made;
}

// A sample with every field set, a pure function of the slot.
Sample sample_for(const Suite& suite, const SampleSlot& slot) {
  const SuiteTask& task = suite.tasks[slot.task];
  Random random(RandomKey(suite.seed).with(task.cell).with(static_cast<uint64_t>(slot.index)),
                "test");
  Sample sample;
  sample.id = slot_id(suite, slot);
  sample.task = task.name;
  sample.cell = task.cell;
  sample.parameters.set("keys", int64_t{4});
  sample.parameters.set("spread", 2.0);
  sample.parameters.set("order", true);
  sample.parameters.set("haystack", std::string("essay \"x\""));
  sample.length = slot.length;
  sample.index = slot.index;
  sample.seed = UINT64_MAX - random.below(100);
  sample.prompt = fmt::format("<s>\x01 Ünïcödé \"{}\"\n\t\\ 🙂 ", random.next());
  sample.prompt += std::string(static_cast<size_t>(slot.length), 'p') + "\u2028 end";
  sample.answer_prefix = " The answer:";
  sample.messages = {{MessageRole::kSystem, {0, 3}},
                     {MessageRole::kUser, {3, sample.prompt.size()}}};
  sample.context = {4, sample.prompt.size() - 4};
  sample.question = "What?";
  sample.references = {"one", "zwei \"2\"", ""};
  sample.metric = Metric::kStringMatchPart;
  sample.evidence = {{"needle", 0, false, {5, 9}, {1, 3}, {6, 8}, 1.0 / 3.0},
                     {"distractor", 1, true, {12, 30}, {4, 9}, {}, 0.1}};
  sample.tokens = {slot.length - 30, 30, slot.length, 3, slot.length - 60};
  sample.off_by = -1;
  sample.notes = {"haystack text repeated 3 times"};
  sample.haystack = "essay:1";
  return sample;
}

MakeSample maker(const Suite& suite) {
  return [suite](const SampleSlot& slot) -> Result<Sample> { return sample_for(suite, slot); };
}

std::vector<Sample> all_samples(const Dataset& dataset, const MakeSample& make) {
  std::vector<Sample> samples;
  auto reader = dataset.read(make);
  EXPECT_TRUE(reader) << (reader ? "" : reader.error().message);
  while (reader) {
    auto sample = (*reader)->next();
    EXPECT_TRUE(sample) << (sample ? "" : sample.error().message);
    if (!sample || !*sample) break;
    samples.push_back(std::move(**sample));
  }
  return samples;
}

TEST(SampleJson, RoundTripsEveryField) {
  const Recipe made = recipe();
  for (const SampleSlot& slot : suite_slots(made.suite)) {
    const Sample sample = sample_for(made.suite, slot);
    const std::string line = sample_to_json(sample);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto back = sample_from_json(line, "f:1");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, sample);
  }
}

TEST(SampleJson, MinimalRowOfAnotherProgram) {  // C1: "at least" these fields
  const auto sample = sample_from_json(
      R"({"id":"a","task":"t","length":512,"prompt":"xyz","answer_prefix":"","references":["y"],)"
      R"("tokens":{"prompt":3,"reserve":4,"total":7},"evidence":[{"role":"needle","bytes":[1,2],"tokens":[1,2]}],"extra":{"a":[1]}})",
      "f:1");
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->cell, "t");
  EXPECT_EQ(sample->evidence[0].bytes, (ByteSpan{1, 2}));
  ASSERT_EQ(sample->messages.size(), 1U);
  EXPECT_EQ(sample->messages[0].bytes, (ByteSpan{0, 3}));
}

struct BadRow {
  const char* from;  // replaced in a good row
  const char* to;
  const char* message;
};

class SampleJsonErrors : public testing::TestWithParam<BadRow> {};

TEST_P(SampleJsonErrors, NameTheKey) {
  std::string row =
      R"({"id":"a","task":"t","length":512,"index":0,"seed":1,"prompt":"xyz","answer_prefix":"","references":["y"],)"
      R"("tokens":{"prompt":3,"reserve":4,"total":7},"metric":"string_match_all","parameters":{"k":1},)"
      R"("evidence":[{"role":"needle","bytes":[1,2],"tokens":[1,2],"depth":0.5}],"messages":[{"role":"user","bytes":[0,3]}]})";
  ASSERT_TRUE(sample_from_json(row, "f:9"));
  const size_t at = row.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  row.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const auto sample = sample_from_json(row, "f:9");
  ASSERT_FALSE(sample);
  EXPECT_EQ(sample.error().code, ErrorCode::kInput);
  EXPECT_NE(sample.error().message.find(GetParam().message), std::string::npos)
      << sample.error().message;
  EXPECT_TRUE(sample.error().message.starts_with("f:9: ")) << sample.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, SampleJsonErrors,
    testing::Values(
        BadRow{"{\"id\"", "[\"id\"", "not valid JSON"},
        BadRow{"\"id\":\"a\",", "", "key 'id' is missing"},
        BadRow{"\"id\":\"a\"", "\"id\":7", "key 'id' must be a string"},
        BadRow{"512", "-5", "key 'length' must be 0 or more"},
        BadRow{"512", "5.5", "key 'length' must be a whole number"},
        BadRow{"512", "99999999999999999999999", "f:9: "},
        BadRow{"\"seed\":1", "\"seed\":-1", "key 'seed' must be a whole number of 0 or more"},
        BadRow{"[\"y\"]", "[\"y\",3]", "key 'references' must be a list of strings"},
        BadRow{"[\"y\"]", "\"y\"", "key 'references' must be a list"},
        BadRow{"\"prompt\":3,", "", "key 'tokens.prompt' is missing"},
        BadRow{"\"bytes\":[1,2]", "\"bytes\":[2,1]",
               "key 'evidence[0].bytes' must be [begin, end]"},
        BadRow{"\"bytes\":[1,2]", "\"bytes\":[1,4]", "end <= 3"},
        BadRow{"\"bytes\":[1,2]", "\"bytes\":[1,2,3]", "two whole numbers"},
        BadRow{"\"bytes\":[1,2]", "\"bytes\":[-1,2]", "two whole numbers"},
        BadRow{"\"tokens\":[1,2]", "\"tokens\":[1,99]", "evidence[0].tokens"},
        BadRow{"0.5", "1.5", "evidence[0].depth' must be between 0 and 1"},
        BadRow{"\"depth\":0.5", "\"depth\":\"x\"", "evidence[0].depth' must be a number"},
        BadRow{"string_match_all", "rouge", "key 'metric'"},
        BadRow{"{\"k\":1}", "{\"k\":[1]}", "parameters.k"},
        BadRow{"{\"k\":1}", "{\"k\":null}", "parameters.k"},
        BadRow{"\"user\"", "\"robot\"", "system, user or assistant"},
        BadRow{"\"bytes\":[0,3]", "\"bytes\":[0,30]", "messages[0].bytes"},
        BadRow{"\"id\"", "\"hash\":\"00\",\"id\"", "was changed"},
        BadRow{"xyz", "x\xffz", "not valid JSON"},
        BadRow{"{\"k\":1}", "{\"k\":1", "not valid JSON"}));

TEST_F(DatasetTest, AnyThreadCountGivesTheSameBytes) {  // G3
  const Recipe made = recipe();
  std::string first;
  for (const int threads : {1, 2, 3, 8}) {
    WriteOptions options;
    options.threads = threads;
    const std::string path = folder(std::to_string(threads));
    const auto written = write_dataset(path, made, options, maker(made.suite));
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->manifest.samples, 28);
    const std::string bytes = *read_file(path + "/samples.jsonl");
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first);
    EXPECT_EQ(*sha256_file(path + "/samples.jsonl"), written->manifest.file_sha256);
  }
}

TEST_F(DatasetTest, FormsHoldTheSameSamples) {  // G10
  const Recipe made = recipe();
  std::vector<std::string> hashes;
  std::vector<Sample> first;
  for (const auto& [form, compress] : {std::pair{DatasetForm::kSamples, false},
                                       {DatasetForm::kSamples, true},
                                       {DatasetForm::kRecipe, false}}) {
    WriteOptions options;
    options.form = form;
    options.compress = compress;
    const std::string path = folder(std::to_string(hashes.size()));
    ASSERT_TRUE(write_dataset(path, made, options, maker(made.suite)));
    const auto dataset = Dataset::open(path);
    ASSERT_TRUE(dataset) << dataset.error().message;
    EXPECT_EQ(dataset->manifest().recipe, made);
    const auto samples = all_samples(*dataset, maker(made.suite));
    EXPECT_EQ(samples.size(), 28U);
    if (hashes.empty()) first = samples;
    EXPECT_EQ(samples, first);
    hashes.push_back(dataset->hash() + dataset->manifest().samples_hash);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
  EXPECT_LT(std::filesystem::file_size(folder("2") + "/manifest.json"), 20'000U);
}

TEST_F(DatasetTest, ShardsHoldEverySampleOnceAndMerge) {  // D1
  const Recipe made = recipe();
  WriteOptions options;
  ASSERT_TRUE(write_dataset(folder("whole"), made, options, maker(made.suite)));
  std::vector<std::string> folders;
  for (int64_t i = 1; i <= 3; ++i) {
    options.shard = {i, 3};
    options.compress = i == 2;
    folders.push_back(folder(fmt::format("shard{}", i)));
    ASSERT_TRUE(write_dataset(folders.back(), made, options, maker(made.suite)));
  }
  const auto merged = merge_datasets({folders[2], folders[0], folders[1]}, folder("merged"), false);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(*read_file(folder("merged") + "/samples.jsonl"),
            *read_file(folder("whole") + "/samples.jsonl"));
  EXPECT_EQ(*read_file(folder("merged") + "/manifest.json"),
            *read_file(folder("whole") + "/manifest.json"));
  const auto missing = merge_datasets({folders[0], folders[1]}, folder("m2"), false);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("3/3"), std::string::npos) << missing.error().message;
  const auto twice = merge_datasets({folders[0], folders[1], folders[1]}, folder("m3"), false);
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("2/3"), std::string::npos) << twice.error().message;
}

TEST_F(DatasetTest, SecondWriteMakesNothing) {
  const Recipe made = recipe();
  std::atomic<int> calls = 0;
  const MakeSample counting = [&](const SampleSlot& slot) -> Result<Sample> {
    ++calls;
    return sample_for(made.suite, slot);
  };
  ASSERT_TRUE(write_dataset(folder("a"), made, {}, counting));
  EXPECT_EQ(calls, 28);
  const auto again = write_dataset(folder("a"), made, {}, counting);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->existed);
  EXPECT_EQ(calls, 28);
}

TEST_F(DatasetTest, AnotherDatasetInTheFolderIsRefusedByName) {
  const Recipe made = recipe();
  ASSERT_TRUE(write_dataset(folder("a"), made, {}, maker(made.suite)));
  const auto refused = [&](const std::function<void(Recipe&, WriteOptions&)>& change) {
    Recipe other = made;
    WriteOptions options;
    change(other, options);
    const auto written = write_dataset(folder("a"), other, options, maker(other.suite));
    EXPECT_FALSE(written);
    return written ? "" : written.error().message;
  };
  EXPECT_NE(
      refused([](Recipe& r, WriteOptions&) { r.suite.seed = 1; }).find("seed: 1 instead of 42"),
      std::string::npos);
  EXPECT_NE(refused([](Recipe& r, WriteOptions&) {
              r.suite.samples = 8;
            }).find("samples: 8 instead of 7"),
            std::string::npos);
  EXPECT_NE(refused([](Recipe& r, WriteOptions&) {
              r.suite.lengths = {512};
            }).find("lengths: 512 instead of 512,1024"),
            std::string::npos);
  EXPECT_NE(refused([](Recipe& r, WriteOptions&) {
              r.suite.tasks.pop_back();
            }).find("tasks: vt instead of vt,niah[keys=4]"),
            std::string::npos);
  EXPECT_NE(refused([](Recipe& r, WriteOptions&) {
              r.tokenizer = {"b.json", "ffff"};
            }).find("tokenizer: b.json (ffff) instead of a/tokenizer.json (0123)"),
            std::string::npos);
  EXPECT_NE(refused([](Recipe& r, WriteOptions&) {
              r.corpora["essay"].hash = "00";
            }).find("corpus essay"),
            std::string::npos);
  EXPECT_NE(
      refused([](Recipe& r, WriteOptions&) { r.generator = 9; }).find("generator: 9 instead of 1"),
      std::string::npos);
  EXPECT_NE(
      refused([](Recipe&, WriteOptions& o) { o.compress = true; }).find("form: samples.jsonl.zst"),
      std::string::npos);
  EXPECT_NE(refused([](Recipe&, WriteOptions& o) {
              o.shard = {1, 2};
            }).find("shard: 1/2 instead of 1/1"),
            std::string::npos);
}

TEST_F(DatasetTest, TheFirstFailingSampleEndsTheWriting) {
  const Recipe made = recipe();
  const MakeSample failing = [&](const SampleSlot& slot) -> Result<Sample> {
    if (slot.index >= 3)
      return fail(ErrorCode::kInput, "no room for {}", slot_id(made.suite, slot));
    return sample_for(made.suite, slot);
  };
  for (const int threads : {1, 8}) {
    WriteOptions options;
    options.threads = threads;
    const auto written = write_dataset(folder("a"), made, options, failing);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "no room for vt:512:3");
    EXPECT_FALSE(file_exists(folder("a") + "/manifest.json"));
    EXPECT_TRUE(std::filesystem::is_empty(folder("a"))) << "no half file stays";
  }
}

TEST_F(DatasetTest, ReadersSkip) {
  const Recipe made = recipe();
  ASSERT_TRUE(write_dataset(folder("a"), made, {}, maker(made.suite)));
  const auto dataset = Dataset::open(folder("a"));
  ASSERT_TRUE(dataset);
  auto reader = dataset->read();
  ASSERT_TRUE(reader);
  ASSERT_TRUE((*reader)->skip(14));
  EXPECT_EQ((**(*reader)->next()).id, "vt:1024:0");
  ASSERT_TRUE((*reader)->skip(1000));
  EXPECT_FALSE(*(*reader)->next());
}

TEST_F(DatasetTest, BrokenDatasetsAreNamed) {
  const Recipe made = recipe();
  EXPECT_NE(Dataset::open(folder("none")).error().message.find("no dataset here"),
            std::string::npos);
  ASSERT_TRUE(write_dataset(folder("a"), made, {}, maker(made.suite)));
  const std::string path = folder("a") + "/manifest.json";
  const std::string good = *read_file(path);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at == std::string::npos) return std::string();
    text.replace(at, from.size(), to);
    std::ofstream(path) << text;
    const auto dataset = Dataset::open(folder("a"));
    EXPECT_FALSE(dataset) << to;
    return dataset ? "" : dataset.error().message;
  };
  EXPECT_NE(with("\"seed\": 42", "\"seed\": 43").find("the recipe was changed"), std::string::npos);
  EXPECT_NE(with("\"format\": 1", "\"format\": 2").find("format 2 is unknown"), std::string::npos);
  EXPECT_NE(with("\"form\": \"samples\"", "\"form\": \"x\"").find("'form' must be"),
            std::string::npos);
  EXPECT_NE(with("\"samples.jsonl\"", "\"../x\"").find("'file' must be a name"), std::string::npos);
  EXPECT_NE(with("\"samples.jsonl\"", "\"y.jsonl\"").find("'y.jsonl' is missing"),
            std::string::npos);
  EXPECT_NE(with("\"1/1\"", "\"0/1\"").find("--shard must be"), std::string::npos);
  EXPECT_NE(with("\"samples_hash\": \"", "\"samples_hash\": \"0").find("does not belong"),
            std::string::npos);
  EXPECT_NE(with("{", "").find("manifest.json"), std::string::npos);
}

TEST(Shards, AreParsed) {
  EXPECT_EQ(*parse_shard("2/8"), (Shard{2, 8}));
  for (const char* bad : {"", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/", "/2", "1/0"}) {
    const auto shard = parse_shard(bad);
    ASSERT_FALSE(shard) << bad;
    EXPECT_EQ(shard.error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace fathom

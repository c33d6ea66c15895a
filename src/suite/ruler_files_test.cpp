// RULER's files (T17): out, in (all eras and NeMo-Skills), predictions.
#include "suite/ruler_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "suite/fake_tokenizer.h"
#include "suite/ruler_rows.h"

namespace fathom {
namespace {

class RulerFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() /
            fmt::format("fathom_ruler_{}_{}", test->name(), ::getpid());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string folder(const std::string& name) { return (root_ / name).string(); }

  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  std::vector<Sample> samples(const std::string& name) {
    std::vector<Sample> all;
    const auto dataset = Dataset::open(folder(name));
    EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message);
    if (!dataset) return all;
    const auto reader = dataset->read();
    while (true) {
      auto sample = (*reader)->next();
      EXPECT_TRUE(sample) << (sample ? "" : sample.error().message);
      if (!sample || !*sample) return all;
      all.push_back(**sample);
    }
  }

 private:
  std::filesystem::path root_;
};

Sample made(const std::string& task, int64_t length, int64_t index) {
  Sample sample;
  sample.task = sample.cell = task;
  sample.length = length;
  sample.index = index;
  sample.id = fmt::format("{}:{}:{}", task, length, index);
  sample.prompt = fmt::format(
      "Größe 🙂: the special magic number for k{} is: 12345{}.\nWhat is it?", index, index);
  sample.answer_prefix = " The special magic number is";
  sample.references = {fmt::format("12345{}", index)};
  sample.tokens = {length - 128, 128, length, 5, 0};
  sample.evidence = {{"needle", 0, false, {10, 20}, {3, 7}, {}, 0.1}};
  return sample;
}

std::unique_ptr<SampleReader> reader_of(const std::vector<Sample>& samples) {
  std::vector<SampleSlot> slots;
  for (size_t i = 0; i < samples.size(); ++i) slots.push_back({i, 0, 0});
  return make_sample_reader(
      slots, [samples](const SampleSlot& slot) -> Result<Sample> { return samples[slot.task]; });
}

TEST_F(RulerFiles, ExportHasRulersFieldsAndAUniqueIndex) {
  std::vector<Sample> all;
  for (const int64_t length : {4096, 8192}) {
    for (const char* task : {"niah_single_1", "vt"}) {
      for (int64_t i = 0; i < 3; ++i) all.push_back(made(task, length, i));
    }
  }
  const auto reader = reader_of(all);
  const auto written = export_ruler(*reader, folder("out"));
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(*written, 12);
  int64_t rows = 0;
  const std::string path = folder("out") + "/8192/niah_single_1/validation.jsonl";
  ASSERT_TRUE(for_each_line(path, [&](size_t, std::string_view line) -> Result<void> {
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x80;
    })) << "ASCII-escaped";
    const Json row = *parse_json(line, "row");
    EXPECT_EQ(row["index"], rows);
    const Sample& sample = all[static_cast<size_t>(6 + rows)];
    EXPECT_EQ(row["input"], sample.prompt);
    EXPECT_EQ(row["outputs"], Json(sample.references));
    EXPECT_EQ(row["length"], 8192);
    EXPECT_EQ(row["length_w_model_temp"], 8192);
    EXPECT_EQ(row["answer_prefix"], sample.answer_prefix);
    EXPECT_EQ(row["token_position_answer"], 3);
    ++rows;
    return {};
  }));
  EXPECT_EQ(rows, 3);
  const auto vt = *read_file(folder("out") + "/4096/vt/validation.jsonl");
  EXPECT_EQ(vt.find("token_position_answer"), std::string::npos);
  const auto second = reader_of(all);
  const auto again = export_ruler(*second, folder("out"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
}

TEST_F(RulerFiles, ExportAndImportKeepPromptsAndReferences) {
  std::vector<Sample> all;
  for (int64_t i = 0; i < 4; ++i) all.push_back(made("niah_multikey_2", 4096, i));
  ASSERT_TRUE(export_ruler(*reader_of(all), folder("out")));
  const auto imported = import_ruler(folder("out"), folder("data"), {});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->manifest.samples, 4);
  const auto back = samples("data");
  ASSERT_EQ(back.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back[i].id, all[i].id);
    EXPECT_EQ(back[i].full_text(), all[i].full_text());
    EXPECT_EQ(back[i].answer_prefix, all[i].answer_prefix);
    EXPECT_EQ(back[i].references, all[i].references);
    EXPECT_EQ(back[i].tokens.total, 4096);
    ASSERT_EQ(back[i].evidence.size(), 1U);
  }
  const auto again = import_ruler(folder("out"), folder("data"), {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->existed);
}

struct EraCase {
  const char* name;
  const char* row;
};

class RulerEras : public testing::TestWithParam<EraCase> {};

TEST_P(RulerEras, GiveTheSamePromptAndPrefix) {
  const auto row = parse_ruler_row(GetParam().row, 3, "f:3");
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(row->input, "Text.\nWhat is the number?");
  EXPECT_EQ(row->prefix, " The special magic number for x mentioned in the provided text is");
  EXPECT_EQ(row->outputs, std::vector<std::string>{"7"});
}

INSTANTIATE_TEST_SUITE_P(
    Table, RulerEras,
    testing::Values(
        EraCase{
            "A",
            R"({"index":0,"input":"Text.\nWhat is the number? The special magic number for x mentioned in the provided text is","outputs":["7"],"length":100})"},
        EraCase{
            "B",
            R"({"index":0,"input":"Text.\nWhat is the number?","outputs":["7"],"length":100,"answer_prefix":" The special magic number for x mentioned in the provided text is"})"},
        EraCase{
            "prefix_twice",
            R"({"index":0,"input":"Text.\nWhat is the number? The special magic number for x mentioned in the provided text is","outputs":["7"],"answer_prefix":" The special magic number for x mentioned in the provided text is"})"},
        EraCase{
            "lm_eval",
            R"({"index":0,"input":"Text.\nWhat is the number?","outputs":["7"],"max_length":4096,"gen_prefix":" The special magic number for x mentioned in the provided text is"})"},
        EraCase{
            "nemo",
            R"({"index":0,"question":"Text.\nWhat is the number?","expected_answer":["7"],"generation":" The special magic number for x mentioned in the provided text is"})"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(RulerRows, InputsWithoutAPrefixStayWhole) {
  const auto row =
      parse_ruler_row(R"({"input":"A question?\nAnswer: yes or no.","outputs":"yes"})", 5, "f:5");
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(row->input, "A question?\nAnswer: yes or no.");
  EXPECT_EQ(row->prefix, "");
  EXPECT_EQ(row->outputs, std::vector<std::string>{"yes"});
  EXPECT_EQ(row->index, 4);
}

TEST_F(RulerFiles, ImportReadsLengthsFromFoldersAndRows) {
  const std::string row =
      R"({"index":5,"input":"The word is red. What?","outputs":["red"],"length":4000})";
  write("a/4096/data/qa_1/validation.jsonl", row + "\n" + row + "\n");
  write("a/8192/data/vt/test.jsonl", row + "\n");
  const auto imported = import_ruler(folder("a"), folder("data"), {});
  ASSERT_TRUE(imported) << imported.error().message;
  const auto all = samples("data");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].id, "qa_1:4096:0");
  EXPECT_EQ(all[1].id, "qa_1:4096:1") << "RULER's repeated indices stay apart";
  EXPECT_EQ(all[0].metric, Metric::kStringMatchPart);
  EXPECT_EQ(all[0].tokens.reserve, 32);
  EXPECT_EQ(all[0].tokens.total, 4000);
  EXPECT_EQ(all[0].off_by, -96);
  EXPECT_EQ(all[2].id, "vt:8192:0");
  EXPECT_EQ(all[2].metric, Metric::kStringMatchAll);
  write("b/vt.jsonl", row + "\n");
  const auto unknown = import_ruler(folder("b"), folder("data2"), {});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("--length"), std::string::npos) << unknown.error().message;
  RulerImportOptions options;
  options.length = 4096;
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords);
  options.tokenizer = &tokenizer;
  const auto given = import_ruler(folder("b"), folder("data2"), options);
  ASSERT_TRUE(given) << given.error().message;
  const auto counted = samples("data2");
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].tokens.prompt,
            static_cast<int64_t>(tokenizer.count(counted[0].full_text(),
                                                 {.add_special = false, .parse_special = true})));
  ASSERT_EQ(counted[0].evidence.size(), 1U);
  EXPECT_LT(counted[0].evidence[0].tokens.begin, counted[0].evidence[0].tokens.end);
}

struct BadImport {
  const char* file;
  const char* text;
  const char* message;
};

class RulerBadImports : public RulerFiles, public testing::WithParamInterface<BadImport> {};

TEST_P(RulerBadImports, AreNamed) {
  write(GetParam().file, GetParam().text);
  const auto imported = import_ruler(folder("4096"), folder("data"), {});
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find(GetParam().message), std::string::npos)
      << imported.error().message;
  EXPECT_FALSE(file_exists(folder("data") + "/manifest.json"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, RulerBadImports,
    testing::Values(
        BadImport{"4096/x.txt", "", "holds no .jsonl file"},
        BadImport{"4096/vt/validation.jsonl", "{", "validation.jsonl:1"},
        BadImport{"4096/vt/validation.jsonl", "[1]\n", "validation.jsonl:1"},
        BadImport{"4096/vt/validation.jsonl", "{\"outputs\":[\"x\"]}\n", "no 'input'"},
        BadImport{"4096/vt/validation.jsonl", "{\"input\":\"x\"}\n", "no 'outputs'"},
        BadImport{"4096/vt/validation.jsonl", "{\"input\":\"x\",\"outputs\":[]}\n",
                  "'outputs' is empty"},
        BadImport{"4096/vt/validation.jsonl", "{\"input\":\"x\",\"outputs\":[5]}\n", "outputs"},
        BadImport{"4096/vt/validation.jsonl", "{\"input\":7,\"outputs\":[\"x\"]}\n",
                  "'input' must be a string"},
        BadImport{"4096/vt/validation.jsonl",
                  "{\"input\":\"x\",\"outputs\":[\"x\"],\"length\":-3}\n",
                  "'length' is out of range"},
        BadImport{"4096/poem/validation.jsonl", "{\"input\":\"x\",\"outputs\":[\"x\"]}\n",
                  "'poem' is no RULER task"}));

TEST_F(RulerFiles, PredictionsOfAllShapes) {
  write(
      "p/4096/pred/niah_single_1-1.jsonl",
      R"({"index":1,"pred":"b","input":"i","outputs":["1"],"others":{},"truncation":-1,"length":9})"
      "\n");
  write(
      "p/4096/pred/niah_single_1-0.jsonl",
      R"({"index":0,"pred":"a","input":"i","outputs":["0"],"others":{"id":"x7"},"truncation":-1,"length":9})"
      "\n");
  write("p/4096/data/niah_single_1/validation.jsonl", R"({"index":1,"input":"i","outputs":["1"]})"
                                                      "\n");
  write("p/8192/pred/qa_1.jsonl", R"({"pred":"c","outputs":[null]})"
                                  "\n");
  write("p/8192/vt/output.jsonl",
        R"({"index":4,"question":"q","generation":"g","expected_answer":["A","B"]})"
        "\n");
  const auto files = read_ruler_predictions(folder("p"));
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[0].task, "niah_single_1");
  EXPECT_EQ((*files)[0].length, 4096);
  ASSERT_EQ((*files)[0].rows.size(), 2U);
  EXPECT_EQ((*files)[0].rows[0], (RulerPrediction{"x7", "i", "a", {"0"}, false, 9}));
  EXPECT_EQ((*files)[0].rows[1].id, "1");
  EXPECT_EQ((*files)[1].task, "qa_1");
  EXPECT_EQ((*files)[1].metric, Metric::kStringMatchPart);
  EXPECT_TRUE((*files)[1].rows[0].null_output);
  EXPECT_EQ((*files)[2].task, "vt");
  EXPECT_EQ((*files)[2].rows[0], (RulerPrediction{"4", "q", "g", {"A", "B"}, false, 0}));
}

TEST_F(RulerFiles, BadPredictionsAreNamed) {
  EXPECT_EQ(read_ruler_predictions(folder("none")).error().code, ErrorCode::kIo);
  write("a/vt.jsonl", "{\"outputs\":[\"x\"]}\n");
  EXPECT_NE(read_ruler_predictions(folder("a")).error().message.find("vt.jsonl:1: no 'pred'"),
            std::string::npos);
  write("b/vt.jsonl", "{\"pred\":\"x\"}\n");
  EXPECT_NE(read_ruler_predictions(folder("b")).error().message.find("no 'outputs'"),
            std::string::npos);
  write("c/mystery.jsonl", "{\"pred\":\"x\",\"outputs\":[\"x\"]}\n");
  EXPECT_NE(read_ruler_predictions(folder("c")).error().message.find("'mystery' is no RULER task"),
            std::string::npos);
  write("d/x/vt.jsonl", "{\"pred\":\"x\",\"outputs\":[\"x\"]}\n");
  write("d/y/vt.jsonl", "{\"pred\":\"x\",\"outputs\":[\"x\"]}\n");
  EXPECT_NE(read_ruler_predictions(folder("d")).error().message.find("a second file"),
            std::string::npos);
}

}  // namespace
}  // namespace fathom

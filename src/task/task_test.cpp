// T1, T18, G9: the registry, parameters, wordings and depth policies.
#include "task/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "io/embedded.h"
#include "task/depth.h"

namespace fathom {
namespace {

using testing::HasSubstr;

TEST(Tasks, RulersThirteenAreThere_T1) {
  for (const char* name :
       {"niah_single_1", "niah_single_2", "niah_single_3", "niah_multikey_1", "niah_multikey_2",
        "niah_multikey_3", "niah_multivalue", "niah_multiquery", "vt", "cwe", "fwe", "qa_1", "qa_2",
        "qa_encyclopaedia_1hop", "qa_encyclopaedia_2hop", "set_intersection"}) {
    const auto task = find_task(name);
    ASSERT_TRUE(task.has_value()) << name;
    EXPECT_EQ((*task)->info().name, name);
    EXPECT_FALSE((*task)->info().description.empty());
    EXPECT_FALSE((*task)->info().spec.empty());
  }
}

TEST(Tasks, RulersParameters_T1) {
  struct Case {
    const char* task;
    const char* parameter;
    ParameterValue value;
  };
  const std::vector<Case> cases = {
      {"niah_single_1", "haystack", std::string("noise")},
      {"niah_single_2", "haystack", std::string("essay")},
      {"niah_single_3", "value_type", std::string("uuids")},
      {"niah_multikey_1", "keys", int64_t{4}},
      {"niah_multikey_2", "haystack", std::string("needle")},
      {"niah_multikey_3", "key_type", std::string("uuids")},
      {"niah_multikey_3", "value_type", std::string("uuids")},
      {"niah_multivalue", "values", int64_t{4}},
      {"niah_multiquery", "queries", int64_t{4}},
      {"niah_single_1", "reserve", int64_t{128}},
      {"vt", "chains", int64_t{1}},
      {"vt", "hops", int64_t{4}},
      {"vt", "reserve", int64_t{30}},
      {"cwe", "freq_cw", int64_t{30}},
      {"cwe", "freq_ucw", int64_t{3}},
      {"cwe", "num_cw", int64_t{10}},
      {"cwe", "reserve", int64_t{120}},
      {"fwe", "alpha", 2.0},
      {"fwe", "coded_wordlen", int64_t{6}},
      {"fwe", "reserve", int64_t{50}},
      {"qa_1", "reserve", int64_t{32}},
  };
  for (const Case& each : cases) {
    const auto task = find_task(each.task);
    const auto parameters = Parameters::resolve(each.task, (*task)->info().parameters, {});
    ASSERT_TRUE(parameters.has_value());
    EXPECT_EQ(parameters->all().find(each.parameter)->second, each.value)
        << each.task << " " << each.parameter;
  }
  EXPECT_EQ((*find_task("niah_single_1"))->info().metric, Metric::kStringMatchAll);
  EXPECT_EQ((*find_task("qa_1"))->info().metric, Metric::kStringMatchPart);
}

TEST(Tasks, NamesAndParametersAreUnique) {
  std::set<std::string> names;
  for (const Task* task : tasks()) {
    EXPECT_TRUE(names.insert(task->info().name).second);
    std::set<std::string> parameters;
    for (const ParameterSpec& spec : task->info().parameters) {
      EXPECT_TRUE(parameters.insert(spec.name).second) << task->info().name << " " << spec.name;
      EXPECT_TRUE(Parameters::resolve("t", {spec}, {{spec.name, spec.fallback}}).has_value())
          << spec.name;
    }
  }
}

TEST(Tasks, UnknownNamesGetTheNearest_Q1) {
  const auto task = find_task("niah_singl_1");
  ASSERT_FALSE(task.has_value());
  EXPECT_EQ(task.error().code, ErrorCode::kUsage);
  EXPECT_THAT(task.error().message, HasSubstr("'niah_single_1'"));
}

TEST(Parameters, ErrorsNameTaskKeyAndLimits_Q1) {
  const std::vector<ParameterSpec> specs = {
      {"keys", "", int64_t{1}, 1, 10, {}},
      {"alpha", "", 2.0, 1, 8, {}},
      {"haystack", "", std::string("noise"), 0, 0, {"noise", "essay"}},
      {"twins", "", false, 0, 0, {}},
  };
  struct Case {
    const char* key;
    ParameterValue value;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"keis", int64_t{1}, "did you mean 'keys'"},
      {"keys", int64_t{0}, "from 1 to 10"},
      {"keys", int64_t{11}, "from 1 to 10"},
      {"keys", 1.5, "a whole number"},
      {"keys", std::string("four"), "a whole number"},
      {"alpha", 0.5, "from 1 to 8"},
      {"alpha", std::numeric_limits<double>::quiet_NaN(), "from 1 to 8"},
      {"haystack", std::string("prose"), "noise, essay"},
      {"twins", int64_t{1}, "true or false"},
  };
  for (const Case& each : cases) {
    const auto resolved = Parameters::resolve("demo", specs, {{each.key, each.value}});
    ASSERT_FALSE(resolved.has_value()) << each.key;
    EXPECT_EQ(resolved.error().code, ErrorCode::kInput);
    EXPECT_THAT(resolved.error().message, HasSubstr("demo"));
    EXPECT_THAT(resolved.error().message, HasSubstr(each.message));
  }
  const auto whole = Parameters::resolve("demo", specs, {{"alpha", int64_t{3}}});
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->number("alpha"), 3.0);
  EXPECT_EQ(whole->canonical(), "alpha=3,haystack=noise,keys=1,twins=false");
}

TEST(Metrics, NamesRoundTrip) {
  for (const Metric metric : {Metric::kStringMatchAll, Metric::kStringMatchPart,
                              Metric::kExactMatch, Metric::kSetMatch}) {
    EXPECT_EQ(*metric_from_text(to_text(metric)), metric);
  }
  EXPECT_THAT(metric_from_text("rouge").error().message, HasSubstr("string_match_part"));
}

const std::vector<WordingSpec>& demo_specs() {
  static const std::vector<WordingSpec> specs = {
      {"demo.prompt", {"context", "key"}, ""},
      {"demo.count", {"count"}, ""},
      {"demo.given", {"name"}, "Given {name}."},
  };
  return specs;
}

const std::vector<WordingListSpec>& demo_lists() {
  static const std::vector<WordingListSpec> lists = {{"demo.list", 2}};
  return lists;
}

constexpr const char* kDemoPack = R"(name: demo
demo:
  prompt: "Look for {key}: {context} And {key}?"
  count: {one: "One thing.", many: "{count} things."}
  list: ["A.", "B."]
)";

TEST(Wording, FillsFormsAndFallbacks_G9) {
  const auto wording = Wording::parse(kDemoPack, "pack.yaml", demo_specs(), demo_lists());
  ASSERT_TRUE(wording.has_value()) << wording.error().message;
  EXPECT_EQ(wording->text("demo.count", {{"count", "1"}}, 1), "One thing.");
  EXPECT_EQ(wording->text("demo.count", {{"count", "7"}}, 7), "7 things.");
  EXPECT_EQ(wording->text("demo.given", {{"name", "{x}"}}), "Given {x}.");
  const auto [before, after] = wording->around_context("demo.prompt", {{"key", "k{context}"}});
  EXPECT_EQ(before, "Look for k{context}: ");
  EXPECT_EQ(after, " And k{context}?");
  EXPECT_EQ(wording->join({"a"}), "a");
  EXPECT_EQ(wording->join({"a", "b"}), "a and b");
  EXPECT_EQ(wording->join({"a", "b", "c"}), "a, b, and c");
  EXPECT_EQ(wording->name(), "demo");
}

TEST(Wording, BadPacksNamePlaceAndKey_Q1) {
  struct Case {
    const char* replaced;
    const char* by;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"  count:", "  cuont:", "did you mean 'demo.count'"},
      {"{key}: {context}", "{key}: ", "must have the placeholder {context}"},
      {"{key}: {context}", "{kee}: {context}", "unknown placeholder {kee}"},
      {"{context} And", "{context} {context} And", "once only"},
      {"{one: \"One thing.\", many", "{two: \"One thing.\", many", "pack.yaml:4"},
      {"{one: \"One thing.\", many: \"{count} things.\"}", "{one: \"One thing.\"}", "both forms"},
      {"\"One thing.\"", "\"\"", "is empty"},
      {"[\"A.\", \"B.\"]", "[\"A.\"]", "at least 2"},
      {"[\"A.\", \"B.\"]", "[\"A.\", \" B.\"]", "without spaces"},
      {"[\"A.\", \"B.\"]", "7", "must be a list"},
      {"  list: [\"A.\", \"B.\"]\n", "", "the list 'demo.list' is missing"},
      {"  count: {one: \"One thing.\", many: \"{count} things.\"}\n", "",
       "'demo.count' is missing"},
      {"demo:\n", "demo: x\n", "pack.yaml"},
      {"name: demo\ndemo:", "- a\n- b:", "pack.yaml"},
  };
  for (const Case& each : cases) {
    std::string pack = kDemoPack;
    const size_t at = pack.find(each.replaced);
    ASSERT_NE(at, std::string::npos) << each.replaced;
    pack.replace(at, std::string(each.replaced).size(), each.by);
    const auto wording = Wording::parse(pack, "pack.yaml", demo_specs(), demo_lists());
    ASSERT_FALSE(wording.has_value()) << each.by;
    EXPECT_EQ(wording.error().code, ErrorCode::kInput);
    EXPECT_THAT(wording.error().message, HasSubstr("pack.yaml"));
    EXPECT_THAT(wording.error().message, HasSubstr(each.message)) << pack;
  }
}

TEST(Wording, EmbeddedPacksAreComplete_G9) {
  EXPECT_THAT(Wording::names(), testing::IsSupersetOf({"fathom", "question_first"}));
  std::set<std::string> hashes;
  for (const std::string& name : Wording::names()) {
    const auto wording = Wording::load(name);
    ASSERT_TRUE(wording.has_value()) << wording.error().message;
    EXPECT_EQ(wording->name(), name);
    hashes.insert(wording->hash());
  }
  EXPECT_EQ(hashes.size(), Wording::names().size());
}

TEST(Wording, UserFilesAndMissingOnes_Q1) {
  const std::string path = testing::TempDir() + "fathom_wording_test.yaml";
  std::string text(*embedded_file("wordings/fathom.yaml"));
  const size_t at = text.find("One of the special magic");
  text.replace(at, 24, "Here is one magical kind");
  std::ofstream(path) << text;
  const auto wording = Wording::load(path);
  ASSERT_TRUE(wording.has_value()) << wording.error().message;
  EXPECT_THAT(wording->text("niah.needle", {{"type", "t"}, {"key", "k"}, {"value", "v"}}),
              HasSubstr("Here is one magical kind"));
  EXPECT_NE(wording->hash(), Wording::load("fathom")->hash());
  const auto missing = Wording::load("no_such_pack");
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("fathom"));
}

Parameters depth_with(const std::string& policy, double value) {
  return *Parameters::resolve("demo", depth_parameters(),
                              {{"depth", policy}, {"depth_value", value}});
}

TEST(Depth, PoliciesPlaceTheFirstPiece_G5) {
  const RandomKey key(1);
  EXPECT_EQ(draw_places(depth_with("fixed", 0.3), 1, key, 0)[0].value, 0.3);
  const Parameters grid = depth_with("grid", 0);
  const Parameters sigmoid = depth_with("sigmoid", 0);
  double before = -1;
  for (int64_t index = 0; index < 11; ++index) {
    EXPECT_DOUBLE_EQ(draw_places(grid, 1, key, index)[0].value, static_cast<double>(index) / 10);
    const double point = draw_places(sigmoid, 1, key, index)[0].value;
    EXPECT_GT(point, before);
    before = point;
  }
  EXPECT_DOUBLE_EQ(draw_places(sigmoid, 1, key, 0)[0].value, 0);
  EXPECT_DOUBLE_EQ(draw_places(sigmoid, 1, key, 5)[0].value, 0.5);
  EXPECT_DOUBLE_EQ(draw_places(sigmoid, 1, key, 10)[0].value, 1);
  EXPECT_LT(draw_places(sigmoid, 1, key, 1)[0].value, 0.1);
  EXPECT_DOUBLE_EQ(draw_places(grid, 1, key, 11)[0].value, 0);
}

TEST(Depth, JointsAreWhereTheBytesAre_G5) {
  const std::vector<size_t> ends = {100, 200, 300, 400};
  struct Case {
    Place place;
    size_t joint;
  };
  const std::vector<Case> cases = {
      {{PlaceKind::kFraction, 0.0}, 0},  {{PlaceKind::kFraction, 0.5}, 2},
      {{PlaceKind::kFraction, 0.99}, 4}, {{PlaceKind::kFraction, 1.0}, 4},
      {{PlaceKind::kFromStart, 0}, 0},   {{PlaceKind::kFromStart, 50}, 2},
      {{PlaceKind::kFromStart, 1e9}, 4}, {{PlaceKind::kFromEnd, 25}, 3},
      {{PlaceKind::kFromEnd, 1e9}, 0},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(joint_of(each.place, ends, 4), each.joint) << each.place.value;
  }
  EXPECT_EQ(joint_of({PlaceKind::kFromEnd, 5}, {}, 4), 0U);
}

}  // namespace
}  // namespace fathom

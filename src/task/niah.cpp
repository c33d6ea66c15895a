// Needle in a haystack: RULER's eight tasks are one task with eight sets of parameters.
#include <algorithm>
#include <utility>

#include "corpus/random_texts.h"
#include "task/families.h"
#include "task/filler.h"
#include "task/placed_context.h"

namespace fathom {
namespace {

constexpr int64_t kReserve = 128;

struct NiahSetting {
  const char* name;
  const char* description;
  const char* haystack;
  const char* key_type;
  const char* value_type;
  int64_t keys;
  int64_t values;
  int64_t queries;
};

constexpr NiahSetting kSettings[] = {
    {"niah_single_1", "one number hidden in noise", "noise", "words", "numbers", 1, 1, 1},
    {"niah_single_2", "one number hidden in essays", "essay", "words", "numbers", 1, 1, 1},
    {"niah_single_3", "one UUID hidden in essays", "essay", "words", "uuids", 1, 1, 1},
    {"niah_multikey_1", "one of four numbers in essays", "essay", "words", "numbers", 4, 1, 1},
    {"niah_multikey_2", "one number among nothing but numbers", "needle", "words", "numbers", 1, 1,
     1},
    {"niah_multikey_3", "one UUID among nothing but UUIDs, with UUIDs for keys", "needle", "uuids",
     "uuids", 1, 1, 1},
    {"niah_multivalue", "four numbers of one key in essays", "essay", "words", "numbers", 1, 4, 1},
    {"niah_multiquery", "four keys asked at once in essays", "essay", "words", "numbers", 4, 1, 4},
};

std::vector<ParameterSpec> niah_parameters(const NiahSetting& setting) {
  const std::vector<std::string> kinds = {"words", "numbers", "uuids"};
  std::vector<ParameterSpec> specs =
      filler_parameters(setting.haystack, {"noise", "essay", "needle"});
  specs.push_back({"key_type", "what keys are", std::string(setting.key_type), 0, 0, kinds});
  specs.push_back({"value_type", "what values are", std::string(setting.value_type), 0, 0, kinds});
  specs.push_back(
      {"keys", "keys in the text, at least as many as are asked", setting.keys, 1, 10000, {}});
  specs.push_back({"values", "values of each key", setting.values, 1, 1000, {}});
  specs.push_back({"queries", "keys that are asked", setting.queries, 1, 1000, {}});
  specs.push_back({"reserve", "tokens kept for the answer", kReserve, 0, 1000000, {}});
  for (ParameterSpec& spec : depth_parameters()) specs.push_back(std::move(spec));
  return specs;
}

// Draws keys and values that nothing else in the sample has.
class NeedleSource {
 public:
  NeedleSource(const TaskInputs& inputs, TextKind keys, TextKind values)
      : wording_(&inputs.wording),
        keys_(keys),
        values_(values),
        texts_(inputs.corpora.words),
        random_(inputs.entities(), "needles"),
        filler_(inputs.key, "needle haystack") {}

  Result<std::string> key() { return texts_.draw(keys_, random_); }
  Result<std::string> value() { return texts_.draw(values_, random_); }
  // A needle sentence for the haystack.
  Result<std::string> distractor() {
    TRY(const std::string key, texts_.draw(keys_, filler_));
    TRY(const std::string value, texts_.draw(values_, filler_));
    return sentence(key, value);
  }
  [[nodiscard]] std::string sentence(const std::string& key, const std::string& value) const {
    const std::string type = wording_->text(type_key(), {}, 2);
    return wording_->text("niah.needle", {{"type", type}, {"key", key}, {"value", value}});
  }
  [[nodiscard]] std::string type(int64_t count) const {
    return wording_->text(type_key(), {}, count);
  }

 private:
  [[nodiscard]] std::string type_key() const { return "niah." + std::string(to_text(values_)); }

  const Wording* wording_;
  TextKind keys_;
  TextKind values_;
  DistinctTexts texts_;
  Random random_;
  Random filler_;
};

struct Needle {
  std::string key;
  std::vector<std::string> values;
};

Result<std::vector<Needle>> draw_needles(NeedleSource& source, int64_t keys, int64_t values) {
  std::vector<Needle> needles;
  for (int64_t k = 0; k < keys; ++k) {
    Needle needle;
    TRY(needle.key, source.key());
    for (int64_t v = 0; v < values; ++v) {
      TRY(std::string value, source.value());
      needle.values.push_back(std::move(value));
    }
    needles.push_back(std::move(needle));
  }
  return needles;
}

class NiahTask : public Task {
 public:
  explicit NiahTask(const NiahSetting& setting) {
    info_.name = setting.name;
    info_.family = "niah";
    info_.description = setting.description;
    info_.spec = {"T1", "T5"};
    info_.parameters = niah_parameters(setting);
    info_.metric = Metric::kStringMatchAll;
    info_.entity_sets = true;
    info_.places_evidence = true;
    info_.texts = {
        {"niah.prompt", {"context", "type", "query"}, ""},
        {"niah.question", {"type", "query"}, ""},
        {"niah.answer_prefix", {"type", "query"}, ""},
        {"niah.needle", {"type", "key", "value"}, ""},
        {"niah.numbers", {}, ""},
        {"niah.words", {}, ""},
        {"niah.uuids", {}, ""},
    };
    info_.text_lists = {filler_closers()};
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    const Parameters& parameters = inputs.parameters;
    TRY(const TextKind key_kind, text_kind_from_text(parameters.text("key_type")));
    TRY(const TextKind value_kind, text_kind_from_text(parameters.text("value_type")));
    const auto source = std::make_shared<NeedleSource>(inputs, key_kind, value_kind);
    const int64_t queries = parameters.integer("queries");
    const int64_t values = parameters.integer("values");
    TRY(const std::vector<Needle> needles,
        draw_needles(*source, std::max(parameters.integer("keys"), queries), values));

    Draft draft;
    std::vector<std::string> asked;
    for (int64_t k = 0; k < queries; ++k) {
      asked.push_back(needles[k].key);
      for (const std::string& value : needles[k].values) draft.references.push_back(value);
    }
    const std::string query = inputs.wording.join(asked);
    const int64_t answers = queries * values;
    const std::string type = source->type(answers);
    const Wording::Values filled = {{"type", type}, {"query", query}};
    std::tie(draft.before, draft.after) =
        inputs.wording.around_context("niah.prompt", filled, answers);
    draft.question = inputs.wording.text("niah.question", filled, answers);
    draft.answer_prefix = inputs.wording.text("niah.answer_prefix", filled, answers);
    draft.reserve = parameters.integer("reserve");
    draft.haystack = haystack_name(inputs, parameters.text("haystack"));

    std::unique_ptr<Filler> filler;
    if (parameters.text("haystack") == "needle") {
      filler = make_line_filler(inputs, [source] { return source->distractor(); });
    } else {
      TRY(filler, make_filler(inputs));
    }
    draft.context = make_placed_context(
        std::move(filler), place_needles(inputs, *source, needles, queries), inputs.evidence_last);
    return draft;
  }

 private:
  static std::vector<PlacedItem> place_needles(const TaskInputs& inputs, const NeedleSource& source,
                                               const std::vector<Needle>& needles,
                                               int64_t queries) {
    std::vector<PlacedItem> items;
    const size_t count = needles.size() * needles.front().values.size();
    const std::vector<Place> places =
        draw_places(inputs.parameters, count, inputs.key, inputs.index);
    for (size_t k = 0; k < needles.size(); ++k) {
      for (const std::string& value : needles[k].values) {
        const int order = static_cast<int>(items.size());
        const bool distractor = static_cast<int64_t>(k) >= queries;
        items.push_back(whole_item(source.sentence(needles[k].key, value), places[items.size()],
                                   "needle", order, distractor, value));
      }
    }
    return items;
  }

  TaskInfo info_;
};

}  // namespace

TaskList niah_tasks() {
  TaskList list;
  for (const NiahSetting& setting : kSettings) list.push_back(std::make_unique<NiahTask>(setting));
  return list;
}

}  // namespace fathom

// Variable tracking: chains of assignments among filler; which variables end up with a value?
#include <utility>

#include "corpus/random_texts.h"
#include "task/families.h"
#include "task/filler.h"
#include "task/placed_context.h"

namespace fathom {
namespace {

constexpr int kNameLetters = 5;
constexpr int kValueDigits = 5;
constexpr int64_t kReserve = 30;
// Filler lines of the demonstration: about 500 tokens where there is room, fewer in short samples.
constexpr int64_t kMostDemonstrationLines = 14;
constexpr int64_t kTokensPerDemonstrationLine = 256;

struct Chain {
  std::string value;
  std::vector<std::string> names;  // in the order of assignment
};

Result<std::vector<Chain>> draw_chains(DistinctTexts& texts, Random& random, int64_t chains,
                                       int64_t hops) {
  std::vector<Chain> drawn;
  for (int64_t c = 0; c < chains; ++c) {
    Chain chain;
    TRY(chain.value, texts.number(kValueDigits, random));
    for (int64_t name = 0; name <= hops; ++name) {
      TRY(std::string text, texts.upper_word(kNameLetters, random));
      chain.names.push_back(std::move(text));
    }
    drawn.push_back(std::move(chain));
  }
  return drawn;
}

std::string statement(const Wording& wording, const Chain& chain, size_t hop, bool sentence) {
  const Wording::Values first = {{"name", chain.names[0]}, {"value", chain.value}};
  if (hop == 0) return wording.text(sentence ? "vt.assign_sentence" : "vt.assign", first);
  const Wording::Values copy = {{"name", chain.names[hop]}, {"source", chain.names[hop - 1]}};
  return wording.text(sentence ? "vt.copy_sentence" : "vt.copy", copy);
}

std::vector<std::string> answers_of(const TaskInputs& inputs, const Chain& asked) {
  if (inputs.hop) return {asked.value};
  return asked.names;
}

// Chain 0 is asked for, of a probe as far as its hop; each chain keeps its order in the text.
std::vector<PlacedItem> place_chains(const TaskInputs& inputs, const std::vector<Chain>& chains,
                                     RandomKey key) {
  const bool sentences = inputs.parameters.text("haystack") != "noise";
  std::vector<PlacedItem> items;
  for (size_t c = 0; c < chains.size(); ++c) {
    const Chain& chain = chains[c];
    std::vector<Place> places =
        draw_places(inputs.parameters, chain.names.size(), key.with(c), inputs.index);
    sort_places(places);
    const auto last = static_cast<size_t>(inputs.hop.value_or(INT64_MAX));
    for (size_t hop = 0; hop < chain.names.size(); ++hop) {
      PlacedItem item = whole_item(statement(inputs.wording, chain, hop, sentences), places[hop],
                                   "hop", static_cast<int>(hop), c != 0 || hop > last, "");
      ItemEvidence& evidence = item.evidence.front();
      const std::string& marked = inputs.hop && hop == 0 ? chain.value : chain.names[hop];
      const size_t at = item.text.find(marked);
      evidence.answer_bytes = {at, at + marked.size()};
      items.push_back(std::move(item));
    }
  }
  return items;
}

struct VtTexts {
  std::string before;
  std::string after;
  std::string question;
  std::string answer_prefix;
};

// A probe asks for the value of one variable, and has one answer.
VtTexts probe_texts(const Wording& wording, const std::string& name) {
  VtTexts texts;
  std::tie(texts.before, texts.after) = wording.around_context("vt.probe", {{"name", name}});
  texts.question = wording.text("vt.probe_question", {{"name", name}});
  texts.answer_prefix = wording.text("vt.probe_answer_prefix", {{"name", name}});
  return texts;
}

VtTexts texts_of(const TaskInputs& inputs, const Chain& asked) {
  const Wording& wording = inputs.wording;
  if (inputs.hop) return probe_texts(wording, asked.names[static_cast<size_t>(*inputs.hop)]);
  const auto variables = static_cast<int64_t>(asked.names.size());
  const std::string number = std::to_string(variables);
  VtTexts texts;
  std::tie(texts.before, texts.after) =
      wording.around_context("vt.prompt", {{"value", asked.value}}, variables);
  texts.question = wording.text("vt.question", {{"value", asked.value}}, variables);
  texts.answer_prefix =
      wording.text("vt.answer_prefix", {{"count", number}, {"value", asked.value}}, variables);
  return texts;
}

class VariableTrackingTask : public Task {
 public:
  VariableTrackingTask() {
    info_.name = "vt";
    info_.family = "variable_tracking";
    info_.description = "which variables are assigned a value, through a chain of assignments";
    info_.spec = {"T1"};
    info_.parameters = filler_parameters("noise", {"noise", "essay"});
    info_.parameters.push_back(
        {"chains", "chains in the text; the first is asked for", int64_t{1}, 1, 1000, {}});
    info_.parameters.push_back(
        {"hops", "assignments after the first in each chain", int64_t{4}, 0, 1000, {}});
    info_.parameters.push_back({"demonstration", "show a solved example first", true, 0, 0, {}});
    info_.parameters.push_back({"reserve", "tokens kept for the answer", kReserve, 0, 1000000, {}});
    for (ParameterSpec& spec : depth_parameters()) info_.parameters.push_back(std::move(spec));
    info_.metric = Metric::kStringMatchAll;
    info_.entity_sets = true;
    info_.places_evidence = true;
    info_.hops = "hops";
    info_.texts = {
        {"vt.prompt", {"context", "value"}, ""},      {"vt.question", {"value"}, ""},
        {"vt.answer_prefix", {"count", "value"}, ""}, {"vt.assign", {"name", "value"}, ""},
        {"vt.copy", {"name", "source"}, ""},          {"vt.assign_sentence", {"name", "value"}, ""},
        {"vt.copy_sentence", {"name", "source"}, ""}, {"vt.probe", {"context", "name"}, ""},
        {"vt.probe_question", {"name"}, ""},          {"vt.probe_answer_prefix", {"name"}, ""},
    };
    info_.text_lists = {filler_closers()};
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    const Parameters& parameters = inputs.parameters;
    DistinctTexts texts(inputs.corpora.words);
    Random random(inputs.entities(), "chains");
    TRY(const std::vector<Chain> chains,
        draw_chains(texts, random, parameters.integer("chains"), parameters.integer("hops")));
    if (inputs.hop && (*inputs.hop < 0 || *inputs.hop > parameters.integer("hops")))
      return fail(ErrorCode::kInput, "a chain of {} hops has no hop {}", parameters.integer("hops"),
                  *inputs.hop);
    const VtTexts own = texts_of(inputs, chains.front());
    Draft draft;
    draft.before = own.before;
    if (parameters.flag("demonstration")) {
      TRY(const std::string shown, demonstration(inputs, texts));
      draft.before = shown + own.before;
    }
    draft.after = own.after;
    draft.question = own.question;
    draft.answer_prefix = own.answer_prefix;
    draft.references = answers_of(inputs, chains.front());
    draft.reserve = parameters.integer("reserve");
    draft.haystack = haystack_name(inputs, parameters.text("haystack"));
    TRY(auto filler, make_filler(inputs));
    draft.context = make_placed_context(std::move(filler), place_chains(inputs, chains, inputs.key),
                                        inputs.evidence_last);
    return draft;
  }

 private:
  // A solved example of this sample's own: other names and values, at other places.
  static Result<std::string> demonstration(const TaskInputs& inputs, DistinctTexts& texts) {
    const RandomKey key = inputs.key.with("demonstration");
    Random random(key, "chains");
    TRY(const std::vector<Chain> chains,
        draw_chains(texts, random, 1, inputs.parameters.integer("hops")));
    const int64_t lines = std::clamp<int64_t>(inputs.length / kTokensPerDemonstrationLine, 2,
                                              kMostDemonstrationLines);
    TaskInputs own = inputs;
    own.key = key;
    TRY(auto filler, make_filler(own));
    const auto context = make_placed_context(std::move(filler), place_chains(own, chains, key));
    TRY(const BuiltContext built, context->build({static_cast<size_t>(lines), {}}, 4.0));
    const VtTexts own_texts = texts_of(inputs, chains.front());
    std::string shown =
        own_texts.before + built.text + own_texts.after + " " + own_texts.answer_prefix;
    for (const std::string& item : answers_of(inputs, chains.front())) shown += " " + item;
    return shown + "\n\n";
  }

  TaskInfo info_;
};

}  // namespace

TaskList variable_tracking_tasks() {
  TaskList list;
  list.push_back(std::make_unique<VariableTrackingTask>());
  return list;
}

}  // namespace fathom

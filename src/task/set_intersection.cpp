// Set intersection (T2): several word lists lie apart in a text; which words are in all of them?
// Each common and each nearly common word is evidence of its own, so that a false positive or
// negative can be explained list by list.
#include <utility>

#include "corpus/random_texts.h"
#include "task/families.h"
#include "task/filler.h"
#include "task/placed_context.h"

namespace fathom {
namespace {

struct WordSets {
  std::vector<std::string> common;  // in all lists
  std::vector<std::string> near;    // in all lists but one: number i is missing from list i modulo
                                    // the number of lists
  std::vector<std::vector<std::string>> lists;
};

enum class WordKind { kCommon, kNear, kOther };

Result<WordSets> draw_sets(const TaskInputs& inputs, RandomKey key) {
  const auto lists = static_cast<size_t>(inputs.parameters.integer("lists"));
  const auto words = static_cast<size_t>(inputs.parameters.integer("words"));
  const auto common = static_cast<size_t>(inputs.parameters.integer("common"));
  const auto near = static_cast<size_t>(inputs.parameters.integer("near"));
  if (common + near > words) {
    return fail(ErrorCode::kInput,
                "task set_intersection: {} words in a list cannot hold {} common and {} nearly "
                "common words",
                words, common, near);
  }
  DistinctTexts texts(inputs.corpora.words);
  Random random(key, "words");
  WordSets sets;
  for (size_t i = 0; i < common + near; ++i) {
    TRY(std::string word, texts.pool_word(random));
    (i < common ? sets.common : sets.near).push_back(std::move(word));
  }
  for (size_t list = 0; list < lists; ++list) {
    std::vector<std::string> own = sets.common;
    for (size_t i = 0; i < near; ++i) {
      if (i % lists != list) own.push_back(sets.near[i]);
    }
    while (own.size() < words) {
      TRY(std::string word, texts.pool_word(random));
      own.push_back(std::move(word));
    }
    random.shuffle(own);
    sets.lists.push_back(std::move(own));
  }
  return sets;
}

int place_in(const std::vector<std::string>& words, const std::string& word) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<int>(i);
  }
  return -1;
}

// The list as a sentence of the text, and the evidence in it.
PlacedItem list_item(const Wording& wording, const WordSets& sets, size_t list, Place place) {
  std::string words;
  std::vector<ItemEvidence> found;
  for (const std::string& word : sets.lists[list]) {
    if (!words.empty()) words += ", ";
    const ByteSpan span{words.size(), words.size() + word.size()};
    words += word;
    if (const int order = place_in(sets.common, word); order >= 0) {
      found.push_back({"common word", order, false, span, span});
    } else if (const int near = place_in(sets.near, word); near >= 0) {
      found.push_back({"nearly common word", near, true, span, {}});
    }
  }
  const std::string number = std::to_string(list + 1);
  PlacedItem item;
  item.text = wording.text("set_intersection.list", {{"number", number}, {"words", words}});
  item.place = place;
  item.evidence.push_back({"list", static_cast<int>(list), false, {0, item.text.size()}, {}});
  const uint64_t shift = item.text.find(words);
  for (ItemEvidence& each : found) {
    each.bytes = {each.bytes.begin + shift, each.bytes.end + shift};
    if (!each.distractor) each.answer_bytes = each.bytes;
    item.evidence.push_back(std::move(each));
  }
  return item;
}

class SetIntersectionTask : public Task {
 public:
  SetIntersectionTask() {
    info_.name = "set_intersection";
    info_.family = "set_intersection";
    info_.description = "the words that several lists, far apart in a text, have in common";
    info_.spec = {"T2"};
    info_.parameters = filler_parameters("essay", {"noise", "essay"});
    info_.parameters.push_back({"lists", "lists in the text", int64_t{3}, 2, 100, {}});
    info_.parameters.push_back({"words", "words in each list", int64_t{12}, 1, 1000, {}});
    info_.parameters.push_back(
        {"common", "words in all lists: the answer", int64_t{3}, 1, 1000, {}});
    info_.parameters.push_back({"near", "words in all lists but one", int64_t{3}, 0, 1000, {}});
    info_.parameters.push_back(
        {"twins", "samples 2i and 2i+1 differ only in the order of their lists", false, 0, 0, {}});
    info_.parameters.push_back(
        {"reserve", "tokens kept for the answer", int64_t{64}, 0, 1000000, {}});
    for (ParameterSpec& spec : depth_parameters()) info_.parameters.push_back(std::move(spec));
    info_.metric = Metric::kSetMatch;
    info_.entity_sets = true;
    info_.places_evidence = true;
    info_.texts = {
        {"set_intersection.list", {"number", "words"}, "List {number}: {words}."},
        {"set_intersection.prompt",
         {"context", "lists"},
         "The text below holds {lists} lists of words, each at a place of its own. Find them all "
         "and "
         "keep them in mind.\n\n{context}\n\nWhich words are in all {lists} lists? Give these "
         "words "
         "only, separated by commas."},
        {"set_intersection.question", {"lists"}, "Which words are in all {lists} lists?"},
        {"set_intersection.answer_prefix",
         {"lists"},
         "The words that are in all {lists} lists are:"},
    };
    info_.text_lists = {filler_closers()};
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    TaskInputs own = inputs;
    const bool twins = inputs.parameters.flag("twins");
    if (twins) own.key = inputs.cell_key.with(static_cast<uint64_t>(inputs.index / 2));
    TRY(const WordSets sets, draw_sets(own, own.entities()));

    std::vector<Place> places = draw_places(own.parameters, sets.lists.size(), own.key, own.index);
    if (twins && inputs.index % 2 == 1) std::reverse(places.begin(), places.end());
    std::vector<PlacedItem> items;
    for (size_t list = 0; list < sets.lists.size(); ++list) {
      items.push_back(list_item(own.wording, sets, list, places[list]));
    }

    const std::string lists = std::to_string(sets.lists.size());
    Draft draft;
    std::tie(draft.before, draft.after) =
        own.wording.around_context("set_intersection.prompt", {{"lists", lists}});
    draft.question = own.wording.text("set_intersection.question", {{"lists", lists}});
    draft.answer_prefix = own.wording.text("set_intersection.answer_prefix", {{"lists", lists}});
    draft.references = sets.common;
    draft.reserve = own.parameters.integer("reserve");
    draft.haystack = haystack_name(own, own.parameters.text("haystack"));
    TRY(auto filler, make_filler(own));
    draft.context = make_placed_context(std::move(filler), std::move(items), inputs.evidence_last);
    return draft;
  }

 private:
  TaskInfo info_;
};

}  // namespace

TaskList set_intersection_tasks() {
  TaskList list;
  list.push_back(std::make_unique<SetIntersectionTask>());
  return list;
}

}  // namespace fathom

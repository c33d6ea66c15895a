// Questions over documents: SQuAD's, HotpotQA's, and those of fathom's own encyclopaedia.
#include <algorithm>
#include <utility>

#include "task/documents_context.h"
#include "task/families.h"
#include "task/filler.h"

namespace fathom {
namespace {

constexpr int64_t kReserve = 32;
constexpr size_t kSpareDocuments = 40;
constexpr size_t kMostBytesPerToken = 12;
constexpr size_t kShortestChecked = 3;  // bytes; shorter answers stand everywhere

struct QuestionSetting {
  const char* name;
  const char* description;
  const char* corpus;   // that the user must give
  const char* shape;    // of its file
  const char* instead;  // the task that needs no file
  bool titles;
  std::shared_ptr<const QuestionSet> (*set)(const Corpora& corpora);
};

const QuestionSetting kSettings[] = {
    {"qa_1", "questions with one supporting paragraph, from a SQuAD-shaped file", "squad", "SQuAD",
     "qa_encyclopaedia_1hop", false, [](const Corpora& corpora) { return corpora.squad; }},
    {"qa_2", "questions with two supporting documents, from a HotpotQA-shaped file", "hotpotqa",
     "HotpotQA", "qa_encyclopaedia_2hop", true,
     [](const Corpora& corpora) { return corpora.hotpotqa; }},
    {"qa_encyclopaedia_1hop", "questions about one article of an invented encyclopaedia", "", "",
     "", true, [](const Corpora& corpora) { return corpora.encyclopaedia().single_hop; }},
    {"qa_encyclopaedia_2hop", "questions through two articles of an invented encyclopaedia", "", "",
     "", true, [](const Corpora& corpora) { return corpora.encyclopaedia().two_hop; }},
};

bool holds_answer(const Document& document, const Question& question) {
  return std::any_of(
      question.answers.begin(), question.answers.end(), [&](const std::string& answer) {
        return answer.size() >= kShortestChecked && document.text.find(answer) != std::string::npos;
      });
}

class QuestionTask : public Task {
 public:
  explicit QuestionTask(const QuestionSetting& setting) : setting_(setting) {
    info_.name = setting.name;
    info_.family = "questions";
    info_.description = setting.description;
    info_.spec = {"T1", "T6"};
    info_.parameters = {
        {"related",
         "put documents offered with the question first among the distractors",
         true,
         0,
         0,
         {}},
        {"answer_elsewhere", "let distractors hold the answer's text too", false, 0, 0, {}},
        {"reserve", "tokens kept for the answer", kReserve, 0, 1000000, {}},
    };
    for (ParameterSpec& spec : depth_parameters()) info_.parameters.push_back(std::move(spec));
    info_.metric = Metric::kStringMatchPart;
    info_.places_evidence = true;
    info_.corpus = setting.corpus;
    info_.texts = {
        {"qa.prompt", {"context", "query"}, ""},
        {"qa.answer_prefix", {}, ""},
        {"qa.document", {"number", "text"}, ""},
    };
    info_.text_lists = {filler_closers()};
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    const std::shared_ptr<const QuestionSet> set = setting_.set(inputs.corpora);
    if (set == nullptr) {
      return fail(ErrorCode::kInput,
                  "task {0}: it needs a {1}-shaped file; name it as corpus '{2}' (suite: corpora: "
                  "{{{2}: FILE.json}}), or use the task {3}, which needs none",
                  info_.name, setting_.shape, setting_.corpus, setting_.instead);
    }
    Draft draft;
    const Question& question = choose(*set, inputs, draft.notes);
    TRY(DocumentsPlan plan, plan_documents(*set, question, inputs));
    draft.references = question.answers;
    draft.question = question.text;
    std::tie(draft.before, draft.after) =
        inputs.wording.around_context("qa.prompt", {{"query", question.text}});
    draft.answer_prefix = inputs.wording.text("qa.answer_prefix", {});
    draft.reserve = inputs.parameters.integer("reserve");
    draft.haystack = fmt::format("documents:{}:{:016x}", set->info().name, inputs.key.value());
    if (inputs.evidence_last) plan.places.assign(plan.places.size(), end_of_context());
    draft.context = make_documents_context(std::move(plan));
    return draft;
  }

 private:
  // Each question once, in an order of this suite's own, before any comes again.
  static const Question& choose(const QuestionSet& set, const TaskInputs& inputs,
                                std::vector<std::string>& notes) {
    const auto count = static_cast<int64_t>(set.questions().size());
    std::vector<uint32_t> order(set.questions().size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
    Random(inputs.cell_key, "questions").shuffle(order);
    if (inputs.index >= count) {
      notes.push_back(fmt::format("question asked {} times before: there are only {}",
                                  inputs.index / count, count));
    }
    return set.questions()[order[static_cast<size_t>(inputs.index % count)]];
  }

  Result<DocumentsPlan> plan_documents(const QuestionSet& set, const Question& question,
                                       const TaskInputs& inputs) const {
    DocumentsPlan plan;
    plan.set = &set;
    plan.question = &question;
    plan.wording = &inputs.wording;
    plan.titles = setting_.titles;
    plan.places = draw_places(inputs.parameters, question.gold.size(), inputs.key, inputs.index);

    TRY_VOID(choose_distractors(question, inputs, plan));
    return plan;
  }

  // Related documents first, then others in an order of this sample's own: as many as the length
  // can hold, so that a longer sample continues a shorter one.
  Result<void> choose_distractors(const Question& question, const TaskInputs& inputs,
                                  DocumentsPlan& plan) const {
    const std::vector<Document>& documents = plan.set->documents();
    std::vector<bool> taken(documents.size(), false);
    for (const DocumentId id : question.gold) taken[id] = true;
    const bool anywhere = inputs.parameters.flag("answer_elsewhere");
    const size_t enough = static_cast<size_t>(inputs.length) * kMostBytesPerToken;
    size_t bytes = 0;
    const auto add = [&](DocumentId id) {
      if (taken[id]) return;
      taken[id] = true;
      if (!anywhere && holds_answer(documents[id], question)) return;
      if (bytes > enough) {
        plan.spare.push_back(id);
        return;
      }
      plan.distractors.push_back(id);
      bytes += documents[id].text.size();
    };
    Random random(inputs.key, "documents");
    if (inputs.parameters.flag("related")) {
      std::vector<DocumentId> related = question.related;
      random.shuffle(related);
      for (const DocumentId id : related) add(id);
    }
    std::vector<DocumentId> others(documents.size());
    for (size_t i = 0; i < others.size(); ++i) others[i] = static_cast<DocumentId>(i);
    random.shuffle(others);
    for (size_t i = 0; i < others.size() && plan.spare.size() < kSpareDocuments; ++i)
      add(others[i]);
    if (plan.distractors.empty()) {
      return fail(ErrorCode::kInput, "task {}: {} has no document without the answer to '{}'",
                  info_.name, plan.set->info().source, question.id);
    }
    if (plan.spare.empty()) {
      const size_t spare = std::min(kSpareDocuments, plan.distractors.size());
      plan.spare.assign(plan.distractors.end() - static_cast<ptrdiff_t>(spare),
                        plan.distractors.end());
    }
    return {};
  }

  QuestionSetting setting_;
  TaskInfo info_;
};

}  // namespace

TaskList question_tasks() {
  TaskList list;
  for (const QuestionSetting& setting : kSettings) {
    list.push_back(std::make_unique<QuestionTask>(setting));
  }
  return list;
}

}  // namespace fathom

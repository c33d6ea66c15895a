#include "results/grader_agreement.h"

#include <unordered_map>

#include "base/threads.h"
#include "grade/score.h"
#include "stats/interval.h"

namespace fathom {
namespace {

struct Graded {
  const SampleFacts* facts = nullptr;
  std::string_view answer;
};

class AnswerBook {
 public:
  AnswerBook(std::span<const SampleFacts> samples, std::span<const Attempt> attempts) {
    for (const SampleFacts& facts : samples) samples_.emplace(facts.id, &facts);
    for (const Attempt& attempt : attempts)
      if (attempt.number == 0) attempts_[attempt.sample_id] = &attempt;
  }

  [[nodiscard]] Result<Graded> of(const LabelledReply& reply) const {
    if (reply.answer) return Graded{&reply.facts, *reply.answer};
    const auto sample = samples_.find(reply.id);
    if (sample == samples_.end())
      return fail(ErrorCode::kInput, "{}: the run has no sample '{}'", reply.where, reply.id);
    const auto attempt = attempts_.find(reply.id);
    if (attempt == attempts_.end() || !is_complete(attempt->second->outcome))
      return fail(ErrorCode::kInput,
                  "{}: sample '{}' has no answer in this run; label samples that were answered",
                  reply.where, reply.id);
    if (sample->second->references.empty())
      return fail(ErrorCode::kInput, "{}: sample '{}' has no references", reply.where, reply.id);
    return Graded{sample->second, attempt->second->reply.text};
  }

 private:
  std::unordered_map<std::string_view, const SampleFacts*> samples_;
  std::unordered_map<std::string_view, const Attempt*> attempts_;
};

ReadingAgreement agreement_of(const std::vector<JudgedReply>& replies,
                              double JudgedReply::*reading) {
  std::vector<size_t> labels;
  std::vector<size_t> grades;
  for (const JudgedReply& reply : replies) {
    labels.push_back(label_class(reply.label));
    grades.push_back(label_class(reply.*reading));
  }
  ReadingAgreement agreement;
  agreement.confusion = confusion_matrix(labels, grades, kLabelClasses);
  agreement.accuracy = accuracy(agreement.confusion);
  agreement.kappa = cohens_kappa(agreement.confusion);
  return agreement;
}

Json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value},
          {"low", estimate.low},
          {"high", estimate.high},
          {"n", estimate.n},
          {"method", std::string(to_text(estimate.method))}};
}

Json reading_json(const ReadingAgreement& agreement) {
  Json confusion = Json::object();
  for (size_t label = 0; label < kLabelClasses; ++label) {
    Json& row = confusion[std::string(label_class_name(label))] = Json::object();
    for (size_t grade = 0; grade < kLabelClasses; ++grade)
      row[std::string(label_class_name(grade))] = agreement.confusion.at(label, grade);
  }
  return {{"accuracy", estimate_json(agreement.accuracy)},
          {"kappa", estimate_json(agreement.kappa)},
          {"confusion", std::move(confusion)}};
}

}  // namespace

size_t label_class(double score) {
  if (score <= 0) return 0;
  return score < 1 ? 1 : 2;
}

std::string_view label_class_name(size_t label_class) {
  constexpr std::string_view kNames[kLabelClasses] = {"wrong", "partly", "right"};
  return kNames[label_class];
}

bool agrees(const JudgedReply& reply) {
  return label_class(reply.label) == label_class(reply.strict);
}

bool miss_agrees(const JudgedReply& reply) {
  return !reply.labelled_miss || (reply.miss && reply.miss->kind == *reply.labelled_miss);
}

Result<GraderAgreement> grader_agreement(std::span<const LabelledReply> labels,
                                         std::span<const SampleFacts> samples,
                                         std::span<const Attempt> attempts, int threads) {
  const AnswerBook book(samples, attempts);
  std::vector<Graded> graded;
  for (const LabelledReply& label : labels) {
    TRY(graded.emplace_back(), book.of(label));
  }
  GraderAgreement agreement;
  agreement.replies.resize(labels.size());
  parallel_for(labels.size(), threads, [&](size_t i) {
    const SampleFacts& facts = *graded[i].facts;
    Score score = grade(facts.metric, graded[i].answer, facts.references, facts.expectation);
    JudgedReply& reply = agreement.replies[i];
    reply.id = labels[i].id.empty() ? labels[i].where : labels[i].id;
    reply.task = facts.task;
    reply.answer = graded[i].answer;
    reply.label = labels[i].label;
    reply.official = score.official;
    reply.strict = score.strict;
    reply.labelled_miss = labels[i].miss;
    if (!score.misses.empty()) reply.miss = std::move(score.misses.front());
  });
  agreement.official = agreement_of(agreement.replies, &JudgedReply::official);
  agreement.strict = agreement_of(agreement.replies, &JudgedReply::strict);
  for (const JudgedReply& reply : agreement.replies) {
    if (!reply.labelled_miss) continue;
    ++agreement.misses_labelled;
    agreement.misses_agreed += miss_agrees(reply) ? 1 : 0;
  }
  if (agreement.misses_labelled > 0)
    agreement.miss_accuracy =
        wilson(static_cast<double>(agreement.misses_agreed), agreement.misses_labelled);
  return agreement;
}

Json agreement_json(const GraderAgreement& agreement) {
  Json replies = Json::array();
  for (const JudgedReply& reply : agreement.replies) {
    Json& row = replies.emplace_back(Json{{"id", reply.id},
                                          {"task", reply.task},
                                          {"label", reply.label},
                                          {"official", reply.official},
                                          {"strict", reply.strict}});
    if (reply.labelled_miss) row["labelled_miss"] = to_text(*reply.labelled_miss);
    if (reply.miss) {
      row["miss"] = to_text(reply.miss->kind);
      row["detail"] = reply.miss->detail;
    }
    if (!agrees(reply) || !miss_agrees(reply)) row["answer"] = reply.answer;
  }
  Json json = {{"labels", agreement.replies.size()},
               {"official", reading_json(agreement.official)},
               {"strict", reading_json(agreement.strict)},
               {"misses", nullptr},
               {"replies", std::move(replies)}};
  if (agreement.misses_labelled > 0)
    json["misses"] = {{"labelled", agreement.misses_labelled},
                      {"agreed", agreement.misses_agreed},
                      {"accuracy", estimate_json(agreement.miss_accuracy)}};
  return json;
}

}  // namespace fathom

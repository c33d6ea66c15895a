#include "results/label_file.h"

#include "grade/expectation_json.h"
#include "io/json_fields.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

constexpr double kPartly = 0.5;

Result<double> label_from(const JsonFields& fields) {
  simdjson::dom::element found;
  double label = -1;
  std::string_view word;
  if (fields.json().at_key("label").get(found) == simdjson::SUCCESS) {
    if (found.get(label) == simdjson::SUCCESS && label >= 0 && label <= 1) return label;
    if (found.get(word) == simdjson::SUCCESS) {
      if (word == "right") return 1;
      if (word == "wrong") return 0;
      if (word == "partly") return kPartly;
    }
  }
  return fail(
      fields.wrong("label", "a number within 0 and 1, or \"right\", \"wrong\" or \"partly\""));
}

Result<void> read_answer(const JsonFields& fields, LabelledReply& reply) {
  TRY(reply.answer, fields.text("answer"));
  SampleFacts& facts = reply.facts;
  facts.id = reply.id;
  TRY(facts.task, fields.text("task"));
  facts.cell = facts.task;
  TRY(const std::string metric, fields.text("metric"));
  TRY_CONTEXT(facts.metric, metric_from_text(metric), std::string(fields.where()));
  TRY(facts.references, fields.texts("references"));
  if (facts.references.empty())
    return fail(ErrorCode::kInput, "{}: key 'references' is empty", fields.where());
  if (fields.has("expects")) {
    TRY(const JsonFields expects, fields.object("expects"));
    TRY(facts.expectation, expectation_from_json(expects));
  }
  return {};
}

Result<LabelledReply> reply_from(std::string_view text, const std::string& where) {
  TRY(const JsonFields fields, parse_fields(text, where));
  LabelledReply reply;
  reply.where = where;
  if (fields.has("id")) {
    TRY(reply.id, fields.text("id"));
  }
  TRY(reply.label, label_from(fields));
  if (fields.has("miss")) {
    TRY(const std::string miss, fields.text("miss"));
    TRY_CONTEXT(reply.miss, miss_from_text(miss), where);
  }
  if (fields.has("answer")) {
    TRY_VOID(read_answer(fields, reply));
  } else if (reply.id.empty()) {
    return fail(ErrorCode::kInput,
                "{}: a label needs the 'id' of a sample, or an 'answer' with 'task', 'metric' and "
                "'references'",
                where);
  }
  return reply;
}

}  // namespace

Result<std::vector<LabelledReply>> read_labels(const std::string& path) {
  std::vector<LabelledReply> replies;
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    TRY(replies.emplace_back(), reply_from(text, fmt::format("{}:{}", path, number)));
    return {};
  }));
  if (replies.empty()) return fail(ErrorCode::kInput, "{}: it holds no labels", path);
  return replies;
}

}  // namespace fathom

#include "results/label_file.h"

#include "grade/expectation_json.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

constexpr double kPartly = 0.5;

Result<double> label_from(const JsonReader& reader) {
  const Json& json = reader.json();
  const auto found = json.find("label");
  if (found != json.end() && found->is_number()) {
    const auto label = found->get<double>();
    if (label >= 0 && label <= 1) return label;
  } else if (found != json.end() && found->is_string()) {
    const auto word = found->get<std::string>();
    if (word == "right") return 1;
    if (word == "wrong") return 0;
    if (word == "partly") return kPartly;
  }
  return fail(ErrorCode::kInput,
              "{}: key 'label' must be a number within 0 and 1, or \"right\", \"wrong\" or "
              "\"partly\"",
              reader.where());
}

Result<void> read_answer(const JsonReader& reader, LabelledReply& reply) {
  TRY(reply.answer, reader.text("answer"));
  SampleFacts& facts = reply.facts;
  facts.id = reply.id;
  TRY(facts.task, reader.text("task"));
  facts.cell = facts.task;
  TRY(const std::string metric, reader.text("metric"));
  TRY_CONTEXT(facts.metric, metric_from_text(metric), reader.where());
  TRY(facts.references, reader.texts("references"));
  if (facts.references.empty())
    return fail(ErrorCode::kInput, "{}: key 'references' is empty", reader.where());
  if (reader.has("expects")) {
    TRY(const JsonReader expects, reader.object("expects"));
    TRY(facts.expectation, expectation_from_json(expects));
  }
  return {};
}

Result<LabelledReply> reply_from(std::string_view text, const std::string& where) {
  TRY(const Json json, parse_json(text, where));
  TRY(const JsonReader reader, JsonReader::of(json, where));
  LabelledReply reply;
  reply.where = where;
  if (reader.has("id")) {
    TRY(reply.id, reader.text("id"));
  }
  TRY(reply.label, label_from(reader));
  if (reader.has("miss")) {
    TRY(const std::string miss, reader.text("miss"));
    TRY_CONTEXT(reply.miss, miss_from_text(miss), where);
  }
  if (reader.has("answer")) {
    TRY_VOID(read_answer(reader, reply));
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

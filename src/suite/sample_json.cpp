#include "suite/sample_json.h"

#include "io/json.h"
#include "io/json_fields.h"
#include "io/json_text.h"
#include "suite/variant_json.h"

namespace fathom {
namespace {

Json span_json(ByteSpan span) { return Json::array({span.begin, span.end}); }
Json span_json(TokenSpan span) { return Json::array({span.begin, span.end}); }

Json evidence_json(const Evidence& evidence) {
  Json json;
  json["role"] = evidence.role;
  json["order"] = evidence.order;
  json["distractor"] = evidence.distractor;
  json["bytes"] = span_json(evidence.bytes);
  json["tokens"] = span_json(evidence.tokens);
  json["answer_bytes"] = span_json(evidence.answer_bytes);
  json["depth"] = evidence.depth;
  return json;
}

Json parameters_json(const Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters.all()) {
    std::visit([&, &key = name](const auto& each) { json[key] = each; }, value);
  }
  return json;
}

// The fields without the long text, in order; the prompt goes in before "answer_prefix".
Json before_prompt(const Sample& sample) {
  Json json;
  json["id"] = sample.id;
  json["task"] = sample.task;
  json["cell"] = sample.cell;
  json["length"] = sample.length;
  json["index"] = sample.index;
  json["seed"] = sample.seed;
  json["parameters"] = parameters_json(sample.parameters);
  json["metric"] = to_text(sample.metric);
  json["references"] = sample.references;
  json["tokens"] = {{"prompt", sample.tokens.prompt},
                    {"reserve", sample.tokens.reserve},
                    {"total", sample.tokens.total},
                    {"prefix", sample.tokens.prefix},
                    {"context", sample.tokens.context}};
  json["off_by"] = sample.off_by;
  Json evidence = Json::array();
  for (const Evidence& each : sample.evidence) evidence.push_back(evidence_json(each));
  json["evidence"] = std::move(evidence);
  Json messages = Json::array();
  for (const SampleMessage& message : sample.messages) {
    messages.push_back({{"role", to_text(message.role)}, {"bytes", span_json(message.bytes)}});
  }
  json["messages"] = std::move(messages);
  json["context"] = span_json(sample.context);
  json["question"] = sample.question;
  json["notes"] = sample.notes;
  json["haystack"] = sample.haystack;
  if (!sample.variant.ordinary()) {
    json["variant"] = variant_json(sample.variant);
  }
  json["hash"] = sample.hash();
  return json;
}

Result<Parameters> read_parameters(const JsonFields& fields) {
  Parameters parameters;
  TRY(const JsonFields members, fields.object("parameters"));
  for (const auto& [key, value] : members.json()) {
    const std::string name(key);
    switch (value.type()) {
      case simdjson::dom::element_type::BOOL:
        parameters.set(name, bool(value));
        break;
      case simdjson::dom::element_type::INT64:
        parameters.set(name, int64_t(value));
        break;
      case simdjson::dom::element_type::DOUBLE:
        parameters.set(name, double(value));
        break;
      case simdjson::dom::element_type::STRING:
        parameters.set(name, std::string(std::string_view(value)));
        break;
      default:
        return fail(members.wrong(key, "true, false, a number or a string"));
    }
  }
  return parameters;
}

Result<Evidence> read_evidence(const JsonFields& fields, uint64_t bytes, uint64_t tokens) {
  Evidence evidence;
  TRY(evidence.role, fields.text("role"));
  TRY(evidence.bytes, fields.span<ByteSpan>("bytes", bytes));
  TRY(evidence.tokens, fields.span<TokenSpan>("tokens", tokens));
  if (fields.has("order")) {
    TRY(const int64_t order, fields.count("order"));
    if (order > INT32_MAX) return fail(fields.wrong("order", "a small integer"));
    evidence.order = static_cast<int>(order);
  }
  if (fields.has("distractor")) {
    TRY(evidence.distractor, fields.boolean("distractor"));
  }
  if (fields.has("answer_bytes")) {
    TRY(evidence.answer_bytes, fields.span<ByteSpan>("answer_bytes", bytes));
  }
  if (fields.has("depth")) {
    TRY(evidence.depth, fields.number("depth"));
    if (!(evidence.depth >= 0 && evidence.depth <= 1)) {
      return fail(fields.wrong("depth", "between 0 and 1"));
    }
  }
  return evidence;
}

Result<MessageRole> read_role(const JsonFields& fields) {
  TRY(const std::string text, fields.text("role"));
  for (const MessageRole role :
       {MessageRole::kSystem, MessageRole::kUser, MessageRole::kAssistant}) {
    if (text == to_text(role)) return role;
  }
  return fail(fields.wrong("role", "system, user or assistant"));
}

Result<SampleTokens> read_tokens(const JsonFields& fields) {
  TRY(const JsonFields counts, fields.object("tokens"));
  SampleTokens tokens;
  TRY(tokens.prompt, counts.count("prompt"));
  TRY(tokens.reserve, counts.count("reserve"));
  TRY(tokens.total, counts.count("total"));
  if (counts.has("prefix")) {
    TRY(tokens.prefix, counts.count("prefix"));
  }
  if (counts.has("context")) {
    TRY(tokens.context, counts.count("context"));
  }
  return tokens;
}

// What the sample is, without its texts and places.
Result<Sample> read_identity(const JsonFields& fields) {
  Sample sample;
  TRY(sample.id, fields.text("id"));
  TRY(sample.task, fields.text("task"));
  TRY(sample.length, fields.count("length"));
  sample.cell = sample.task;
  if (fields.has("cell")) {
    TRY(sample.cell, fields.text("cell"));
  }
  if (fields.has("index")) {
    TRY(sample.index, fields.count("index"));
  }
  if (fields.has("seed")) {
    TRY(sample.seed, fields.natural("seed"));
  }
  if (fields.has("parameters")) {
    TRY(sample.parameters, read_parameters(fields));
  }
  if (fields.has("metric")) {
    TRY(const std::string name, fields.text("metric"));
    auto metric = metric_from_text(name);
    if (!metric) return fail(fields.wrong("metric", metric.error().message));
    sample.metric = *metric;
  }
  if (fields.has("off_by")) {
    TRY(sample.off_by, fields.integer("off_by"));
  }
  if (fields.has("question")) {
    TRY(sample.question, fields.text("question"));
  }
  if (fields.has("notes")) {
    TRY(sample.notes, fields.texts("notes"));
  }
  if (fields.has("haystack")) {
    TRY(sample.haystack, fields.text("haystack"));
  }
  if (fields.has("variant")) {
    TRY(const JsonFields variant, fields.object("variant"));
    TRY(sample.variant, variant_from_json(variant));
  }
  return sample;
}

Result<void> read_places(const JsonFields& fields, Sample& sample) {
  const uint64_t bytes = sample.prompt.size() + sample.answer_prefix.size();
  const auto tokens = static_cast<uint64_t>(sample.tokens.prompt);
  TRY(const auto evidence, fields.objects("evidence"));
  for (const JsonFields& each : evidence) {
    TRY(Evidence one, read_evidence(each, bytes, tokens));
    sample.evidence.push_back(std::move(one));
  }
  if (fields.has("context")) {
    TRY(sample.context, fields.span<ByteSpan>("context", bytes));
  }
  if (!fields.has("messages")) {
    sample.messages = {{MessageRole::kUser, {0, sample.prompt.size()}}};
    return {};
  }
  TRY(const auto messages, fields.objects("messages"));
  for (const JsonFields& each : messages) {
    TRY(const MessageRole role, read_role(each));
    TRY(const ByteSpan span, each.span<ByteSpan>("bytes", sample.prompt.size()));
    sample.messages.push_back({role, span});
  }
  return {};
}

Result<Sample> read_sample(const JsonFields& fields, const std::string& where) {
  TRY(Sample sample, read_identity(fields));
  TRY(sample.prompt, fields.text("prompt"));
  TRY(sample.answer_prefix, fields.text("answer_prefix"));
  TRY(sample.references, fields.texts("references"));
  TRY(sample.tokens, read_tokens(fields));
  TRY_VOID(read_places(fields, sample));
  if (fields.has("hash")) {
    TRY(const std::string hash, fields.text("hash"));
    if (hash != sample.hash()) {
      return fail(ErrorCode::kInput,
                  "{}: sample '{}' was changed: its hash is {}, the file says {}; make the dataset "
                  "again",
                  where, sample.id, sample.hash(), hash);
    }
  }
  return sample;
}

}  // namespace

std::string sample_to_json(const Sample& sample) {
  std::string line = to_json_line(before_prompt(sample));
  line.pop_back();
  line.reserve(line.size() + sample.prompt.size() + sample.prompt.size() / 16 + 64);
  line += ",\"answer_prefix\":";
  append_json_text(line, sample.answer_prefix);
  line += ",\"prompt\":";
  append_json_text(line, sample.prompt);
  line += '}';
  return line;
}

Result<Sample> sample_from_json(std::string_view text, const std::string& where) {
  TRY(const JsonFields fields, parse_fields(text, where));
  return read_sample(fields, where);
}

}  // namespace fathom

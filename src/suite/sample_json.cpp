#include "suite/sample_json.h"

#include <simdjson.h>

#include <cmath>

#include "io/json.h"
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

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;

// Members of one object by name and type, with the key's path in messages.
class Fields {
 public:
  Fields(Object object, std::string where, std::string path)
      : object_(object), where_(std::move(where)), path_(std::move(path)) {}

  [[nodiscard]] bool has(std::string_view key) const {
    Element element;
    return object_.at_key(key).get(element) == simdjson::SUCCESS && !element.is_null();
  }

  [[nodiscard]] Result<Element> element(std::string_view key) const {
    Element element;
    if (object_.at_key(key).get(element) != simdjson::SUCCESS) {
      return fail(ErrorCode::kInput, "{}: key '{}{}' is missing", where_, path_, key);
    }
    return element;
  }

  [[nodiscard]] Error wrong(std::string_view key, std::string_view wanted) const {
    return {ErrorCode::kInput,
            fmt::format("{}: key '{}{}' must be {}", where_, path_, key, wanted)};
  }

  [[nodiscard]] Result<std::string> text(std::string_view key) const {
    TRY(const Element found, element(key));
    std::string_view value;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "a string"));
    return std::string(value);
  }

  [[nodiscard]] Result<int64_t> integer(std::string_view key) const {
    TRY(const Element found, element(key));
    int64_t value = 0;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "an integer"));
    return value;
  }

  [[nodiscard]] Result<int64_t> count(std::string_view key) const {
    TRY(const int64_t value, integer(key));
    if (value < 0) return fail(wrong(key, "0 or more"));
    return value;
  }

  [[nodiscard]] Result<uint64_t> natural(std::string_view key) const {
    TRY(const Element found, element(key));
    uint64_t value = 0;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "an integer of 0 or more"));
    return value;
  }

  [[nodiscard]] Result<double> number(std::string_view key) const {
    TRY(const Element found, element(key));
    double value = 0;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "a number"));
    return value;
  }

  [[nodiscard]] Result<bool> boolean(std::string_view key) const {
    TRY(const Element found, element(key));
    bool value = false;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "true or false"));
    return value;
  }

  [[nodiscard]] Result<simdjson::dom::array> array(std::string_view key) const {
    TRY(const Element found, element(key));
    simdjson::dom::array value;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "a list"));
    return value;
  }

  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) const {
    TRY(const auto items, array(key));
    std::vector<std::string> values;
    for (const Element item : items) {
      std::string_view value;
      if (item.get(value) != simdjson::SUCCESS) return fail(wrong(key, "a list of strings"));
      values.emplace_back(value);
    }
    return values;
  }

  // [begin, end] with begin <= end <= limit.
  template <typename Span>
  [[nodiscard]] Result<Span> span(std::string_view key, uint64_t limit) const {
    TRY(const auto items, array(key));
    std::vector<uint64_t> ends;
    for (const Element item : items) {
      uint64_t value = 0;
      if (item.get(value) != simdjson::SUCCESS || ends.size() == 2) {
        return fail(wrong(key, "a list of two integers [begin, end]"));
      }
      ends.push_back(value);
    }
    if (ends.size() != 2 || ends[0] > ends[1] || ends[1] > limit) {
      return fail(wrong(key, fmt::format("[begin, end] with begin <= end <= {}", limit)));
    }
    return Span{ends[0], ends[1]};
  }

  [[nodiscard]] Result<Fields> object(std::string_view key) const {
    TRY(const Element found, element(key));
    Object value;
    if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, "an object"));
    return Fields(value, where_, fmt::format("{}{}.", path_, key));
  }

  // The members of a list of objects.
  [[nodiscard]] Result<std::vector<Fields>> objects(std::string_view key) const {
    TRY(const auto items, array(key));
    std::vector<Fields> fields;
    for (const Element item : items) {
      Object value;
      if (item.get(value) != simdjson::SUCCESS) return fail(wrong(key, "a list of objects"));
      fields.emplace_back(value, where_, fmt::format("{}{}[{}].", path_, key, fields.size()));
    }
    return fields;
  }

  [[nodiscard]] const Object& json() const { return object_; }

 private:
  Object object_;
  std::string where_;
  std::string path_;
};

Result<Parameters> read_parameters(const Fields& fields) {
  Parameters parameters;
  TRY(const Fields members, fields.object("parameters"));
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

Result<Evidence> read_evidence(const Fields& fields, uint64_t bytes, uint64_t tokens) {
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

Result<MessageRole> read_role(const Fields& fields) {
  TRY(const std::string text, fields.text("role"));
  for (const MessageRole role :
       {MessageRole::kSystem, MessageRole::kUser, MessageRole::kAssistant}) {
    if (text == to_text(role)) return role;
  }
  return fail(fields.wrong("role", "system, user or assistant"));
}

Result<SampleTokens> read_tokens(const Fields& fields) {
  TRY(const Fields counts, fields.object("tokens"));
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

Result<SampleVariant> read_variant(const Fields& fields) {
  TRY(const Fields members, fields.object("variant"));
  SampleVariant variant;
  TRY(const std::string axis, members.text("axis"));
  auto known = variant_axis_from_text(axis);
  if (!known) return fail(members.wrong("axis", "control, wording, seed, entities or instruction"));
  variant.axis = *known;
  TRY(variant.value, members.text("value"));
  TRY(variant.of, members.text("of"));
  return variant;
}

// What the sample is, without its texts and places.
Result<Sample> read_identity(const Fields& fields) {
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
    TRY(sample.variant, read_variant(fields));
  }
  return sample;
}

Result<void> read_places(const Fields& fields, Sample& sample) {
  const uint64_t bytes = sample.prompt.size() + sample.answer_prefix.size();
  const auto tokens = static_cast<uint64_t>(sample.tokens.prompt);
  TRY(const auto evidence, fields.objects("evidence"));
  for (const Fields& each : evidence) {
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
  for (const Fields& each : messages) {
    TRY(const MessageRole role, read_role(each));
    TRY(const ByteSpan span, each.span<ByteSpan>("bytes", sample.prompt.size()));
    sample.messages.push_back({role, span});
  }
  return {};
}

Result<Sample> read_sample(const Fields& fields, const std::string& where) {
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
  thread_local simdjson::dom::parser parser;
  Element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root)) {
    return fail(ErrorCode::kInput, "{}: not JSON: {}", where, simdjson::error_message(error));
  }
  Object object;
  if (root.get(object) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInput, "{}: a sample must be a JSON object", where);
  }
  return read_sample(Fields(object, where, ""), where);
}

}  // namespace fathom

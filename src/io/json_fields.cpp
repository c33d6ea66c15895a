#include "io/json_fields.h"

#include <utility>

namespace fathom {

using Element = simdjson::dom::element;

bool JsonFields::has(std::string_view key) const {
  Element element;
  return object_.at_key(key).get(element) == simdjson::SUCCESS && !element.is_null();
}

Result<Element> JsonFields::element(std::string_view key) const {
  Element element;
  if (object_.at_key(key).get(element) != simdjson::SUCCESS)
    return fail(ErrorCode::kInput, "{}: key '{}{}' is missing", where_, path_, key);
  return element;
}

Error JsonFields::wrong(std::string_view key, std::string_view wanted) const {
  return {ErrorCode::kInput, fmt::format("{}: key '{}{}' must be {}", where_, path_, key, wanted)};
}

template <typename Value>
Result<Value> JsonFields::value(std::string_view key, std::string_view wanted) const {
  TRY(const Element found, element(key));
  Value value{};
  if (found.get(value) != simdjson::SUCCESS) return fail(wrong(key, wanted));
  return value;
}

Result<std::string> JsonFields::text(std::string_view key) const {
  TRY(const auto text, value<std::string_view>(key, "a string"));
  return std::string(text);
}

Result<int64_t> JsonFields::integer(std::string_view key) const {
  return value<int64_t>(key, "a whole number");
}

Result<int64_t> JsonFields::count(std::string_view key) const {
  TRY(const int64_t count, integer(key));
  if (count < 0) return fail(wrong(key, "0 or more"));
  return count;
}

Result<uint64_t> JsonFields::natural(std::string_view key) const {
  return value<uint64_t>(key, "a whole number of 0 or more");
}

Result<double> JsonFields::number(std::string_view key) const {
  return value<double>(key, "a number");
}

Result<bool> JsonFields::boolean(std::string_view key) const {
  return value<bool>(key, "true or false");
}

Result<simdjson::dom::array> JsonFields::array(std::string_view key) const {
  return value<simdjson::dom::array>(key, "a list");
}

Result<std::vector<std::string>> JsonFields::texts(std::string_view key) const {
  TRY(const auto items, array(key));
  std::vector<std::string> texts;
  texts.reserve(items.size());
  for (const Element item : items) {
    std::string_view text;
    if (item.get(text) != simdjson::SUCCESS) return fail(wrong(key, "a list of strings"));
    texts.emplace_back(text);
  }
  return texts;
}

Result<JsonFields> JsonFields::object(std::string_view key) const {
  TRY(const auto object, value<simdjson::dom::object>(key, "an object"));
  return JsonFields(object, where_, fmt::format("{}{}.", path_, key));
}

Result<std::vector<JsonFields>> JsonFields::objects(std::string_view key) const {
  TRY(const auto items, array(key));
  std::vector<JsonFields> objects;
  for (const Element item : items) {
    simdjson::dom::object object;
    if (item.get(object) != simdjson::SUCCESS) return fail(wrong(key, "a list of objects"));
    objects.emplace_back(object, where_, fmt::format("{}{}[{}].", path_, key, objects.size()));
  }
  return objects;
}

Result<JsonFields::Ends> JsonFields::two_ends(std::string_view key, uint64_t limit) const {
  TRY(const auto items, array(key));
  std::vector<uint64_t> ends;
  for (const Element item : items) {
    uint64_t value = 0;
    if (item.get(value) != simdjson::SUCCESS || ends.size() == 2)
      return fail(wrong(key, "a list of two whole numbers [begin, end]"));
    ends.push_back(value);
  }
  if (ends.size() != 2 || ends[0] > ends[1] || ends[1] > limit)
    return fail(wrong(key, fmt::format("[begin, end] with begin <= end <= {}", limit)));
  return Ends{ends[0], ends[1]};
}

Result<JsonFields> parse_fields(std::string_view text, std::string_view where) {
  thread_local simdjson::dom::parser parser;
  Element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root))
    return fail(ErrorCode::kInput, "{}: not valid JSON: {}", where, simdjson::error_message(error));
  simdjson::dom::object object;
  if (root.get(object) != simdjson::SUCCESS)
    return fail(ErrorCode::kInput, "{}: must be an object", where);
  return JsonFields(object, where);
}

}  // namespace fathom

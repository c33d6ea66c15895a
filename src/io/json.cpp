#include "io/json.h"

#include <algorithm>

namespace fathom {
namespace {

constexpr int kMaxDepth = 200;

Error at_place(std::string_view text, size_t byte, const std::string& where,
               const std::string& what) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t line_start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {ErrorCode::kInput, fmt::format("{}: line {}, column {}: {}", where, line,
                                         before.size() - line_start + 1, what)};
}

// Without "[json.exception.parse_error.101] parse error at line 1, column 2: ".
std::string plain_words(const Json::exception& error) {
  const std::string what = error.what();
  if (const size_t colon = what.find(": "); colon != std::string::npos)
    return what.substr(colon + 2);
  const size_t bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& where) {
  bool too_deep = false;
  const Json::parser_callback_t limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) too_deep = true;
    return !too_deep;
  };
  try {
    Json value = Json::parse(text.begin(), text.end(), limit);
    if (too_deep)
      return fail(ErrorCode::kInput, "{}: nested deeper than {} levels", where, kMaxDepth);
    return value;
  } catch (const Json::parse_error& error) {
    const size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    return fail(at_place(text, byte, where, "not valid JSON: " + plain_words(error)));
  } catch (const Json::out_of_range& error) {  // a number beyond what a double holds
    return fail(ErrorCode::kInput, "{}: not valid JSON: {}", where, plain_words(error));
  }
}

std::string to_json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_pretty_json(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<JsonReader> JsonReader::of(const Json& object, std::string where) {
  if (!object.is_object())
    return fail(ErrorCode::kInput, "{}: must be an object, not {}", where, object.type_name());
  return JsonReader(&object, std::move(where));
}

bool JsonReader::has(std::string_view key) const {
  const auto found = object_->find(key);
  return found != object_->end() && !found->is_null();
}

Result<const Json*> JsonReader::member(std::string_view key) const {
  const auto found = object_->find(key);
  if (found == object_->end())
    return fail(ErrorCode::kInput, "{}: key '{}' is missing", where_, key);
  return &*found;
}

Error JsonReader::wrong_type(std::string_view key, std::string_view wanted,
                             const Json& found) const {
  return {ErrorCode::kInput,
          fmt::format("{}: key '{}' must be {}, not {}", where_, key, wanted, found.type_name())};
}

Result<std::string> JsonReader::text(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_string()) return fail(wrong_type(key, "a string", *value));
  return value->get<std::string>();
}

Result<int64_t> JsonReader::integer(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_number_integer()) return fail(wrong_type(key, "a whole number", *value));
  if (value->is_number_unsigned() && value->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return fail(ErrorCode::kInput, "{}: key '{}' is too large", where_, key);
  return value->get<int64_t>();
}

Result<double> JsonReader::number(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_number()) return fail(wrong_type(key, "a number", *value));
  return value->get<double>();
}

Result<bool> JsonReader::boolean(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_boolean()) return fail(wrong_type(key, "true or false", *value));
  return value->get<bool>();
}

Result<std::vector<std::string>> JsonReader::texts(std::string_view key) const {
  TRY(const Json* value, array(key));
  std::vector<std::string> out;
  for (const Json& item : *value) {
    if (!item.is_string()) return fail(wrong_type(key, "a list of strings", item));
    out.push_back(item.get<std::string>());
  }
  return out;
}

Result<const Json*> JsonReader::array(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_array()) return fail(wrong_type(key, "a list", *value));
  return value;
}

Result<JsonReader> JsonReader::object(std::string_view key) const {
  TRY(const Json* value, member(key));
  if (!value->is_object()) return fail(wrong_type(key, "an object", *value));
  return JsonReader(value, fmt::format("{}: {}", where_, key));
}

}  // namespace fathom

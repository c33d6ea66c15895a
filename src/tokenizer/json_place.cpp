#include "tokenizer/json_place.h"

namespace fathom {

tl::unexpected<Error> JsonPlace::error(std::string_view message) const {
  return fail(ErrorCode::kInput, "{}: {}: {}", file_, path_.empty() ? "top level" : path_, message);
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
  simdjson::dom::element value;
  if (value_.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return JsonPlace(value, file_,
                   path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key));
}

Result<JsonPlace> JsonPlace::at(std::string_view key) const {
  if (!value_.is_object()) return error("must be an object");
  if (auto found = find(key)) return *std::move(found);
  return error(fmt::format("'{}' is missing", key));
}

JsonPlace JsonPlace::item(simdjson::dom::element value, size_t index) const {
  return {value, file_, fmt::format("{}[{}]", path_, index)};
}

Result<std::string_view> JsonPlace::text() const {
  std::string_view text;
  if (value_.get(text) != simdjson::SUCCESS) return error("must be a string");
  return text;
}

Result<bool> JsonPlace::boolean() const {
  bool value = false;
  if (value_.get(value) != simdjson::SUCCESS) return error("must be true or false");
  return value;
}

Result<int64_t> JsonPlace::integer() const {
  int64_t value = 0;
  if (value_.get(value) != simdjson::SUCCESS) return error("must be an integer");
  return value;
}

Result<double> JsonPlace::number() const {
  double value = 0;
  if (value_.get(value) != simdjson::SUCCESS) return error("must be a number");
  return value;
}

Result<simdjson::dom::array> JsonPlace::array() const {
  simdjson::dom::array value;
  if (value_.get(value) != simdjson::SUCCESS) return error("must be an array");
  return value;
}

Result<simdjson::dom::object> JsonPlace::object() const {
  simdjson::dom::object value;
  if (value_.get(value) != simdjson::SUCCESS) return error("must be an object");
  return value;
}

Result<std::vector<JsonPlace>> JsonPlace::items() const {
  TRY(const auto values, array());
  std::vector<JsonPlace> items;
  for (const auto value : values) items.push_back(item(value, items.size()));
  return items;
}

Result<bool> JsonPlace::boolean_or(std::string_view key, bool fallback) const {
  const auto member = find(key);
  return member ? member->boolean() : fallback;
}

Result<std::string_view> JsonPlace::text_or(std::string_view key, std::string_view fallback) const {
  const auto member = find(key);
  return member ? member->text() : fallback;
}

}  // namespace fathom

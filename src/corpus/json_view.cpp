#include "corpus/json_view.h"

namespace fathom {
namespace {

std::string_view type_name(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
      return "an array";
    case simdjson::dom::element_type::OBJECT:
      return "an object";
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
      return "an integer";
    case simdjson::dom::element_type::DOUBLE:
      return "a fraction";
    case simdjson::dom::element_type::STRING:
      return "a string";
    case simdjson::dom::element_type::BOOL:
      return "true or false";
    case simdjson::dom::element_type::NULL_VALUE:
      return "null";
  }
  return "something unknown";
}

}  // namespace

std::string JsonView::path() const {
  if (parent_ == nullptr) return "";
  std::string path = parent_->path();
  if (key_.empty()) return path + fmt::format("[{}]", index_);
  if (!path.empty()) path += '.';
  return path += key_;
}

tl::unexpected<Error> JsonView::error(std::string_view message) const {
  const std::string place = path();
  return fail(ErrorCode::kInput, "{}: {}{}{}", file_, place, place.empty() ? "" : ": ", message);
}

tl::unexpected<Error> JsonView::wrong_type(std::string_view wanted) const {
  return error(fmt::format("must be {}, not {}", wanted, type_name(value_)));
}

Result<JsonView> JsonView::member(std::string_view key) const {
  TRY(const simdjson::dom::object here, object());
  simdjson::dom::element value;
  if (here.at_key(key).get(value) != simdjson::SUCCESS)
    return error(fmt::format("key '{}' is missing", key));
  return JsonView(value, this, key, 0);
}

bool JsonView::has(std::string_view key) const {
  simdjson::dom::element value;
  return value_.at_key(key).get(value) == simdjson::SUCCESS && !value.is_null();
}

Result<simdjson::dom::array> JsonView::array() const {
  simdjson::dom::array value;
  if (value_.get_array().get(value) != simdjson::SUCCESS) return wrong_type("an array");
  return value;
}

Result<simdjson::dom::object> JsonView::object() const {
  simdjson::dom::object value;
  if (value_.get_object().get(value) != simdjson::SUCCESS) return wrong_type("an object");
  return value;
}

Result<std::string_view> JsonView::text() const {
  std::string_view value;
  if (value_.get_string().get(value) != simdjson::SUCCESS) return wrong_type("a string");
  return value;
}

Result<int64_t> JsonView::integer() const {
  int64_t value = 0;
  if (value_.get_int64().get(value) != simdjson::SUCCESS) return wrong_type("an integer");
  return value;
}

Result<bool> JsonView::boolean() const {
  bool value = false;
  if (value_.get_bool().get(value) != simdjson::SUCCESS) return wrong_type("true or false");
  return value;
}

}  // namespace fathom

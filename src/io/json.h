// Small JSON documents (configs, manifests, run records, journal lines) with errors that name file,
// line and key. Long texts on hot paths go through io/json_text.h instead.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

using Json = nlohmann::ordered_json;

// `where` names the source in errors: "FILE" or "FILE:LINE". Duplicate keys keep the last; depth is
// limited to 200.
[[nodiscard]] Result<Json> parse_json(std::string_view text, const std::string& where);

// One line, invalid UTF-8 replaced by U+FFFD, so that no string can make it fail.
[[nodiscard]] std::string to_json_line(const Json& value);
[[nodiscard]] std::string to_pretty_json(const Json& value);

// Reads one object's members by name and type. Errors: "WHERE: key 'x' is missing" or "WHERE: key
// 'x' must be a string, not null".
class JsonReader {
 public:
  [[nodiscard]] static Result<JsonReader> of(const Json& object, std::string where);

  [[nodiscard]] bool has(std::string_view key) const;  // present and not null
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  [[nodiscard]] Result<int64_t> integer(std::string_view key) const;
  [[nodiscard]] Result<double> number(std::string_view key) const;
  [[nodiscard]] Result<bool> boolean(std::string_view key) const;
  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) const;
  [[nodiscard]] Result<const Json*> array(std::string_view key) const;
  [[nodiscard]] Result<JsonReader> object(std::string_view key) const;
  [[nodiscard]] const Json& json() const { return *object_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  JsonReader(const Json* object, std::string where) : object_(object), where_(std::move(where)) {}
  [[nodiscard]] Result<const Json*> member(std::string_view key) const;
  [[nodiscard]] Error wrong_type(std::string_view key, std::string_view wanted,
                                 const Json& found) const;

  const Json* object_;  // owned by the caller, who keeps it alive
  std::string where_;
};

}  // namespace fathom

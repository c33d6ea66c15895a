// Reading a large JSON file (simdjson) with errors that say where: "FILE: model.merges[812]: must
// be a string".
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// A value of the document and the way to it. Copyable; valid while the simdjson parser lives.
class JsonPlace {
 public:
  JsonPlace(simdjson::dom::element value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {}

  [[nodiscard]] Result<JsonPlace> at(std::string_view key) const;  // error: missing or null
  [[nodiscard]] std::optional<JsonPlace> find(
      std::string_view key) const;  // nullopt: missing, null, or not an object
  [[nodiscard]] JsonPlace item(simdjson::dom::element value, size_t index) const;

  [[nodiscard]] Result<std::string_view> text() const;
  [[nodiscard]] Result<bool> boolean() const;
  [[nodiscard]] Result<int64_t> integer() const;
  [[nodiscard]] Result<double> number() const;
  [[nodiscard]] Result<simdjson::dom::array> array() const;
  [[nodiscard]] Result<simdjson::dom::object> object() const;
  [[nodiscard]] Result<std::vector<JsonPlace>> items() const;  // of an array

  // Members with a default where they are missing or null.
  [[nodiscard]] Result<bool> boolean_or(std::string_view key, bool fallback) const;
  [[nodiscard]] Result<std::string_view> text_or(std::string_view key,
                                                 std::string_view fallback) const;

  [[nodiscard]] bool is_object() const { return value_.is_object(); }
  [[nodiscard]] bool is_text() const { return value_.is_string(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // "FILE: PATH: MESSAGE", kInput.
  [[nodiscard]] tl::unexpected<Error> error(std::string_view message) const;

 private:
  simdjson::dom::element value_;
  std::string file_;
  std::string path_;  // "" at the top
};

}  // namespace fathom

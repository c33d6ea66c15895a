// Strict reading of a parsed JSON document, with errors that name file and path.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace fathom {

// A JSON value and how it was reached. Cheap to copy; paths are put together only for errors. Views
// its parent, so a parent has to outlive it, as has the parser.
class JsonView {
 public:
  JsonView(simdjson::dom::element value, std::string_view file) : value_(value), file_(file) {}

  [[nodiscard]] Result<JsonView> member(std::string_view key) const;  // error where missing
  [[nodiscard]] bool has(std::string_view key) const;                 // present and not null
  [[nodiscard]] Result<simdjson::dom::array> array() const;
  [[nodiscard]] Result<simdjson::dom::object> object() const;
  [[nodiscard]] Result<std::string_view> text() const;
  [[nodiscard]] Result<int64_t> integer() const;
  [[nodiscard]] Result<bool> boolean() const;
  // An element of this array, which the caller got from array().
  [[nodiscard]] JsonView at(size_t index, simdjson::dom::element value) const {
    return {value, this, {}, index};
  }

  // "data[3].paragraphs[0].context"
  [[nodiscard]] std::string path() const;
  // kInput: "FILE: PATH: message"
  [[nodiscard]] tl::unexpected<Error> error(std::string_view message) const;

 private:
  JsonView(simdjson::dom::element value, const JsonView* parent, std::string_view key, size_t index)
      : value_(value), file_(parent->file_), parent_(parent), key_(key), index_(index) {}
  [[nodiscard]] tl::unexpected<Error> wrong_type(std::string_view wanted) const;

  simdjson::dom::element value_;
  std::string_view file_;
  const JsonView* parent_ = nullptr;
  std::string_view key_;  // empty: an array element
  size_t index_ = 0;
};

}  // namespace fathom

// Members of one JSON object on hot paths (samples, indexes, labels): parsed by simdjson, read by
// name and type, with errors that name file, path and key. Small documents go through io/json.h.
//
//   TRY(const JsonFields fields, parse_fields(line, "samples.jsonl:7"));
//   TRY(const std::string id, fields.text("id"));
//   TRY(const JsonFields tokens, fields.object("tokens"));
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// A view: of the parsed text and of `where`, which both have to outlive it. Errors (kInput):
// "WHERE: key 'a.b' is missing", "WHERE: key 'a.b' must be a string".
class JsonFields {
 public:
  JsonFields(simdjson::dom::object object, std::string_view where, std::string path = {})
      : object_(object), where_(where), path_(std::move(path)) {}

  [[nodiscard]] bool has(std::string_view key) const;  // present and not null
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  [[nodiscard]] Result<int64_t> integer(std::string_view key) const;
  [[nodiscard]] Result<int64_t> count(std::string_view key) const;  // 0 or more
  [[nodiscard]] Result<uint64_t> natural(std::string_view key) const;
  [[nodiscard]] Result<double> number(std::string_view key) const;
  [[nodiscard]] Result<bool> boolean(std::string_view key) const;
  [[nodiscard]] Result<simdjson::dom::array> array(std::string_view key) const;
  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) const;
  [[nodiscard]] Result<JsonFields> object(std::string_view key) const;
  [[nodiscard]] Result<std::vector<JsonFields>> objects(std::string_view key) const;
  // [begin, end] with begin <= end <= limit.
  template <typename Span>
  [[nodiscard]] Result<Span> span(std::string_view key, uint64_t limit) const {
    TRY(const auto ends, two_ends(key, limit));
    return Span{ends.first, ends.second};
  }

  // "WHERE: key 'a.b' must be WANTED"
  [[nodiscard]] Error wrong(std::string_view key, std::string_view wanted) const;
  [[nodiscard]] const simdjson::dom::object& json() const { return object_; }
  [[nodiscard]] std::string_view where() const { return where_; }

 private:
  using Ends = std::pair<uint64_t, uint64_t>;
  [[nodiscard]] Result<simdjson::dom::element> element(std::string_view key) const;
  [[nodiscard]] Result<Ends> two_ends(std::string_view key, uint64_t limit) const;
  template <typename Value>
  [[nodiscard]] Result<Value> value(std::string_view key, std::string_view wanted) const;

  simdjson::dom::object object_;
  std::string_view where_;
  std::string path_;
};

// One object. The result lives until this thread parses again. Errors: "WHERE: not valid JSON: …",
// "WHERE: must be an object".
[[nodiscard]] Result<JsonFields> parse_fields(std::string_view text, std::string_view where);

}  // namespace fathom

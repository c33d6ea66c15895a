#include "io/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace fathom {
namespace {

constexpr size_t kMaxBytes = 4 << 20;
constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxNodes = 200'000;

// Leaves yaml-cpp's parser from inside an event; caught in parse_yaml().
struct Refused : std::runtime_error {
  Refused(const YAML::Mark& at, const std::string& message)
      : std::runtime_error(message), mark(at) {}
  YAML::Mark mark;
};

int place(int from_zero) { return from_zero < 0 ? 1 : from_zero + 1; }

// Builds the tree from yaml-cpp's events, which allows limits where they are met and needs no node
// graph.
class Builder : public YAML::EventHandler {
 public:
  YamlValue take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(make(YamlKind::kNull, mark), mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused(mark, "aliases (*name) are not allowed: write the value again");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    YamlValue value = make(YamlKind::kScalar, mark);
    value.scalar = text;
    value.quoted = tag == "!";
    const bool null = !value.quoted && (text.empty() || text == "~" || text == "null");
    if (null) value.kind = YamlKind::kNull;
    add(std::move(value), mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(YamlKind::kSequence, mark), mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(make(YamlKind::kMap, mark), mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlValue value;
    std::optional<YamlValue> key;
  };

  static YamlValue make(YamlKind kind, const YAML::Mark& mark) {
    YamlValue value;
    value.kind = kind;
    value.line = place(mark.line);
    value.column = place(mark.column);
    return value;
  }

  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refused(mark, "anchors (&name) are not allowed: write the value again");
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "!" && tag != "?") {
      throw Refused(mark, fmt::format("tags ({}) are not allowed", tag));
    }
  }

  void open(YamlValue value, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (stack_.size() >= kMaxDepth) {
      throw Refused(mark, fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    stack_.push_back({std::move(value), std::nullopt});
  }

  void close() {
    YamlValue value = std::move(stack_.back().value);
    stack_.pop_back();
    YAML::Mark mark;
    mark.line = value.line - 1;
    mark.column = value.column - 1;
    add(std::move(value), mark);
  }

  void add(YamlValue value, const YAML::Mark& mark) {
    if (++nodes_ > kMaxNodes) {
      throw Refused(mark, fmt::format("more than {} values", kMaxNodes));
    }
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& top = stack_.back();
    if (top.value.kind == YamlKind::kSequence) {
      top.value.items.push_back(std::move(value));
    } else if (!top.key) {
      add_key(top, std::move(value), mark);
    } else {
      if (value.kind == YamlKind::kNull) {  // an empty value has no place of its own
        value.line = top.key->line;
        value.column = top.key->column;
      }
      top.value.members.emplace_back(std::move(*top.key), std::move(value));
      top.key.reset();
    }
  }

  static void add_key(Open& top, YamlValue key, const YAML::Mark& mark) {
    if (key.kind != YamlKind::kScalar) throw Refused(mark, "a key must be a plain word");
    if (const YamlValue* earlier = top.value.find(key.scalar)) {
      throw Refused(mark, fmt::format("key '{}' stands here a second time (first in line {})",
                                      key.scalar, earlier->line));
    }
    top.key = std::move(key);
  }

  YamlValue root_;
  std::vector<Open> stack_;
  size_t nodes_ = 0;
};

Error error_at(const std::string& where, int line, int column, const std::string& message) {
  return {ErrorCode::kInput, fmt::format("{}:{}:{}: {}", where, line, column, message)};
}

// The scalar's digits without separators, or "" where it is no plain number text.
std::string number_text(const YamlValue& value) {
  if (value.kind != YamlKind::kScalar || value.quoted) return "";
  std::string digits;
  for (size_t i = 0; i < value.scalar.size(); ++i) {
    const char c = value.scalar[i];
    const bool between = i > 0 && i + 1 < value.scalar.size();
    if (c == '_' && between) continue;
    digits += c;
  }
  const bool plus = digits.starts_with('+') && !digits.starts_with("+-");
  return plus ? digits.substr(1) : digits;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name.scalar == key) return &value;
  }
  return nullptr;
}

Result<YamlValue> parse_yaml(std::string_view text, const std::string& where) {
  if (text.size() > kMaxBytes) {
    return fail(ErrorCode::kInput, "{}: larger than {} bytes; is this the right file?", where,
                kMaxBytes);
  }
  if (text.find('\0') != std::string_view::npos) {
    return fail(ErrorCode::kInput, "{}: holds NUL bytes; is this a text file?", where);
  }
  Builder builder;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (parser) {
      Builder second;
      if (parser.HandleNextDocument(second) && second.take_root().kind != YamlKind::kNull) {
        return fail(ErrorCode::kInput, "{}: more than one document in the file (---)", where);
      }
    }
  } catch (const Refused& refused) {
    return fail(
        error_at(where, place(refused.mark.line), place(refused.mark.column), refused.what()));
  } catch (const YAML::Exception& exception) {
    return fail(error_at(where, place(exception.mark.line), place(exception.mark.column),
                         fmt::format("not YAML: {}", exception.msg)));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kInput, "{}: not YAML: {}", where, exception.what());
  }
  return builder.take_root();
}

Error yaml_error(const std::string& where, const YamlValue& at, const std::string& message) {
  return error_at(where, at.line, at.column, message);
}

std::string describe(const YamlValue& value) {
  switch (value.kind) {
    case YamlKind::kNull:
      return "nothing";
    case YamlKind::kSequence:
      return "a list";
    case YamlKind::kMap:
      return "a map";
    case YamlKind::kScalar:
      break;
  }
  const bool long_text = value.scalar.size() > 40;
  return fmt::format("'{}{}'", value.scalar.substr(0, 40), long_text ? "…" : "");
}

Result<int64_t> yaml_integer(const YamlValue& value, const std::string& where,
                             const std::string& name, int64_t low, int64_t high) {
  const std::string digits = number_text(value);
  int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || rest != end ||
      (error != std::errc{} && error != std::errc::result_out_of_range)) {
    return fail(yaml_error(where, value,
                           fmt::format("{} must be an integer, not {}", name, describe(value))));
  }
  if (error == std::errc::result_out_of_range || number < low || number > high) {
    return fail(yaml_error(
        where, value,
        fmt::format("{} must be between {} and {}, not {}", name, low, high, value.scalar)));
  }
  return number;
}

Result<double> yaml_number(const YamlValue& value, const std::string& where,
                           const std::string& name) {
  const std::string digits = number_text(value);
  double number = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  const bool finite = number - number == 0;
  if (digits.empty() || rest != end || error != std::errc{} || !finite) {
    return fail(yaml_error(where, value,
                           fmt::format("{} must be a number, not {}", name, describe(value))));
  }
  return number;
}

Result<bool> yaml_boolean(const YamlValue& value, const std::string& where,
                          const std::string& name) {
  if (value.kind == YamlKind::kScalar && !value.quoted) {
    if (value.scalar == "true" || value.scalar == "yes" || value.scalar == "on") return true;
    if (value.scalar == "false" || value.scalar == "no" || value.scalar == "off") return false;
  }
  return fail(yaml_error(where, value,
                         fmt::format("{} must be true or false, not {}", name, describe(value))));
}

Result<std::string> yaml_text(const YamlValue& value, const std::string& where,
                              const std::string& name) {
  if (value.kind == YamlKind::kScalar) return value.scalar;
  return fail(
      yaml_error(where, value, fmt::format("{} must be a text, not {}", name, describe(value))));
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 100) return "";
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

Result<void> check_yaml_keys(const YamlValue& map, const std::string& where,
                             const std::string& what, const std::vector<std::string>& keys) {
  if (map.kind != YamlKind::kMap) {
    return fail(yaml_error(
        where, map, fmt::format("{} must be a map (key: value), not {}", what, describe(map))));
  }
  for (const auto& [key, value] : map.members) {
    if (std::find(keys.begin(), keys.end(), key.scalar) != keys.end()) continue;
    const std::string nearest = nearest_word(key.scalar, keys);
    const std::string remedy = nearest.empty()
                                   ? fmt::format("valid keys: {}", fmt::join(keys, ", "))
                                   : fmt::format("did you mean '{}'?", nearest);
    return fail(yaml_error(where, key,
                           fmt::format("unknown key '{}' in {}; {}", key.scalar, what, remedy)));
  }
  return {};
}

}  // namespace fathom

#include "task/wording.h"

#include <algorithm>

#include "base/hash.h"
#include "io/embedded.h"
#include "io/file.h"
#include "io/yaml.h"
#include "task/task.h"

namespace fathom {
namespace {

constexpr std::string_view kFolder = "wordings/";
constexpr std::string_view kEnding = ".yaml";
constexpr std::string_view kContext = "context";
constexpr std::string_view kCount = "count";  // the only placeholder that a text may leave out

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// The placeholder that starts at `at` in `text`, without its braces; empty where none does. A brace
// that no name follows is plain text.
std::string_view placeholder_at(std::string_view text, size_t at) {
  if (text[at] != '{') return {};
  size_t end = at + 1;
  while (end < text.size() && is_name_character(text[end])) ++end;
  if (end == at + 1 || end == text.size() || text[end] != '}') return {};
  return text.substr(at + 1, end - at - 1);
}

std::string fill(std::string_view text, const Wording::Values& values) {
  std::string filled;
  for (size_t at = 0; at < text.size();) {
    const std::string_view name = placeholder_at(text, at);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (name.empty() || value == values.end()) {
      filled += text[at++];
      continue;
    }
    filled += value->second;
    at += name.size() + 2;
  }
  return filled;
}

std::string placeholders_of(const WordingSpec& spec) {
  std::string text;
  for (const std::string& name : spec.placeholders) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", name);
  }
  return text.empty() ? "none" : text;
}

Result<std::string> checked_text(const YamlValue& value, const std::string& where,
                                 const WordingSpec& spec) {
  TRY(std::string text, yaml_text(value, where, "'" + spec.key + "'"));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty()) return fail(yaml_error(where, value, "'" + spec.key + "' is empty"));
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string name(placeholder_at(text, at));
    if (name.empty()) continue;
    if (std::find(spec.placeholders.begin(), spec.placeholders.end(), name) ==
        spec.placeholders.end()) {
      return fail(yaml_error(where, value,
                             "'" + spec.key + "' has the unknown placeholder {" + name +
                                 "}; it may have: " + placeholders_of(spec)));
    }
    found.push_back(name);
  }
  for (const std::string& name : spec.placeholders) {
    const auto times = std::count(found.begin(), found.end(), name);
    if (name == kCount && times == 0) continue;
    if (times == 0 || (name == kContext && times > 1)) {
      return fail(yaml_error(where, value,
                             "'" + spec.key + "' must have the placeholder {" + name + "}" +
                                 (times > 1 ? " once only" : "")));
    }
  }
  return text;
}

Result<std::vector<std::string>> checked_list(const YamlValue& value, const std::string& where,
                                              const WordingListSpec& spec) {
  if (value.kind != YamlKind::kSequence || value.items.size() < spec.at_least) {
    return fail(yaml_error(where, value,
                           fmt::format("'{}' must be a list of at least {} texts, not {}", spec.key,
                                       spec.at_least, describe(value))));
  }
  std::vector<std::string> items;
  for (const YamlValue& item : value.items) {
    TRY(std::string text, yaml_text(item, where, "an item of '" + spec.key + "'"));
    if (text.empty() || text.front() == ' ' || text.back() == ' ' ||
        text.find('\n') != std::string::npos) {
      return fail(
          yaml_error(where, item,
                     "an item of '" + spec.key + "' must be one line without spaces at its ends"));
    }
    items.push_back(std::move(text));
  }
  return items;
}

struct Entry {
  std::string key;  // "family.name"
  const YamlValue* value = nullptr;
};

// The two levels of a pack's file as one list. `name` and `join` stand at the top.
Result<std::vector<Entry>> entries_of(const YamlValue& root, const std::string& where) {
  if (root.kind != YamlKind::kMap) {
    return fail(yaml_error(where, root, "a wording pack must be a map, not " + describe(root)));
  }
  std::vector<Entry> entries;
  for (const auto& [key, value] : root.members) {
    if (key.scalar == "name" || key.scalar == "like") continue;
    if (value.kind != YamlKind::kMap) {
      return fail(yaml_error(
          where, value, "'" + key.scalar + "' must be a map of texts, not " + describe(value)));
    }
    for (const auto& [inner, text] : value.members) {
      entries.push_back({key.scalar + "." + inner.scalar, &text});
    }
  }
  return entries;
}

const std::vector<WordingSpec>& shared_specs() {
  static const std::vector<WordingSpec> specs = {
      {"join.two", {"first", "second"}, "{first} and {second}"},
      {"join.last", {"first", "second"}, "{first}, and {second}"},
      {"join.more", {"first", "second"}, "{first}, {second}"},
      {std::string(Wording::kNoContextText), {}, "(The text is left out.)"},
  };
  return specs;
}

template <typename Spec>
void add_missing(std::vector<Spec>& all, const std::vector<Spec>& more) {
  for (const Spec& spec : more) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Spec& each) { return each.key == spec.key; });
    if (!known) all.push_back(spec);
  }
}

}  // namespace

std::vector<std::string> Wording::names() {
  std::vector<std::string> names;
  for (const std::string& file : embedded_names(kFolder)) {
    if (file.size() <= kFolder.size() + kEnding.size() || !file.ends_with(kEnding)) continue;
    names.push_back(file.substr(kFolder.size(), file.size() - kFolder.size() - kEnding.size()));
  }
  return names;
}

Result<Wording> Wording::load(const std::string& name_or_path) {
  std::vector<WordingSpec> specs;
  std::vector<WordingListSpec> lists;
  for (const Task* task : tasks()) {
    add_missing(specs, task->info().texts);
    add_missing(lists, task->info().text_lists);
  }
  const std::string file = fmt::format("{}{}{}", kFolder, name_or_path, kEnding);
  if (const auto text = embedded_file(file)) return parse(*text, "data/" + file, specs, lists);
  if (!file_exists(name_or_path)) {
    std::string known;
    for (const std::string& name : names()) known += known.empty() ? name : ", " + name;
    return fail(ErrorCode::kInput,
                "wording '{}': no such pack and no such file; give a path or one of: {}",
                name_or_path, known);
  }
  TRY(const std::string text, read_file(name_or_path));
  return parse(text, name_or_path, specs, lists);
}

Result<Wording> Wording::pack_like(const YamlValue& name, const std::string& where,
                                   const std::vector<WordingSpec>& specs,
                                   const std::vector<WordingListSpec>& lists) {
  TRY(const std::string base, yaml_text(name, where, "'like'"));
  const std::string file = fmt::format("{}{}{}", kFolder, base, kEnding);
  const auto text = embedded_file(file);
  if (!text) {
    return fail(yaml_error(where, name,
                           fmt::format("'like' must be a pack that travels with fathom ({}), not "
                                       "'{}'",
                                       fmt::join(names(), ", "), base)));
  }
  return parse(*text, "data/" + file, specs, lists);
}

Result<Wording> Wording::parse(std::string_view yaml, const std::string& where,
                               const std::vector<WordingSpec>& specs,
                               const std::vector<WordingListSpec>& lists) {
  TRY(const YamlValue root, parse_yaml(yaml, where));
  TRY(const std::vector<Entry> entries, entries_of(root, where));
  std::vector<WordingSpec> all_specs = shared_specs();
  add_missing(all_specs, specs);

  Wording wording;
  wording.name_ = where;
  if (const YamlValue* name = root.find("name")) {
    TRY(wording.name_, yaml_text(*name, where, "'name'"));
  }
  if (const YamlValue* like = root.find("like")) {
    TRY(const Wording base, pack_like(*like, where, specs, lists));
    wording.texts_ = base.texts_;
    wording.lists_ = base.lists_;
  }
  std::vector<std::string> known;
  for (const WordingSpec& spec : all_specs) known.push_back(spec.key);
  for (const WordingListSpec& spec : lists) known.push_back(spec.key);

  for (const Entry& entry : entries) {
    const auto same_key = [&](const auto& spec) { return spec.key == entry.key; };
    const auto spec = std::find_if(all_specs.begin(), all_specs.end(), same_key);
    const auto list = std::find_if(lists.begin(), lists.end(), same_key);
    if (spec == all_specs.end() && list == lists.end()) {
      const std::string near = nearest_word(entry.key, known);
      return fail(yaml_error(where, *entry.value,
                             "unknown key '" + entry.key + "'" +
                                 (near.empty() ? "" : "; did you mean '" + near + "'?")));
    }
    if (list != lists.end()) {
      TRY(wording.lists_[entry.key], checked_list(*entry.value, where, *list));
      continue;
    }
    Forms& forms = wording.texts_[entry.key];
    if (entry.value->kind != YamlKind::kMap) {
      TRY(forms.one, checked_text(*entry.value, where, *spec));
      forms.many = forms.one;
      continue;
    }
    TRY_VOID(check_yaml_keys(*entry.value, where, "'" + entry.key + "'", {"one", "many"}));
    const YamlValue* one = entry.value->find("one");
    const YamlValue* many = entry.value->find("many");
    if (one == nullptr || many == nullptr) {
      return fail(
          yaml_error(where, *entry.value, "'" + entry.key + "' needs both forms, one and many"));
    }
    TRY(forms.one, checked_text(*one, where, *spec));
    TRY(forms.many, checked_text(*many, where, *spec));
  }

  for (const WordingSpec& spec : all_specs) {
    if (wording.texts_.contains(spec.key)) continue;
    if (spec.fallback.empty()) {
      return fail(ErrorCode::kInput, "{}: the text '{}' is missing; its placeholders: {}", where,
                  spec.key, placeholders_of(spec));
    }
    wording.texts_[spec.key] = {spec.fallback, spec.fallback};
  }
  for (const WordingListSpec& spec : lists) {
    if (!wording.lists_.contains(spec.key)) {
      return fail(ErrorCode::kInput, "{}: the list '{}' is missing; it needs at least {} texts",
                  where, spec.key, spec.at_least);
    }
  }
  std::string identity;
  for (const auto& [key, forms] : wording.texts_) {
    // Only where a pack has its own: the usual one belongs to the version of the generator.
    if (key == kNoContextText && forms.one == shared_specs().back().fallback) continue;
    identity += key + '\0' + forms.one + '\0' + forms.many + '\0';
  }
  for (const auto& [key, items] : wording.lists_) {
    identity += key + '\0';
    for (const std::string& item : items) identity += item + '\0';
  }
  wording.hash_ = hash_hex(identity);
  return wording;
}

const std::string& Wording::form(std::string_view key, int64_t count) const {
  const Forms& forms = texts_.find(key)->second;
  return count == 1 ? forms.one : forms.many;
}

std::string Wording::text(std::string_view key, const Values& values, int64_t count) const {
  return fill(form(key, count), values);
}

std::pair<std::string, std::string> Wording::around_context(std::string_view key,
                                                            const Values& values,
                                                            int64_t count) const {
  const std::string& text = form(key, count);
  const std::string marker = fmt::format("{{{}}}", kContext);
  const size_t at = text.find(marker);
  return {fill(std::string_view(text).substr(0, at), values),
          fill(std::string_view(text).substr(at + marker.size()), values)};
}

const std::vector<std::string>& Wording::list(std::string_view key) const {
  return lists_.find(key)->second;
}

std::string Wording::join(const std::vector<std::string>& items) const {
  if (items.empty()) return "";
  std::string joined = items.front();
  for (size_t i = 1; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    const std::string_view key = !last ? "join.more" : items.size() == 2 ? "join.two" : "join.last";
    joined = text(key, {{"first", joined}, {"second", items[i]}});
  }
  return joined;
}

}  // namespace fathom

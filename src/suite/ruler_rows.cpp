#include "suite/ruler_rows.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "io/json.h"
#include "suite/suite_lengths.h"

namespace fathom {
namespace {

// The words with which each family's answer prefix begins, for rows that hold it inside the input.
const std::vector<std::string_view> kPrefixStarts = {
    " The special magic ", " Answer: According to the chain(s) of variable assignment",
    " Answer: The top 10 words that appear most often", " Answer: According to the coded text",
    " Answer:"};

// An answer prefix stands on the last line, ends in no sentence end, and begins with known words.
size_t prefix_start(std::string_view input) {
  const size_t line = input.rfind('\n');
  const size_t from = line == std::string_view::npos ? 0 : line;
  for (const std::string_view start : kPrefixStarts) {
    const size_t at = input.rfind(start);
    if (at == std::string_view::npos || at < from) continue;
    const char last = input.back();
    if (last == '.' || last == '?' || last == '!') continue;
    return at;
  }
  return input.size();
}

Result<std::vector<std::string>> text_list(const JsonReader& reader, const char* key) {
  const Json& value = reader.json()[key];
  if (value.is_string()) return std::vector<std::string>{value.get<std::string>()};
  return reader.texts(key);
}

// A whole number, also where a file has it as text or as 4096.0.
Result<int64_t> whole(const JsonReader& reader, const char* key) {
  const Json& value = reader.json()[key];
  if (value.is_number_float()) return static_cast<int64_t>(value.get<double>());
  return reader.integer(key);
}

}  // namespace

Result<RulerRow> parse_ruler_row(std::string_view line, int64_t number, const std::string& where) {
  TRY(const Json json, parse_json(line, where));
  TRY(const JsonReader reader, JsonReader::of(json, where));
  RulerRow row;
  row.index = number - 1;
  const char* input = reader.has("input") ? "input" : "question";
  if (!reader.has(input)) {
    return fail(ErrorCode::kInput, "{}: no 'input' (or 'question'): is this a RULER data file?",
                where);
  }
  TRY(row.input, reader.text(input));
  const char* outputs = reader.has("outputs") ? "outputs" : "expected_answer";
  if (!reader.has(outputs)) {
    return fail(ErrorCode::kInput, "{}: no 'outputs' (or 'expected_answer')", where);
  }
  TRY(row.outputs, text_list(reader, outputs));
  if (row.outputs.empty()) return fail(ErrorCode::kInput, "{}: '{}' is empty", where, outputs);
  for (const char* key : {"answer_prefix", "gen_prefix", "generation"}) {
    if (row.prefix.empty() && reader.has(key)) {
      TRY(row.prefix, reader.text(key));
    }
  }
  if (row.prefix.empty() && !row.input.empty()) {
    const size_t at = prefix_start(row.input);
    row.prefix = row.input.substr(at);
    row.input.resize(at);
  } else if (row.input.ends_with(row.prefix)) {
    row.input.resize(row.input.size() - row.prefix.size());
  }
  for (const auto& [key, target] :
       {std::pair{"length", &row.length}, {"max_length", &row.max_length}}) {
    if (!reader.has(key)) continue;
    TRY(*target, whole(reader, key));
    if (*target < 0 || *target > kLongestLength) {
      return fail(ErrorCode::kInput, "{}: '{}' is out of range", where, key);
    }
  }
  return row;
}

Result<RulerPrediction> parse_ruler_prediction(std::string_view line, int64_t number,
                                               const std::string& where) {
  TRY(const Json json, parse_json(line, where));
  TRY(const JsonReader reader, JsonReader::of(json, where));
  RulerPrediction row;
  row.id = std::to_string(number - 1);
  if (reader.has("index") && json["index"].is_number_integer()) {
    row.id = std::to_string(json["index"].get<int64_t>());
  }
  if (reader.has("others") && json["others"].is_object() && json["others"].contains("id")) {
    const Json& id = json["others"]["id"];
    row.id = id.is_string() ? id.get<std::string>() : id.dump();
  }
  const char* prediction = reader.has("pred") ? "pred" : "generation";
  if (!reader.has(prediction)) {
    return fail(ErrorCode::kInput,
                "{}: no 'pred' (or 'generation'): is this a RULER prediction file?", where);
  }
  TRY(row.prediction, reader.text(prediction));
  const char* outputs = reader.has("outputs") ? "outputs" : "expected_answer";
  if (!reader.has(outputs)) {
    return fail(ErrorCode::kInput, "{}: no 'outputs' (or 'expected_answer')", where);
  }
  const Json& list = json[outputs];
  if (list.is_array() && !list.empty() && list[0].is_null()) {
    row.null_output = true;
  } else {
    TRY(row.outputs, text_list(reader, outputs));
  }
  for (const char* key : {"input", "question"}) {
    if (row.input.empty() && reader.has(key)) {
      TRY(row.input, reader.text(key));
    }
  }
  if (reader.has("length")) {
    TRY(row.length, whole(reader, "length"));
  }
  return row;
}

Result<std::vector<std::string>> find_jsonl(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return std::vector<std::string>{path};
  if (!fs::is_directory(path, error)) {
    return fail(ErrorCode::kIo, "{}: no such file or folder", path);
  }
  const auto is_jsonl = [](const std::string& name) {
    return name.ends_with(".jsonl") || name.ends_with(".jsonl.zst");
  };
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator each(path, error), end; !error && each != end;
       each.increment(error)) {
    if (each->is_regular_file(error) && is_jsonl(each->path().filename().string())) {
      files.push_back(each->path().string());
    }
  }
  if (error) return fail(ErrorCode::kIo, "{}: cannot be listed: {}", path, error.message());
  if (files.empty()) return fail(ErrorCode::kIo, "{}: holds no .jsonl file", path);
  std::sort(files.begin(), files.end());
  return files;
}

int64_t length_of_folders(const std::string& path) {
  for (auto folder = std::filesystem::path(path).parent_path(); !folder.filename().empty();
       folder = folder.parent_path()) {
    const std::string name = folder.filename().string();
    int64_t length = 0;
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data(), end, length);
    if (rest == end && error == std::errc{} && length >= kShortestLength &&
        length <= kLongestLength) {
      return length;
    }
    if (!folder.has_parent_path() || folder == folder.parent_path()) break;
  }
  return 0;
}

}  // namespace fathom

// RULER's prediction files.
#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "io/jsonl.h"
#include "suite/ruler_files.h"
#include "suite/ruler_rows.h"

namespace fathom {
namespace {

// A file of predictions: TASK.jsonl, or one chunk of them, TASK-0.jsonl.
struct PredictionPath {
  std::string path;
  std::string task;
  int64_t chunk = -1;
  int64_t length = 0;
};

PredictionPath parse_path(const std::string& path) {
  PredictionPath parsed{path, std::filesystem::path(path).filename().string(), -1,
                        length_of_folders(path)};
  parsed.task.resize(parsed.task.find(".jsonl"));
  const size_t dash = parsed.task.rfind('-');
  if (dash != std::string::npos && dash + 1 < parsed.task.size() && parsed.task.size() - dash < 8 &&
      std::all_of(parsed.task.begin() + static_cast<std::ptrdiff_t>(dash) + 1, parsed.task.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    parsed.chunk = std::stoll(parsed.task.substr(dash + 1));
    parsed.task.resize(dash);
  }
  // NeMo-Skills writes TASK/output.jsonl.
  if (parsed.task == "output") {
    parsed.task = std::filesystem::path(path).parent_path().filename().string();
  }
  return parsed;
}

Result<void> read_rows(const std::string& path, std::vector<RulerPrediction>& rows) {
  return for_each_line(path, [&](size_t number, std::string_view line) -> Result<void> {
    TRY(RulerPrediction row, parse_ruler_prediction(line, static_cast<int64_t>(number),
                                                    fmt::format("{}:{}", path, number)));
    rows.push_back(std::move(row));
    return {};
  });
}

}  // namespace

Result<std::vector<RulerPredictionFile>> read_ruler_predictions(const std::string& folder) {
  TRY(const auto paths, find_jsonl(folder));
  std::vector<PredictionPath> found;
  for (const std::string& path : paths) {
    // Where data and predictions lie beside each other, only the predictions are meant.
    const std::string name = std::filesystem::path(path).filename().string();
    if (name.starts_with("validation.") || name.starts_with("test.")) continue;
    found.push_back(parse_path(path));
  }
  if (found.empty())
    return fail(ErrorCode::kIo, "{}: holds no prediction file (TASK.jsonl)", folder);
  std::sort(found.begin(), found.end(), [](const PredictionPath& a, const PredictionPath& b) {
    return std::tie(a.length, a.task, a.chunk, a.path) <
           std::tie(b.length, b.task, b.chunk, b.path);
  });
  std::vector<RulerPredictionFile> files;
  for (const PredictionPath& each : found) {
    const bool joins = !files.empty() && files.back().task == each.task &&
                       files.back().length == each.length && each.chunk >= 0;
    if (!joins) {
      if (!files.empty() && files.back().task == each.task && files.back().length == each.length) {
        return fail(ErrorCode::kInput,
                    "{}: a second file of predictions for {} at {}; score the folders apart",
                    each.path, each.task, each.length);
      }
      TRY_CONTEXT(const RulerTaskKind kind, ruler_task_kind(each.task), each.path);
      files.push_back({each.task, each.length, kind.metric, {}});
    }
    TRY_VOID(read_rows(each.path, files.back().rows));
  }
  return files;
}

}  // namespace fathom

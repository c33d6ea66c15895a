// RULER's own files: datasets out and in, and predictions in (T17). Fields:
// docs/formats/dataset.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/dataset.h"
#include "task/metric.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// Writes FOLDER/LENGTH/TASK/validation.jsonl: index (from 0 in each file), input, outputs, length,
// length_w_model_temp, answer_prefix and, for NIAH, token_position_answer. Text is ASCII-escaped as
// RULER's is. The reader's samples must come ordered by length and cell; controls, which have no
// length, are left out. Returns the number of samples written. Errors: kUsage where the folder
// already holds such files.
[[nodiscard]] Result<int64_t> export_ruler(SampleReader& reader, const std::string& folder);

struct RulerImportOptions {
  int64_t length = 0;  // of files that no folder or field gives a length; 0: such files are refused
  const Tokenizer* tokenizer =
      nullptr;  // counts tokens and places evidence; nullptr: the files' own counts, no token spans
  bool compress = false;
};

// Reads every TASK/*.jsonl below `path` (or one file) in any era's form: prefix inside `input`, or
// apart as answer_prefix, gen_prefix or generation; and NeMo-Skills' question / expected_answer.
// Errors: kInput "FILE:LINE: …".
[[nodiscard]] Result<WriteResult> import_ruler(const std::string& path, const std::string& folder,
                                               const RulerImportOptions& options);

// What a RULER task is graded by, and the tokens it keeps for the answer, told from its name
// (niah*, vt*/variable*, cwe*, fwe*, qa*).
struct RulerTaskKind {
  Metric metric = Metric::kStringMatchAll;
  int64_t reserve = 0;
};
[[nodiscard]] Result<RulerTaskKind> ruler_task_kind(const std::string& task);

struct RulerPrediction {
  std::string id;          // "others.id", else "index", else the line number
  std::string input;       // may be empty
  std::string prediction;  // "pred", or NeMo-Skills' "generation"
  std::vector<std::string>
      outputs;  // a null first output is kept apart: RULER scores the whole task 0 then
  bool null_output = false;
  int64_t length = 0;  // 0 where the file has none
  bool operator==(const RulerPrediction&) const = default;
};

// The predictions of one task at one length.
struct RulerPredictionFile {
  std::string task;
  int64_t length = 0;  // from the nearest folder named by a number; 0 where none
  Metric metric = Metric::kStringMatchAll;
  std::vector<RulerPrediction> rows;  // chunks (TASK-0.jsonl …) joined in order
};

// Every TASK.jsonl below `folder`, sorted by length and task. Errors: kInput "FILE:LINE: …" with
// the missing field.
[[nodiscard]] Result<std::vector<RulerPredictionFile>> read_ruler_predictions(
    const std::string& folder);

}  // namespace fathom

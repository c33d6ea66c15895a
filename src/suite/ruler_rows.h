// The rows of RULER's files, by the field names of all its eras and of NeMo-Skills.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "suite/ruler_files.h"

namespace fathom {

// A data row. Fields: index; input or question; outputs or expected_answer; answer_prefix,
// gen_prefix or generation; length; max_length.
struct RulerRow {
  int64_t index = 0;
  std::string input;   // without the prefix
  std::string prefix;  // with its leading space, as the files have it
  std::vector<std::string> outputs;
  int64_t length = 0;      // prompt + reserve by the generator's count; 0: not given
  int64_t max_length = 0;  // target; 0: not given
};

// `number`: of the line, for rows without an index. Era A has the prefix inside the input: it is
// split off where it ends in the family's own words. Errors: kInput "WHERE: …".
[[nodiscard]] Result<RulerRow> parse_ruler_row(std::string_view line, int64_t number,
                                               const std::string& where);

[[nodiscard]] Result<RulerPrediction> parse_ruler_prediction(std::string_view line, int64_t number,
                                                             const std::string& where);

// JSONL files below `path` (or that file itself), sorted. Errors: kIo where there is nothing.
[[nodiscard]] Result<std::vector<std::string>> find_jsonl(const std::string& path);

// The length that the nearest folder of a path names, as 4096; 0 where none does.
[[nodiscard]] int64_t length_of_folders(const std::string& path);

}  // namespace fathom

#include "suite/ruler_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "suite/evidence_tokens.h"
#include "suite/ruler_rows.h"

namespace fathom {
namespace {

// RULER's files are ASCII: other characters as \uXXXX escapes.
std::string ascii_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// A folder name for a cell: brackets and commas of swept parameters are no trouble, path separators
// are.
std::string folder_name(std::string cell) {
  std::replace(cell.begin(), cell.end(), '/', '_');
  return cell.starts_with('.') ? "_" + cell : cell;
}

Json ruler_json(const Sample& sample, int64_t index) {
  Json json;
  json["index"] = index;
  json["input"] = sample.prompt;
  json["outputs"] = sample.references;
  const int64_t length = sample.tokens.prompt + sample.tokens.reserve;
  json["length"] = length;
  json["length_w_model_temp"] = length;
  json["answer_prefix"] = sample.answer_prefix;
  if (sample.task.starts_with("niah")) {
    for (const Evidence& evidence : sample.evidence) {
      if (evidence.distractor) continue;
      json["token_position_answer"] = evidence.tokens.begin;
      break;
    }
  }
  return json;
}

// The files being written: one at a time, since samples come ordered.
class Exporter {
 public:
  explicit Exporter(std::string folder) : folder_(std::move(folder)) {}

  Result<void> add(const Sample& sample) {
    const auto cell = std::pair(sample.length, sample.cell);
    if (!writer_ || cell != cell_) TRY_VOID(begin(cell));
    return writer_->write(ascii_line(ruler_json(sample, index_++)));
  }

  Result<void> finish() { return writer_ ? writer_->finish() : Result<void>(); }

 private:
  Result<void> begin(const std::pair<int64_t, std::string>& cell) {
    TRY_VOID(finish());
    if (!seen_.insert(cell).second) {
      return fail(ErrorCode::kInput, "the samples of {} at {} do not stand together", cell.second,
                  cell.first);
    }
    const std::string folder =
        fmt::format("{}/{}/{}", folder_, cell.first, folder_name(cell.second));
    const std::string path = folder + "/validation.jsonl";
    if (file_exists(path)) {
      return fail(ErrorCode::kUsage, "{} exists; choose another folder with -o, or remove it",
                  path);
    }
    TRY_VOID(make_directories(folder));
    TRY(writer_, LineWriter::create(path));
    cell_ = cell;
    index_ = 0;
    return {};
  }

  std::string folder_;
  std::optional<LineWriter> writer_;
  std::pair<int64_t, std::string> cell_;
  std::set<std::pair<int64_t, std::string>> seen_;
  int64_t index_ = 0;
};

// One data file: its task is its folder's name, unless the file itself is named by it.
struct SourceFile {
  std::string path;
  std::string task;
  int64_t length = 0;
};

std::string task_of(const std::string& path) {
  const std::filesystem::path file(path);
  std::string stem = file.filename().string();
  stem.resize(stem.find(".jsonl"));
  if (stem == "validation" || stem == "test" || stem == "train") {
    return file.parent_path().filename().string();
  }
  return stem;
}

Result<int64_t> first_max_length(const std::string& path) {
  TRY(LineReader lines, LineReader::open(path));
  std::string_view line;
  TRY(const bool any, lines.next(line));
  if (!any) return fail(ErrorCode::kInput, "{}: is empty", path);
  TRY(const RulerRow row, parse_ruler_row(line, 1, fmt::format("{}:1", path)));
  return row.max_length;
}

Result<std::vector<SourceFile>> source_files(const std::string& path, int64_t length) {
  TRY(const auto paths, find_jsonl(path));
  std::vector<SourceFile> files;
  for (const std::string& each : paths) {
    SourceFile file{each, task_of(each), length_of_folders(each)};
    if (file.length == 0) {
      TRY(file.length, first_max_length(each));
    }
    if (file.length == 0) file.length = length;
    if (file.length == 0) {
      return fail(ErrorCode::kInput,
                  "{}: neither a folder nor 'max_length' says for which length it was made; give "
                  "--length",
                  each);
    }
    TRY_CONTEXT(const RulerTaskKind kind, ruler_task_kind(file.task), each);
    (void)kind;
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) {
    return std::tie(a.length, a.task, a.path) < std::tie(b.length, b.task, b.path);
  });
  for (size_t i = 1; i < files.size(); ++i) {
    if (files[i].length == files[i - 1].length && files[i].task == files[i - 1].task) {
      return fail(ErrorCode::kInput, "{} and {} are both task {} at {}; import them one by one",
                  files[i - 1].path, files[i].path, files[i].task, files[i].length);
    }
  }
  return files;
}

// Where each reference stands in the input: the whole line for needles, else the reference alone.
void find_evidence(Sample& sample) {
  for (size_t i = 0; i < sample.references.size(); ++i) {
    const std::string& reference = sample.references[i];
    const size_t at = reference.empty() ? std::string::npos : sample.prompt.find(reference);
    if (at == std::string::npos) {
      sample.notes.push_back(fmt::format("\"{}\" does not occur in the prompt", reference));
      continue;
    }
    Evidence evidence;
    evidence.role = "answer";
    evidence.order = static_cast<int>(i);
    evidence.bytes = evidence.answer_bytes = {at, at + reference.size()};
    evidence.depth =
        static_cast<double>(at) / static_cast<double>(std::max<size_t>(1, sample.prompt.size()));
    sample.evidence.push_back(std::move(evidence));
  }
}

void count_tokens(Sample& sample, const Tokenizer& tokenizer) {
  const std::string text = sample.full_text();
  const EncodeOptions options{.add_special = false, .parse_special = true};
  std::vector<TokenId> ids;
  std::vector<ByteSpan> spans;
  tokenizer.encode_with_spans(text, options, ids, spans);
  sample.tokens.prompt = static_cast<int64_t>(ids.size());
  const auto without = static_cast<int64_t>(tokenizer.count(sample.prompt, options));
  sample.tokens.prefix = std::max<int64_t>(0, sample.tokens.prompt - without);
  for (Evidence& evidence : sample.evidence) {
    evidence.tokens = tokens_touching(spans, evidence.bytes);
  }
}

Sample to_sample(RulerRow row, const SourceFile& file, int64_t index, const RulerTaskKind& kind,
                 const Tokenizer* tokenizer) {
  Sample sample;
  sample.id = fmt::format("{}:{}:{}", file.task, file.length, index);
  sample.task = sample.cell = file.task;
  sample.length = file.length;
  sample.index = index;
  sample.prompt = std::move(row.input);
  sample.answer_prefix = std::move(row.prefix);
  sample.references = std::move(row.outputs);
  sample.metric = kind.metric;
  sample.context = {0, sample.prompt.size()};
  sample.messages = {{MessageRole::kUser, {0, sample.prompt.size()}}};
  sample.tokens.reserve = kind.reserve;
  sample.tokens.prompt = std::max<int64_t>(0, row.length - kind.reserve);
  sample.notes.push_back(fmt::format("RULER index {}", row.index));
  find_evidence(sample);
  if (tokenizer != nullptr) count_tokens(sample, *tokenizer);
  sample.tokens.total = sample.tokens.prompt + sample.tokens.reserve;
  sample.off_by = sample.tokens.total - sample.length;
  return sample;
}

// Rows of the files, one after the other.
class ImportStream {
 public:
  ImportStream(std::vector<SourceFile> files, const Tokenizer* tokenizer)
      : files_(std::move(files)), tokenizer_(tokenizer) {}

  Result<std::optional<Sample>> next() {
    while (file_ < files_.size()) {
      const SourceFile& file = files_[file_];
      if (!lines_) {
        TRY(lines_, LineReader::open(file.path));
        index_ = 0;
      }
      std::string_view line;
      TRY(const bool more, lines_->next(line));
      if (more) return sample(line, file);
      lines_.reset();
      ++file_;
    }
    return std::optional<Sample>();
  }

 private:
  Result<std::optional<Sample>> sample(std::string_view line, const SourceFile& file) {
    const auto number = static_cast<int64_t>(lines_->number());
    TRY(RulerRow row, parse_ruler_row(line, number, fmt::format("{}:{}", file.path, number)));
    TRY(const RulerTaskKind kind, ruler_task_kind(file.task));
    return std::optional<Sample>(to_sample(std::move(row), file, index_++, kind, tokenizer_));
  }

  std::vector<SourceFile> files_;
  const Tokenizer* tokenizer_;
  size_t file_ = 0;
  std::optional<LineReader> lines_;
  int64_t index_ = 0;
};

Recipe imported_recipe(const std::vector<SourceFile>& files, const Tokenizer* tokenizer) {
  Recipe recipe;
  recipe.suite.name = "ruler-import";
  recipe.suite.samples = 1;
  std::map<std::string, std::vector<int64_t>> lengths;
  std::set<int64_t> all;
  for (const SourceFile& file : files) {
    lengths[file.task].push_back(file.length);
    all.insert(file.length);
  }
  recipe.suite.lengths.assign(all.begin(), all.end());
  for (const auto& [task, own] : lengths) {
    SuiteTask row;
    row.name = row.cell = task;
    row.lengths = own;
    recipe.suite.tasks.push_back(std::move(row));
  }
  recipe.chat_template.hash = "none";
  recipe.wording = {"ruler", "ruler"};
  recipe.add_special = false;
  if (tokenizer != nullptr) {
    recipe.tokenizer = {tokenizer->info().source, tokenizer->info().hash};
  }
  return recipe;
}

}  // namespace

Result<RulerTaskKind> ruler_task_kind(const std::string& task) {
  const auto is = [&](std::string_view family) { return task.starts_with(family); };
  if (is("niah") || is("ruler_niah")) return RulerTaskKind{Metric::kStringMatchAll, 128};
  if (is("vt") || is("variable_tracking")) return RulerTaskKind{Metric::kStringMatchAll, 30};
  if (is("cwe") || is("common_words")) return RulerTaskKind{Metric::kStringMatchAll, 120};
  if (is("fwe") || is("freq_words")) return RulerTaskKind{Metric::kStringMatchAll, 50};
  if (is("qa")) return RulerTaskKind{Metric::kStringMatchPart, 32};
  return fail(
      ErrorCode::kInput,
      "'{}' is no RULER task (niah…, vt, cwe, fwe, qa…), so its metric is unknown; name the "
      "folder or file after the task",
      task);
}

Result<int64_t> export_ruler(SampleReader& reader, const std::string& folder) {
  Exporter exporter(folder);
  int64_t written = 0;
  while (true) {
    TRY(const std::optional<Sample> sample, reader.next());
    if (!sample) break;
    if (sample->variant.is_control()) continue;  // RULER's files know no sample without a length
    TRY_VOID(exporter.add(*sample));
    ++written;
  }
  TRY_VOID(exporter.finish());
  return written;
}

Result<WriteResult> import_ruler(const std::string& path, const std::string& folder,
                                 const RulerImportOptions& options) {
  TRY(auto files, source_files(path, options.length));
  const Recipe recipe = imported_recipe(files, options.tokenizer);
  std::string contents;
  for (const SourceFile& file : files) {
    TRY(const std::string hash, sha256_file(file.path));
    contents += fmt::format("{} {} {}\n", file.task, file.length, hash);
  }
  ImportStream stream(std::move(files), options.tokenizer);
  return write_imported(folder, recipe, "RULER files " + hash_hex(contents), options.compress,
                        [&] { return stream.next(); });
}

}  // namespace fathom

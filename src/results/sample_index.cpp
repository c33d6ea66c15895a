#include "results/sample_index.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include "base/threads.h"
#include "grade/expectation_json.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "suite/sample_access.h"
#include "suite/variant_json.h"

namespace fathom {
namespace {

Json to_json(const SampleLine& line) {
  const SampleFacts& facts = line.facts;
  Json json = {{"id", facts.id},
               {"hash", facts.hash},
               {"task", facts.task},
               {"cell", facts.cell},
               {"length", facts.length},
               {"index", facts.index},
               {"metric", to_text(facts.metric)},
               {"references", facts.references},
               {"off_by", facts.off_by},
               {"evidence", facts.evidence},
               {"haystack", facts.haystack},
               {"tokens",
                {{"prompt", line.tokens.prompt},
                 {"reserve", line.tokens.reserve},
                 {"total", line.tokens.total},
                 {"prefix", line.tokens.prefix},
                 {"context", line.tokens.context}}}};
  if (facts.depth) json["depth"] = *facts.depth;
  if (facts.evidence_tokens.begin < facts.evidence_tokens.end)
    json["evidence_tokens"] = {{"begin", facts.evidence_tokens.begin},
                               {"end", facts.evidence_tokens.end}};
  if (!facts.variant.ordinary()) {
    json["variant"] = variant_json(facts.variant);
  }
  json["expects"] = expectation_json(facts.expectation);
  return json;
}

Result<SampleTokens> tokens_from(const JsonReader& reader) {
  SampleTokens tokens;
  TRY(tokens.prompt, reader.integer("prompt"));
  TRY(tokens.reserve, reader.integer("reserve"));
  TRY(tokens.total, reader.integer("total"));
  TRY(tokens.prefix, reader.integer("prefix"));
  TRY(tokens.context, reader.integer("context"));
  return tokens;
}

Result<TokenSpan> token_span_from(const JsonReader& reader) {
  TRY(const int64_t begin, reader.integer("begin"));
  TRY(const int64_t end, reader.integer("end"));
  if (begin < 0 || end < begin)
    return fail(ErrorCode::kInput, "{}: tokens {} to {} are no span", reader.where(), begin, end);
  return TokenSpan{static_cast<uint64_t>(begin), static_cast<uint64_t>(end)};
}

Result<SampleLine> line_from(std::string_view text, const std::string& where) {
  TRY(const Json json, parse_json(text, where));
  TRY(const JsonReader reader, JsonReader::of(json, where));
  SampleLine line;
  SampleFacts& facts = line.facts;
  TRY(facts.id, reader.text("id"));
  TRY(facts.hash, reader.text("hash"));
  TRY(facts.task, reader.text("task"));
  TRY(facts.cell, reader.text("cell"));
  TRY(facts.length, reader.integer("length"));
  TRY(facts.index, reader.integer("index"));
  TRY(const std::string metric, reader.text("metric"));
  TRY_CONTEXT(facts.metric, metric_from_text(metric), where);
  TRY(facts.references, reader.texts("references"));
  TRY(facts.off_by, reader.integer("off_by"));
  TRY(facts.evidence, reader.integer("evidence"));
  TRY(facts.haystack, reader.text("haystack"));
  if (reader.has("depth")) {
    TRY(facts.depth, reader.number("depth"));
  }
  if (reader.has("evidence_tokens")) {
    TRY(const JsonReader span, reader.object("evidence_tokens"));
    TRY(facts.evidence_tokens, token_span_from(span));
  }
  if (reader.has("variant")) {
    TRY(const JsonReader variant, reader.object("variant"));
    TRY(facts.variant, variant_from_json(variant));
  }
  if (reader.has("expects")) {
    TRY(const JsonReader expects, reader.object("expects"));
    TRY(facts.expectation, expectation_from_json(expects));
  }
  TRY(const JsonReader tokens, reader.object("tokens"));
  TRY(line.tokens, tokens_from(tokens));
  facts.prompt_tokens = line.tokens.prompt;
  return line;
}

constexpr size_t kChunk = 8192;  // lines that are parsed together

struct NumberedLine {
  size_t number = 0;
  std::string text;
};

// Appends what the lines say; the first error in their order.
Result<void> parse_lines(const std::string& path, const std::vector<NumberedLine>& chunk,
                         std::vector<SampleLine>& lines) {
  const size_t first = lines.size();
  lines.resize(first + chunk.size());
  std::vector<std::optional<Error>> errors(chunk.size());
  parallel_for(chunk.size(), 0, [&](size_t i) {
    auto line = line_from(chunk[i].text, fmt::format("{}:{}", path, chunk[i].number));
    if (line) {
      lines[first + i] = std::move(*line);
    } else {
      errors[i] = std::move(line).error();
    }
  });
  for (std::optional<Error>& error : errors)
    if (error) return fail(std::move(*error));
  return {};
}

}  // namespace

SampleLine line_of(const Sample& sample) { return {facts_of(sample), sample.tokens}; }

SampleInfo info_of(const SampleLine& line) {
  return {line.facts.id,    line.facts.hash,     line.facts.cell, line.facts.length,
          line.facts.index, line.facts.haystack, line.tokens};
}

Result<void> write_sample_index(const std::string& path, const std::vector<SampleLine>& lines) {
  TRY(LineWriter writer, LineWriter::create(path));
  for (const SampleLine& line : lines) TRY_VOID(writer.write(to_json_line(to_json(line))));
  return writer.finish();
}

Result<std::vector<SampleLine>> read_sample_index(const std::string& path) {
  std::vector<SampleLine> lines;
  std::vector<NumberedLine> chunk;
  const auto collect = [&](size_t number, std::string_view text) -> Result<void> {
    chunk.push_back({number, std::string(text)});
    if (chunk.size() < kChunk) return {};
    TRY_VOID(parse_lines(path, chunk, lines));
    chunk.clear();
    return {};
  };
  TRY_VOID(for_each_line(path, collect));
  TRY_VOID(parse_lines(path, chunk, lines));
  return lines;
}

bool is_current_sample_index(const std::string& path) {
  auto reader = LineReader::open(path);
  if (!reader) return false;
  std::string_view line;
  const auto found = reader->next(line);
  if (!found || !*found) return found.has_value();  // an empty one, of no samples, is complete
  const auto json = parse_json(line, path);
  return !json || !json->is_object() || json->contains("expects");
}

size_t keep_answered_samples(const std::string& path, std::vector<SampleLine>& lines) {
  auto older = read_sample_index(path);
  if (!older) return 0;
  std::unordered_map<std::string_view, SampleLine*> by_id;
  for (SampleLine& line : *older) by_id.emplace(line.facts.id, &line);
  size_t kept = 0;
  for (SampleLine& line : lines) {
    const auto found = by_id.find(line.facts.id);
    if (found == by_id.end() || found->second->facts.hash == line.facts.hash) continue;
    line = *found->second;
    ++kept;
  }
  return kept;
}

Result<size_t> remake_sample_index(const std::string& path, const Dataset& dataset,
                                   const std::function<void(int64_t, int64_t)>& progress) {
  TRY(const auto samples, open_samples(dataset));
  const int64_t count = dataset.manifest().samples;
  std::vector<SampleLine> lines;
  for (int64_t i = 0; i < count; ++i) {
    TRY(const Sample sample, samples->at(static_cast<size_t>(i)));
    lines.push_back(line_of(sample));
    progress(i + 1, count);
  }
  const size_t kept = keep_answered_samples(path, lines);
  TRY_VOID(write_sample_index(path, lines));
  return kept;
}

}  // namespace fathom

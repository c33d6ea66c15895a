#include "results/sample_index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "grade/expectation_json.h"
#include "io/json.h"
#include "io/json_fields.h"
#include "io/jsonl.h"
#include "io/parsed_lines.h"
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
  if (facts.place) json["place"] = *facts.place;
  json["expects"] = expectation_json(facts.expectation);
  return json;
}

Result<SampleTokens> tokens_from(const JsonFields& fields) {
  SampleTokens tokens;
  TRY(tokens.prompt, fields.integer("prompt"));
  TRY(tokens.reserve, fields.integer("reserve"));
  TRY(tokens.total, fields.integer("total"));
  TRY(tokens.prefix, fields.integer("prefix"));
  TRY(tokens.context, fields.integer("context"));
  return tokens;
}

Result<TokenSpan> token_span_from(const JsonFields& fields) {
  TRY(const uint64_t begin, fields.natural("begin"));
  TRY(const uint64_t end, fields.natural("end"));
  if (end < begin)
    return fail(ErrorCode::kInput, "{}: tokens {} to {} are no span", fields.where(), begin, end);
  return TokenSpan{begin, end};
}

Result<SampleFacts> facts_from(const JsonFields& fields) {
  SampleFacts facts;
  TRY(facts.id, fields.text("id"));
  TRY(facts.hash, fields.text("hash"));
  TRY(facts.task, fields.text("task"));
  TRY(facts.cell, fields.text("cell"));
  TRY(facts.length, fields.integer("length"));
  TRY(facts.index, fields.integer("index"));
  TRY(const std::string metric, fields.text("metric"));
  TRY_CONTEXT(facts.metric, metric_from_text(metric), std::string(fields.where()));
  TRY(facts.references, fields.texts("references"));
  TRY(facts.off_by, fields.integer("off_by"));
  TRY(facts.evidence, fields.integer("evidence"));
  TRY(facts.haystack, fields.text("haystack"));
  if (fields.has("depth")) {
    TRY(facts.depth, fields.number("depth"));
  }
  if (fields.has("evidence_tokens")) {
    TRY(const JsonFields span, fields.object("evidence_tokens"));
    TRY(facts.evidence_tokens, token_span_from(span));
  }
  if (fields.has("variant")) {
    TRY(const JsonFields variant, fields.object("variant"));
    TRY(facts.variant, variant_from_json(variant));
  }
  if (fields.has("place")) {
    TRY(const uint64_t place, fields.natural("place"));
    facts.place = static_cast<int64_t>(std::min<uint64_t>(place, INT64_MAX));
  }
  if (fields.has("expects")) {
    TRY(const JsonFields expects, fields.object("expects"));
    TRY(facts.expectation, expectation_from_json(expects));
  }
  return facts;
}

Result<SampleLine> line_from(std::string_view text, const std::string& where) {
  TRY(const JsonFields fields, parse_fields(text, where));
  SampleLine line;
  TRY(line.facts, facts_from(fields));
  TRY(const JsonFields tokens, fields.object("tokens"));
  TRY(line.tokens, tokens_from(tokens));
  line.facts.prompt_tokens = line.tokens.prompt;
  return line;
}

}  // namespace

SampleLine line_of(const Sample& sample) { return {facts_of(sample), sample.tokens}; }

SampleInfo info_of(const SampleLine& line) {
  return {line.facts.id,    line.facts.hash,     line.facts.cell, line.facts.length,
          line.facts.index, line.facts.haystack, line.tokens};
}

size_t place_in_dataset(const SampleFacts& facts, size_t line) {
  return facts.place ? static_cast<size_t>(*facts.place) : line;
}

std::vector<SampleLine> only_samples(std::vector<SampleLine> lines,
                                     const std::unordered_set<std::string>& ids) {
  std::vector<SampleLine> kept;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!ids.contains(lines[i].facts.id)) continue;
    SampleLine& line = kept.emplace_back(std::move(lines[i]));
    line.facts.place = static_cast<int64_t>(place_in_dataset(line.facts, i));
  }
  return kept;
}

Result<void> write_sample_index(const std::string& path, const std::vector<SampleLine>& lines) {
  TRY(LineWriter writer, LineWriter::create(path));
  for (const SampleLine& line : lines) TRY_VOID(writer.write(to_json_line(to_json(line))));
  return writer.finish();
}

Result<std::vector<SampleLine>> read_sample_index(const std::string& path) {
  std::vector<SampleLine> lines;
  ParsedLines<SampleLine> parsed(path, line_from, [&](SampleLine&& line) -> Result<void> {
    lines.push_back(std::move(line));
    return {};
  });
  TRY_VOID(for_each_line(
      path, [&](size_t number, std::string_view text) { return parsed.add(number, text); }));
  TRY_VOID(parsed.finish());
  return lines;
}

bool is_current_sample_index(const std::string& path) {
  auto reader = LineReader::open(path);
  if (!reader) return false;
  std::string_view line;
  const auto found = reader->next(line);
  if (!found || !*found) return found.has_value();  // an empty one, of no samples, is complete
  const auto fields = parse_fields(line, path);
  return !fields || fields->has("expects");
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

#include "results/sample_index.h"

#include "io/json.h"
#include "io/jsonl.h"

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
  TRY(const JsonReader tokens, reader.object("tokens"));
  TRY(line.tokens, tokens_from(tokens));
  facts.prompt_tokens = line.tokens.prompt;
  return line;
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
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    TRY(lines.emplace_back(), line_from(text, fmt::format("{}:{}", path, number)));
    return {};
  }));
  return lines;
}

}  // namespace fathom

#include "grade/expectation_json.h"

#include <string>
#include <string_view>
#include <vector>

namespace fathom {
namespace {

Result<Decoy> decoy_from(simdjson::dom::element row, const JsonFields& fields) {
  std::vector<std::string_view> texts;
  const auto wrong = [&] {
    return fail(fields.wrong("decoys", "a list of [kind, text] or [kind, text, of], texts all"));
  };
  simdjson::dom::array items;
  if (row.get(items) != simdjson::SUCCESS || items.size() < 2 || items.size() > 3) return wrong();
  for (const simdjson::dom::element item : items)
    if (item.get(texts.emplace_back()) != simdjson::SUCCESS) return wrong();
  Decoy decoy;
  TRY_CONTEXT(decoy.kind, decoy_kind_from_text(texts[0]), std::string(fields.where()));
  decoy.text = texts[1];
  if (texts.size() == 3) decoy.of = texts[2];
  return decoy;
}

}  // namespace

Json expectation_json(const Expectation& expectation) {
  Json json = {{"form", to_text(expectation.form)}};
  if (!expectation.keys.empty()) json["keys"] = expectation.keys;
  if (!expectation.decoys.empty()) {
    Json& decoys = json["decoys"] = Json::array();
    for (const Decoy& decoy : expectation.decoys) {
      Json& row = decoys.emplace_back(Json::array({to_text(decoy.kind), decoy.text}));
      if (!decoy.of.empty()) row.push_back(decoy.of);
    }
  }
  if (!expectation.all_decoys) json["all_decoys"] = false;
  if (!expectation.neighbours.empty()) json["neighbours"] = expectation.neighbours;
  if (!expectation.opening.empty()) json["opening"] = expectation.opening;
  if (!expectation.text.empty()) json["text"] = expectation.text.to_text();
  if (expectation.every_word) json["every_word"] = true;
  return json;
}

Result<Expectation> expectation_from_json(const JsonFields& fields) {
  Expectation expectation;
  TRY(const std::string form, fields.text("form"));
  TRY_CONTEXT(expectation.form, answer_form_from_text(form), std::string(fields.where()));
  if (fields.has("keys")) {
    TRY(expectation.keys, fields.texts("keys"));
  }
  if (fields.has("decoys")) {
    TRY(const auto decoys, fields.array("decoys"));
    expectation.decoys.reserve(decoys.size());
    for (const simdjson::dom::element each : decoys) {
      TRY(expectation.decoys.emplace_back(), decoy_from(each, fields));
    }
  }
  if (fields.has("all_decoys")) {
    TRY(expectation.all_decoys, fields.boolean("all_decoys"));
  }
  if (fields.has("neighbours")) {
    TRY(expectation.neighbours, fields.texts("neighbours"));
  }
  if (fields.has("opening")) {
    TRY(expectation.opening, fields.text("opening"));
  }
  if (fields.has("text")) {
    TRY(const std::string text, fields.text("text"));
    TRY_CONTEXT(expectation.text, TextFilter::from_text(text), std::string(fields.where()));
  }
  if (fields.has("every_word")) {
    TRY(expectation.every_word, fields.boolean("every_word"));
  }
  return expectation;
}

}  // namespace fathom

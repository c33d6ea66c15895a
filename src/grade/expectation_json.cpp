#include "grade/expectation_json.h"

#include <algorithm>

namespace fathom {
namespace {

Result<Decoy> decoy_from(const Json& json, const std::string& where) {
  const bool texts =
      json.is_array() && json.size() >= 2 && json.size() <= 3 &&
      std::all_of(json.begin(), json.end(), [](const Json& each) { return each.is_string(); });
  if (!texts)
    return fail(ErrorCode::kInput,
                "{}: a decoy must be [kind, text] or [kind, text, of], texts all", where);
  Decoy decoy;
  TRY_CONTEXT(decoy.kind, decoy_kind_from_text(json[0].get<std::string>()), where);
  decoy.text = json[1].get<std::string>();
  if (json.size() == 3) decoy.of = json[2].get<std::string>();
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

Result<Expectation> expectation_from_json(const JsonReader& reader) {
  Expectation expectation;
  TRY(const std::string form, reader.text("form"));
  TRY_CONTEXT(expectation.form, answer_form_from_text(form), reader.where());
  if (reader.has("keys")) {
    TRY(expectation.keys, reader.texts("keys"));
  }
  if (reader.has("decoys")) {
    TRY(const Json* decoys, reader.array("decoys"));
    for (const Json& each : *decoys) {
      TRY(Decoy decoy, decoy_from(each, reader.where()));
      expectation.decoys.push_back(std::move(decoy));
    }
  }
  if (reader.has("all_decoys")) {
    TRY(expectation.all_decoys, reader.boolean("all_decoys"));
  }
  if (reader.has("neighbours")) {
    TRY(expectation.neighbours, reader.texts("neighbours"));
  }
  if (reader.has("opening")) {
    TRY(expectation.opening, reader.text("opening"));
  }
  if (reader.has("text")) {
    TRY(const std::string text, reader.text("text"));
    TRY_CONTEXT(expectation.text, TextFilter::from_text(text), reader.where());
  }
  if (reader.has("every_word")) {
    TRY(expectation.every_word, reader.boolean("every_word"));
  }
  return expectation;
}

}  // namespace fathom

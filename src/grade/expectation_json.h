// An expectation as a line of samples.jsonl and a label file hold it (docs/formats/run.md,
// "expects").
#pragma once

#include "grade/expectation.h"
#include "io/json.h"
#include "io/json_fields.h"

namespace fathom {

// What is empty or as by default is left out.
[[nodiscard]] Json expectation_json(const Expectation& expectation);
// Errors: kInput "WHERE: …". Unknown keys are passed over.
[[nodiscard]] Result<Expectation> expectation_from_json(const JsonFields& fields);

}  // namespace fathom

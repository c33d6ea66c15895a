// The effective length as summary.json and the page hold it (docs/formats/page.md, "effective").
#pragma once

#include "io/json.h"
#include "stats/effective_length.h"

namespace fathom {

[[nodiscard]] Json effective_length_json(const EffectiveLength& effective);

}  // namespace fathom

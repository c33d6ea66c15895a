#include "results/effective_length_json.h"

#include <string>

namespace fathom {

Json effective_length_json(const EffectiveLength& effective) {
  return {{"kind", std::string(to_text(effective.kind))},
          {"threshold", effective.threshold},
          {"length", effective.length},
          {"low", effective.low},
          {"high", effective.high},
          {"first_failing", effective.first_failing},
          {"words", to_words(effective)}};
}

}  // namespace fathom

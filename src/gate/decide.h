// One number against one limit: the decision and its reason in words.
#pragma once

#include <string>

#include "gate/gate.h"

namespace fathom {

// Sets status and reason from figure, limits and `by`. `currency` is for kMoney.
void decide(GateCheck& check, DecidedBy by, const std::string& currency = "");

// A number in its unit, for people: "61.0 %", "−3.1 points", "1,204 tokens", "812 ms", "3.50 USD".
[[nodiscard]] std::string figure_text(double value, GateUnit unit,
                                      const std::string& currency = "");

// "61.0 % (50.2 to 70.9, n = 80)": without an interval where there is none.
[[nodiscard]] std::string estimate_text(const GateCheck& check, const std::string& currency = "");

// "at least 75.0 %", "at most 400 ms", "from 5 to 60 tokens".
[[nodiscard]] std::string limit_text(const GateCheck& check, const std::string& currency = "");

}  // namespace fathom

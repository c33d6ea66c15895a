// What the readings of effective_length.h share.
#pragma once

#include "stats/effective_length.h"

namespace fathom {

inline constexpr double kEffectiveRounding =
    1e-12;  // a mean of .856 computed as .85599999999999998

// From shortest, longest, length, low and high.
[[nodiscard]] EffectiveLengthKind effective_kind(const EffectiveLength& effective);

}  // namespace fathom

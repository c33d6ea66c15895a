// Intervals of a linear combination of estimates from their own limits: MOVER, the method of
// variance estimates recovery (Zou & Donner, Statistics in Medicine 27, 2008; with correlations:
// Zou, Statistics in Medicine 28, 2009).
#pragma once

#include <span>

#include "stats/estimate.h"

namespace fathom {

// Σ coefficients[i] * parts[i]. `correlations` of the parts' values is row-major and symmetric;
// empty: independent. Unknown parts must have coefficient 0. n is the least n of the parts used.
[[nodiscard]] Estimate mover(std::span<const Estimate> parts, std::span<const double> coefficients,
                             std::span<const double> correlations = {});

}  // namespace fathom

// p values of many tests at once, adjusted: compare each with the level as if it stood alone.
#pragma once

#include <span>
#include <vector>

namespace fathom {

// Family-wise error (Holm, Scandinavian Journal of Statistics 6, 1979): true for any dependence.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

// False discovery rate (Benjamini & Hochberg, JRSS B 57, 1995): independent or positively dependent
// tests.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace fathom

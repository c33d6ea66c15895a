// Numbers in IEEE 754's binary16, as key-value caches hold them.
#pragma once

#include <bit>
#include <cstdint>

namespace fathom {

// Exact.
[[nodiscard]] constexpr float float_of_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16;
  const uint32_t exponent = half >> 10 & 0x1FU;
  const uint32_t fraction = half & 0x3FFU;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -small : small;
}

// The nearest one, of two equally near the even one; too large ones become infinite.
[[nodiscard]] constexpr uint16_t half_of(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000U);
  const uint32_t size = bits & 0x7FFFFFFFU;
  if (size > 0x7F800000U) return static_cast<uint16_t>(sign | 0x7E00U);   // not a number
  if (size >= 0x477FF000U) return static_cast<uint16_t>(sign | 0x7C00U);  // from 65520 on
  if (size < 0x38800000U) {  // below 2^-14: multiples of 2^-24, rounded by the addition
    const float shifted = std::bit_cast<float>(size) + 0.5F;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000U));
  }
  const uint32_t odd = size >> 13 & 1U;
  return static_cast<uint16_t>(sign | (size - 0x38000000U + 0xFFFU + odd) >> 13);
}

}  // namespace fathom

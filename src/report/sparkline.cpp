#include "report/sparkline.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fathom {

std::string sparkline(std::span<const std::optional<double>> shares) {
  constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const std::optional<double>& share : shares) {
    if (!share) {
      text += "·";
      continue;
    }
    const auto height = static_cast<size_t>(std::clamp(*share, 0.0, 1.0) * kBlocks.size());
    text += kBlocks[std::min(height, kBlocks.size() - 1)];
  }
  return text;
}

}  // namespace fathom

#include "corpus/noise.h"

#include <fmt/ranges.h>

#include "io/embedded.h"
#include "text/lines.h"
#include "text/sentences.h"

namespace fathom {
namespace {

std::vector<Noise> parse(std::string_view text) {
  std::vector<Noise> all;
  for (const std::string_view line : split_lines(text)) {
    const size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    Noise noise{.name = std::string(line.substr(0, colon)), .sentences = {}};
    const std::string_view sentences = line.substr(colon + 2);
    for (const ByteSpan& span : split_sentences(sentences))
      noise.sentences.emplace_back(sentences.substr(span.begin, span.end - span.begin));
    all.push_back(std::move(noise));
  }
  return all;
}

const std::vector<Noise>& fillers() {
  static const std::vector<Noise> all = parse(embedded_file("noise/fillers.txt").value_or(""));
  return all;
}

}  // namespace

std::string Noise::line() const { return fmt::format("{}", fmt::join(sentences, " ")); }

Result<Noise> find_noise(std::string_view name) {
  for (const Noise& noise : fillers())
    if (noise.name == name) return noise;
  return fail(ErrorCode::kInput, "noise '{}' is not known; choose one of: {}", name,
              fmt::join(noise_names(), ", "));
}

std::vector<std::string> noise_names() {
  std::vector<std::string> names;
  for (const Noise& noise : fillers()) names.push_back(noise.name);
  return names;
}

}  // namespace fathom

#include "corpus/random_texts.h"

#include <cmath>

namespace fathom {

std::string_view to_text(TextKind kind) {
  switch (kind) {
    case TextKind::kWords:
      return "words";
    case TextKind::kNumbers:
      return "numbers";
    case TextKind::kUuids:
      return "uuids";
  }
  return "";
}

Result<TextKind> text_kind_from_text(std::string_view text) {
  for (const TextKind kind : {TextKind::kWords, TextKind::kNumbers, TextKind::kUuids})
    if (text == to_text(kind)) return kind;
  return fail(ErrorCode::kInput, "'{}' is no kind of key or value; choose words, numbers or uuids",
              text);
}

std::string random_number(int digits, Random& random) {
  int64_t low = 1;
  for (int i = 1; i < digits; ++i) low *= 10;
  return std::to_string(random.between(low, 10 * low - 1));
}

std::string random_uuid(Random& random) {
  static constexpr char kDigits[] = "0123456789abcdef";
  uint64_t high = random.next();
  uint64_t low = random.next();
  high = (high & ~uint64_t{0xF000}) | 0x4000;             // version 4
  low = (low & 0x3FFFFFFFFFFFFFFF) | 0x8000000000000000;  // RFC 9562 variant
  std::string out;
  out.reserve(36);
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    out += kDigits[((i < 16 ? high : low) >> (60 - 4 * (i % 16))) & 15];
  }
  return out;
}

std::string random_letters(int letters, char first, Random& random) {
  std::string out;
  for (int i = 0; i < letters; ++i)
    out += static_cast<char>(first + static_cast<char>(random.below(26)));
  return out;
}

template <typename Make>
Result<std::string> DistinctTexts::fresh(double possible, std::string_view what, Make make) {
  // Where only one in a hundred is free, drawing takes some hundred tries; a thousand times that
  // means none is left.
  for (double tries = 0; tries < 1000 + 100 * possible && tries < 1e6; ++tries) {
    std::string text = make();
    if (reserve(text)) return text;
  }
  return fail(
      ErrorCode::kInput,
      "no further {} can be drawn: there are only {:.0f}, and one sample must not repeat any; "
      "ask for fewer or for longer ones",
      what, possible);
}

Result<std::string> DistinctTexts::draw(TextKind kind, Random& random) {
  switch (kind) {
    case TextKind::kWords:
      return fresh(static_cast<double>(pool_->pair_count()), "adjective-noun pair",
                   [&] { return pool_->pair(random.below(pool_->pair_count())); });
    case TextKind::kNumbers:
      return number(7, random);
    case TextKind::kUuids:
      return fresh(std::ldexp(1.0, 122), "UUID", [&] { return random_uuid(random); });
  }
  return fail(ErrorCode::kInternal, "kind of text {} does not exist", static_cast<int>(kind));
}

Result<std::string> DistinctTexts::number(int digits, Random& random) {
  return fresh(0.9 * std::pow(10.0, digits), fmt::format("{}-digit number", digits),
               [&] { return random_number(digits, random); });
}

Result<std::string> DistinctTexts::upper_word(int letters, Random& random) {
  return fresh(std::pow(26.0, letters), fmt::format("name of {} letters", letters),
               [&] { return random_letters(letters, 'A', random); });
}

Result<std::string> DistinctTexts::lower_word(int letters, Random& random) {
  return fresh(std::pow(26.0, letters), fmt::format("word of {} letters", letters),
               [&] { return random_letters(letters, 'a', random); });
}

Result<std::string> DistinctTexts::pool_word(Random& random) {
  return fresh(static_cast<double>(pool_->words().size()), "word of the pool",
               [&] { return pool_->words()[random.below(pool_->words().size())]; });
}

}  // namespace fathom

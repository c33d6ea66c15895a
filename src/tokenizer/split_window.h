// Splitting sixty-four bytes of ASCII at once: each class of characters becomes a 64-bit mask, and
// where words start follows from shifts of the masks. A window begins at the start of a word, so it
// needs no memory of what was before; what cannot be told inside it (other characters, rare turns,
// its last word) is left to the scanner that goes character by character.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tokenizer/split_grammar.h"

namespace fathom {

// One bit per byte of the window.
struct WindowMasks {
  uint64_t letters = 0;
  uint64_t upper = 0;
  uint64_t digits = 0;
  uint64_t spaces = 0;    // U+0020
  uint64_t tabs = 0;      // the other whitespace but line ends
  uint64_t newlines = 0;  // CR and LF
  uint64_t apostrophes = 0;
  uint64_t slashes = 0;
  uint64_t controls = 0;  // and DEL; not whitespace
  uint64_t others = 0;    // not ASCII
};

inline constexpr size_t kWindowBytes = 64;

#if defined(__SSE2__)

// Requires: kWindowBytes readable bytes at p.
inline WindowMasks window_masks(const uint8_t* p) {
  WindowMasks masks;
  const auto byte = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
  // Bytes from `low` on, `count` of them.
  const auto range = [&](__m128i v, int low, int count) {
    const __m128i from = _mm_sub_epi8(v, byte(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(from, byte(count - 1)), from);
  };
  const auto bits = [](__m128i v) {
    return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(v)));
  };
  for (ptrdiff_t part = 0; part < 4; ++part) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * part));
    const ptrdiff_t shift = 16 * part;
    const __m128i newline =
        _mm_or_si128(_mm_cmpeq_epi8(v, byte('\n')), _mm_cmpeq_epi8(v, byte('\r')));
    const __m128i white = range(v, '\t', 5);
    masks.letters |= bits(range(_mm_or_si128(v, byte(0x20)), 'a', 26)) << shift;
    masks.upper |= bits(range(v, 'A', 26)) << shift;
    masks.digits |= bits(range(v, '0', 10)) << shift;
    masks.spaces |= bits(_mm_cmpeq_epi8(v, byte(' '))) << shift;
    masks.newlines |= bits(newline) << shift;
    masks.tabs |= bits(_mm_andnot_si128(newline, white)) << shift;
    masks.apostrophes |= bits(_mm_cmpeq_epi8(v, byte('\''))) << shift;
    masks.slashes |= bits(_mm_cmpeq_epi8(v, byte('/'))) << shift;
    masks.controls |=
        bits(_mm_or_si128(_mm_andnot_si128(white, range(v, 0, 32)), _mm_cmpeq_epi8(v, byte(0x7F))))
        << shift;
    masks.others |= bits(v) << shift;
  }
  return masks;
}

#else

inline WindowMasks window_masks(const uint8_t* p) {
  WindowMasks masks;
  for (size_t i = 0; i < kWindowBytes; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const uint8_t c = p[i];
    const bool white = c >= '\t' && c <= '\r';
    if (static_cast<uint8_t>((c | 0x20) - 'a') < 26) masks.letters |= bit;
    if (static_cast<uint8_t>(c - 'A') < 26) masks.upper |= bit;
    if (static_cast<uint8_t>(c - '0') < 10) masks.digits |= bit;
    if (c == ' ') masks.spaces |= bit;
    if (c == '\n' || c == '\r') masks.newlines |= bit;
    if (white && c != '\n' && c != '\r') masks.tabs |= bit;
    if (c == '\'') masks.apostrophes |= bit;
    if (c == '/') masks.slashes |= bit;
    if ((c < 32 && !white) || c == 0x7F) masks.controls |= bit;
    if (c >= 0x80) masks.others |= bit;
  }
  return masks;
}

#endif

inline constexpr uint64_t low_bits(size_t n) {
  return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
}

// Where words start in a window; only bits below `sure` are to be trusted.
struct WindowStarts {
  uint64_t starts = 0;
  size_t sure = 0;
};

// Lengthens or drops starts around contractions. `contraction(i)` gives the bytes of the
// contraction at bit i, or 0.
template <Contractions kind, typename Contraction>
inline void fix_contractions(const WindowMasks& m, size_t known, const Contraction& contraction,
                             WindowStarts& window) {
  if constexpr (kind == Contractions::kNone) return;
  constexpr bool kSuffix = kind == Contractions::kSuffix;
  // Standing alone, an apostrophe must start a word; as a suffix, it must follow one.
  const uint64_t place = kSuffix ? m.letters << 1 : window.starts;
  // The last known byte counts too: a contraction may go on with U+017F.
  uint64_t left = m.apostrophes & place & (m.letters >> 1 | ~low_bits(known - 1)) & low_bits(known);
  size_t last_end = 0;
  for (; left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(left));
    if (i + 3 > known) {
      window.sure = std::min(window.sure, kSuffix ? i : i + 1);
      return;
    }
    if (kSuffix && i == last_end) continue;
    const size_t bytes = contraction(i);
    if (bytes == 0) continue;
    const size_t end = i + bytes;
    last_end = end;
    window.starts &= ~(low_bits(end) & ~low_bits(kSuffix ? i : i + 1));
    if (end < 64) window.starts |= uint64_t{1} << end & m.letters;
  }
}

// Requires: a word starts at bit 0. `bytes`: how many bytes of the window belong to the range that
// is split.
template <SplitGrammar grammar, typename Contraction>
inline WindowStarts window_starts(const WindowMasks& m, size_t bytes,
                                  const Contraction& contraction) {
  constexpr bool kSplice = grammar.words == WordRule::kAsciiSplice;
  const uint64_t foreign = kSplice ? m.others | m.controls | m.digits : m.others;
  const size_t known = std::min<size_t>(bytes, static_cast<size_t>(std::countr_zero(foreign)));
  const uint64_t thin = m.spaces | m.tabs;  // whitespace but line ends
  const uint64_t white = thin | m.newlines;
  const uint64_t punct = ~(m.letters | m.digits | white);
  const uint64_t punct_starts = punct & ~((punct | m.spaces) << 1);
  const uint64_t white_starts = white & ~(white << 1);
  uint64_t doubtful = 0;

  WindowStarts window;
  if constexpr (grammar.words == WordRule::kAfterSpace) {
    const uint64_t letter_starts = m.letters & ~((m.letters | m.spaces) << 1);
    const uint64_t digit_starts = m.digits & ~((m.digits | m.spaces) << 1);
    const uint64_t white_ends = white & ~(white >> 1);
    window.starts = punct_starts | letter_starts | digit_starts | white_starts | white_ends;
  } else {
    uint64_t letter_starts = m.letters & ~((m.letters | thin | punct_starts) << 1);
    if constexpr (grammar.words == WordRule::kCased)
      letter_starts |= m.upper & ((m.letters & ~m.upper) << 1);
    uint64_t digit_starts = m.digits;
    if constexpr (grammar.digits == DigitRule::kThree) {
      digit_starts &= ~(m.digits << 1);
      const uint64_t after_three = m.digits & m.digits << 1 & m.digits << 2 & m.digits << 3;
      for (uint64_t more = digit_starts << 3 & after_three; more != 0;
           more = more << 3 & after_three)
        digit_starts |= more;
    }
    const uint64_t after_newline = thin & m.newlines << 1;
    const uint64_t thin_ends = thin & ~(white >> 1);
    // Whitespace after a line end, then another line end: one piece up to the last line end of the
    // run.
    if (((after_newline + thin) & m.newlines) != 0) doubtful = after_newline;
    if constexpr (grammar.tail == PunctuationTail::kNewlinesAndSlashes)
      doubtful |= m.slashes & m.newlines << 1;
    window.starts = punct_starts | letter_starts | digit_starts |
                    (white_starts & ~(m.newlines & punct << 1)) | after_newline | thin_ends;
  }
  window.starts |= 1;

  // A run of whitespace that touches the unknown can only be trusted at its first character.
  window.sure = known;
  const uint64_t solid = ~white & low_bits(known);
  if (solid == 0) return {1, 0};
  const auto last_solid = static_cast<size_t>(63 - std::countl_zero(solid));
  if (last_solid + 1 < known) window.sure = last_solid + 2;
  if (doubtful != 0)
    window.sure = std::min<size_t>(window.sure, static_cast<size_t>(std::countr_zero(doubtful)));
  fix_contractions<grammar.contractions>(m, known, contraction, window);
  return window;
}

}  // namespace fathom

#include "tokenizer/split_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tokenizer/split_window.h"
#include "tokenizer/unicode_classes.h"

namespace fathom {

namespace {

using Byte = uint8_t;
using Bytes = const uint8_t*;

struct Classified {
  Byte cls = 0;
  Byte bytes = 0;
};

inline Classified classify(Bytes p, Bytes end, const Byte* classes) {
  if (*p < 0x80) return {classes[*p], 1};
  const CodePoint point = decode_code_point(p, end);
  return {classes[point.value], static_cast<Byte>(point.bytes)};
}

inline bool is_newline(Byte c) { return c == '\n' || c == '\r'; }
inline bool is_ascii_letter(Byte c) { return static_cast<Byte>((c | 0x20) - 'a') < 26; }

// The first byte at or after p that is no ASCII letter; eight bytes at a time.
inline Bytes skip_ascii_letters(Bytes p, Bytes end) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  while (end - p >= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    const uint64_t low = (word | kOnes * 0x20) & kOnes * 0x7F;
    const uint64_t at_least_a = low + kOnes * (0x80 - 'a');
    const uint64_t beyond_z = low + kOnes * (0x80 - 'z' - 1);
    const uint64_t other = (~at_least_a | beyond_z | word) & kOnes * 0x80;
    if (other != 0) {
      if constexpr (std::endian::native == std::endian::little)
        return p + (std::countr_zero(other) >> 3);
      return p + (std::countl_zero(other) >> 3);
    }
    p += 8;
  }
  while (p < end && is_ascii_letter(*p)) ++p;
  return p;
}

inline Bytes skip_class(Bytes p, Bytes end, const Byte* classes, Byte wanted) {
  while (p < end) {
    const Classified at = classify(p, end, classes);
    if ((at.cls & wanted) == 0) break;
    p += at.bytes;
  }
  return p;
}

inline Bytes skip_not_class(Bytes p, Bytes end, const Byte* classes, Byte unwanted) {
  while (p < end) {
    const Classified at = classify(p, end, classes);
    if ((at.cls & unwanted) != 0) break;
    p += at.bytes;
  }
  return p;
}

// Letters (and marks, if `wanted` has them) from p on.
inline Bytes skip_letters(Bytes p, Bytes end, const Byte* classes, Byte wanted) {
  for (;;) {
    p = skip_ascii_letters(p, end);
    if (p == end || *p < 0x80) return p;
    const Bytes next = skip_class(p, end, classes, wanted);
    if (next == p) return p;
    p = next;
  }
}

// Bytes of the contraction at p, where *p is an apostrophe; 0 if there is none.
template <Contractions kind>
inline size_t contraction_bytes(Bytes p, Bytes end) {
  constexpr Byte kFold = kind == Contractions::kLowerCase ? 0 : 0x20;
  if (end - p < 2) return 0;
  const Byte a = p[1] | kFold;
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
  if (end - p < 3) return 0;
  const Byte b = p[2] | kFold;
  if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return 3;
  if constexpr (kind == Contractions::kAnyCase || kind == Contractions::kSuffix)
    if (p[1] == 0xC5 && p[2] == 0xBF) return 3;  // U+017F folds to s
  return 0;
}

template <SplitGrammar grammar>
class Scanner final : public SplitRule {
 public:
  size_t split(std::string_view text, ByteSpan range, size_t position, size_t* ends,
               size_t max) const override {
    const Bytes base = reinterpret_cast<Bytes>(text.data());
    const Bytes readable = base + text.size();
    const Bytes stop = base + range.end;
    Bytes p = base + position;
    size_t n = 0;
    while (n < max && p < stop) {
      if (readable - p >= static_cast<std::ptrdiff_t>(kWindowBytes)) {
        const Bytes window_end = p + std::min<std::ptrdiff_t>(kWindowBytes, stop - p);
        const size_t found = split_window(base, p, window_end, ends + n, max - n);
        n += found;
        const Bytes window = p;
        if (found > 0) p = base + ends[n - 1];
        if (n == max) break;
        if (p - window >= kFar) continue;
        // The word that the window could not tell, and the rest of it if there was little to see.
        const Bytes resume = found >= kFruitful ? p + 1 : window_end;
        do {
          p = next(p, stop, classes_);
          ends[n++] = static_cast<size_t>(p - base);
        } while (n < max && p < resume);
        continue;
      }
      p = next(p, stop, classes_);
      ends[n++] = static_cast<size_t>(p - base);
    }
    return n;
  }

 private:
  static constexpr bool kMarksAreLetters =
      grammar.words == WordRule::kWithMarks || grammar.words == WordRule::kAsciiSplice;
  static constexpr Byte kWord = kMarksAreLetters ? kClassLetter | kClassMark : kClassLetter;
  // A window that got this far: the next one may begin with the word that this one cut.
  static constexpr std::ptrdiff_t kFar = 40;
  // Fewer words than this in a window: its text is not the kind that windows are for.
  static constexpr size_t kFruitful = 4;
  // What punctuation is not.
  static constexpr Byte kNoPunct = kWord | kClassNumber | kClassSpace;

  // The ends of words inside the window that begins at p, where a word starts. Returns how many.
  static size_t split_window(Bytes base, Bytes p, Bytes window_end, size_t* ends, size_t max) {
    const auto contraction = [&](size_t i) {
      return contraction_bytes<grammar.contractions>(p + i, window_end);
    };
    const WindowStarts window =
        window_starts<grammar>(window_masks(p), static_cast<size_t>(window_end - p), contraction);
    const auto offset = static_cast<size_t>(p - base);
    size_t n = 0;
    for (uint64_t left = window.starts & low_bits(window.sure) & ~uint64_t{1}; left != 0 && n < max;
         left &= left - 1)
      ends[n++] = offset + static_cast<size_t>(std::countr_zero(left));
    return n;
  }

  static Bytes next(Bytes p, Bytes end, const Byte* classes) {
    if constexpr (grammar.words == WordRule::kAfterSpace) return next_after_space(p, end, classes);
    if constexpr (grammar.words == WordRule::kCased) return next_cased(p, end, classes);
    if constexpr (grammar.words == WordRule::kAsciiSplice)
      return next_ascii_splice(p, end, classes);
    return next_after_any(p, end, classes);
  }

  static Bytes next_after_space(Bytes p, Bytes end, const Byte* classes) {
    if constexpr (grammar.contractions != Contractions::kNone)
      if (*p == '\'')
        if (const size_t n = contraction_bytes<grammar.contractions>(p, end)) return p + n;
    const Bytes q = p + (*p == ' ' && end - p > 1);
    const Classified at = classify(q, end, classes);
    if (at.cls & kClassLetter) return skip_letters(q + at.bytes, end, classes, kClassLetter);
    if (at.cls & kClassNumber) return skip_class(q + at.bytes, end, classes, kClassNumber);
    if ((at.cls & kClassSpace) == 0) return skip_not_class(q + at.bytes, end, classes, kNoPunct);
    return whitespace(p, end, classes);
  }

  static Bytes next_after_any(Bytes p, Bytes end, const Byte* classes) {
    if constexpr (grammar.contractions != Contractions::kNone)
      if (*p == '\'')
        if (const size_t n = contraction_bytes<grammar.contractions>(p, end)) return p + n;
    const Classified at = classify(p, end, classes);
    if (at.cls & kWord) return skip_letters(p + at.bytes, end, classes, kWord);
    if (at.cls & kClassNumber) return digits(p, at.bytes, end, classes);
    const Bytes q = p + at.bytes;
    if (q < end && !is_newline(*p)) {
      const Classified second = classify(q, end, classes);
      if (second.cls & kWord) return skip_letters(q + second.bytes, end, classes, kWord);
      if (*p == ' ' && (second.cls & kNoPunct) == 0)
        return tail(skip_not_class(q + second.bytes, end, classes, kNoPunct), end);
    }
    if (at.cls & kClassSpace) return whitespace(p, end, classes);
    return tail(skip_not_class(q, end, classes, kNoPunct), end);
  }

  static Bytes next_cased(Bytes p, Bytes end, const Byte* classes) {
    const Classified at = classify(p, end, classes);
    const bool may_lead = !is_newline(*p) && (at.cls & (kClassLetter | kClassNumber)) == 0;
    if ((at.cls & kCasedWord) != 0 || may_lead)
      if (const Bytes stop = cased_word(p, at, may_lead, end, classes)) return suffix(stop, end);
    if (at.cls & kClassNumber) return digits(p, at.bytes, end, classes);
    const Bytes q = p + at.bytes;
    if (*p == ' ' && q < end) {
      const Classified second = classify(q, end, classes);
      if ((second.cls & kNoPunct) == 0)
        return tail(skip_not_class(q + second.bytes, end, classes, kNoPunct), end);
    }
    if (at.cls & kClassSpace) return whitespace(p, end, classes);
    return tail(skip_not_class(q, end, classes, kNoPunct), end);
  }

  // The four ways of the two word alternatives, in the order a backtracking engine tries them; null
  // if all fail.
  static Bytes cased_word(Bytes p, Classified at, bool may_lead, Bytes end, const Byte* classes) {
    const bool starts_word = (at.cls & kCasedWord) != 0;
    const Bytes q = p + at.bytes;
    CasedRun led;
    CasedRun plain;
    if (may_lead) {
      led = cased_run(q, end, classes);
      if (led.lower_end) return led.lower_end;
    }
    if (starts_word) {
      plain = cased_run(p, end, classes);
      if (plain.lower_end) return plain.lower_end;
    }
    if (led.upper_end) return led.upper_end;
    return plain.upper_end;
  }

  struct CasedRun {
    Bytes lower_end = nullptr;  // of UPPER* LOWER+
    Bytes upper_end = nullptr;  // of UPPER+ LOWER*, where the first does not match
  };

  static CasedRun cased_run(Bytes p, Bytes end, const Byte* classes) {
    CasedRun run;
    const Bytes begin = p;
    Bytes after_both = nullptr;
    while (p < end) {
      const Classified at = classify(p, end, classes);
      if ((at.cls & kUpper) == 0) {
        if (at.cls & kLower) after_both = skip_lower(p + at.bytes, end, classes);
        break;
      }
      p += at.bytes;
      if (at.cls & kLower) after_both = p;
    }
    run.lower_end = after_both;
    if (p > begin) run.upper_end = p;
    return run;
  }

  static Bytes skip_lower(Bytes p, Bytes end, const Byte* classes) {
    return skip_class(p, end, classes, kLower);
  }

  static constexpr Byte kUpper = kClassUpper | kClassMark;
  static constexpr Byte kLower = kClassLower | kClassMark;
  static constexpr Byte kCasedWord = kUpper | kLower;

  static Bytes suffix(Bytes p, Bytes end) {
    if constexpr (grammar.contractions == Contractions::kSuffix)
      if (p < end && *p == '\'') return p + contraction_bytes<Contractions::kSuffix>(p, end);
    return p;
  }

  static Bytes next_ascii_splice(Bytes p, Bytes end, const Byte* classes) {
    constexpr Byte kMarkup = kClassPunct | kClassSymbol;
    const Classified at = classify(p, end, classes);
    const Bytes q = p + at.bytes;
    if (at.cls & kWord) return skip_letters(q, end, classes, kWord);
    if (*p < 0x80 && (at.cls & kMarkup) && q < end && is_ascii_letter(*q))
      return skip_ascii_letters(q, end);
    const Classified second = q < end ? classify(q, end, classes) : Classified{};
    if ((at.cls & kMarkup) == 0 && !is_newline(*p) && (second.cls & kWord))
      return skip_letters(q + second.bytes, end, classes, kWord);
    if (*p == ' ' && (second.cls & kMarkup))
      return tail(skip_class(q + second.bytes, end, classes, kMarkup), end);
    if (at.cls & kMarkup) return tail(skip_class(q, end, classes, kMarkup), end);
    if (at.cls & kClassSpace) return whitespace(p, end, classes);
    return unmatched(p, at, end, classes);
  }

  // Text that no alternative matches, up to where one does.
  static Bytes unmatched(Bytes p, Classified at, Bytes end, const Byte* classes) {
    constexpr Byte kStarts = kWord | kClassPunct | kClassSymbol | kClassSpace;
    Bytes q = p + at.bytes;
    while (q < end) {
      const Classified here = classify(q, end, classes);
      if (here.cls & kStarts) break;
      const Bytes after = q + here.bytes;
      if (after < end && (classify(after, end, classes).cls & kWord)) break;
      q = after;
    }
    return q;
  }

  static Bytes digits(Bytes p, size_t bytes, Bytes end, const Byte* classes) {
    p += bytes;
    if constexpr (grammar.digits == DigitRule::kThree) {
      for (int i = 0; i < 2 && p < end; ++i) {
        const Classified at = classify(p, end, classes);
        if ((at.cls & kClassNumber) == 0) break;
        p += at.bytes;
      }
    }
    return p;
  }

  static Bytes tail(Bytes p, Bytes end) {
    if constexpr (grammar.tail == PunctuationTail::kNewlines)
      while (p < end && is_newline(*p)) ++p;
    if constexpr (grammar.tail == PunctuationTail::kNewlinesAndSlashes)
      while (p < end && (is_newline(*p) || *p == '/')) ++p;
    return p;
  }

  static Bytes whitespace(Bytes p, Bytes end, const Byte* classes) {
    Bytes last = p;  // start of the run's last character
    Bytes after_newline = nullptr;
    Bytes q = p;
    while (q < end) {
      const Classified at = classify(q, end, classes);
      if ((at.cls & kClassSpace) == 0) break;
      last = q;
      if (is_newline(*q)) after_newline = q + 1;
      q += at.bytes;
    }
    if constexpr (grammar.whole_run_at_end)
      if (q == end) return q;
    if constexpr (grammar.newline_runs)
      if (after_newline) return after_newline;
    return q == end || last == p ? q : last;
  }

  const Byte* classes_ = unicode_classes();
};

// Pieces that are runs of one class, and the text between them.
class ClassRunRule final : public SplitRule {
 public:
  explicit ClassRunRule(ClassRun run) : run_(run) {}

  size_t split(std::string_view text, ByteSpan range, size_t position, size_t* ends,
               size_t max) const override {
    const Bytes base = reinterpret_cast<Bytes>(text.data());
    const Bytes stop = base + range.end;
    Bytes p = base + position;
    size_t n = 0;
    while (n < max && p < stop) {
      p = next(p, stop);
      ends[n++] = static_cast<size_t>(p - base);
    }
    return n;
  }

 private:
  Bytes next(Bytes p, Bytes end) const {
    switch (run_) {
      case ClassRun::kNumberOne:
        return run_or_gap(p, end, kClassNumber, 1);
      case ClassRun::kNumberThree:
        return run_or_gap(p, end, kClassNumber, 3);
      case ClassRun::kNumberRun:
        return run_or_gap(p, end, kClassNumber, SIZE_MAX);
      case ClassRun::kHanRun:
        return run_or_gap(p, end, kClassHan, SIZE_MAX);
      case ClassRun::kThreeAsciiDigits:
        return three_digits_or_gap(p, end);
      case ClassRun::kNewlineOne:
        return newline_or_gap(p, end);
    }
    return end;
  }

  Bytes run_or_gap(Bytes p, Bytes end, Byte wanted, size_t most) const {
    const Classified first = classify(p, end, classes_);
    if ((first.cls & wanted) == 0) return skip_not_class(p + first.bytes, end, classes_, wanted);
    for (size_t i = 0; i < most && p < end; ++i) {
      const Classified at = classify(p, end, classes_);
      if ((at.cls & wanted) == 0) break;
      p += at.bytes;
    }
    return p;
  }

  static Bytes three_digits_or_gap(Bytes p, Bytes end) {
    const auto three = [end](Bytes q) {
      const auto digit = [](Byte c) { return static_cast<Byte>(c - '0') < 10; };
      return end - q >= 3 && digit(q[0]) && digit(q[1]) && digit(q[2]);
    };
    if (three(p)) return p + 3;
    while (++p < end && !three(p)) {
    }
    return p;
  }

  static Bytes newline_or_gap(Bytes p, Bytes end) {
    if (is_newline(*p)) return p + 1;
    while (++p < end && !is_newline(*p)) {
    }
    return p;
  }

  ClassRun run_;
  const Byte* classes_ = unicode_classes();
};

template <Contractions contractions, WordRule words, DigitRule digits, PunctuationTail tail,
          bool newlines, bool whole>
std::unique_ptr<SplitRule> scanner_if(const SplitGrammar& g) {
  constexpr SplitGrammar kThis{contractions, words, digits, tail, newlines, whole};
  if (g.contractions != contractions || g.words != words || g.digits != digits || g.tail != tail ||
      g.newline_runs != newlines || g.whole_run_at_end != whole)
    return nullptr;
  return std::make_unique<Scanner<kThis>>();
}

}  // namespace

std::unique_ptr<SplitRule> make_split_rule(const SplitGrammar& grammar) {
  using enum Contractions;
  using enum WordRule;
  using C = Contractions;
  using D = DigitRule;
  using P = PunctuationTail;
  constexpr std::unique_ptr<SplitRule> (*kMakers[])(const SplitGrammar&) = {
      scanner_if<kLowerCase, kAfterSpace, D::kRunAfterSpace, P::kNone, false, false>,
      scanner_if<kAnyCase, kAfterAny, D::kThree, P::kNewlines, true, false>,
      scanner_if<kAnyCase, kAfterAny, D::kThree, P::kNewlines, true, true>,
      scanner_if<kAsciiCase, kAfterAny, D::kThree, P::kNewlines, true, false>,
      scanner_if<kAnyCase, kAfterAny, D::kOne, P::kNewlines, true, false>,
      scanner_if<kAsciiCase, kAfterAny, D::kOne, P::kNewlines, true, false>,
      scanner_if<kAnyCase, kWithMarks, D::kOne, P::kNewlines, true, false>,
      scanner_if<kAsciiCase, kWithMarks, D::kOne, P::kNewlines, true, false>,
      scanner_if<kSuffix, kCased, D::kThree, P::kNewlinesAndSlashes, true, false>,
      scanner_if<C::kNone, kCased, D::kOne, P::kNewlinesAndSlashes, true, false>,
      scanner_if<C::kNone, kAsciiSplice, D::kNone, P::kNewlines, true, false>,
  };
  for (const auto make : kMakers)
    if (auto rule = make(grammar)) return rule;
  return nullptr;
}

std::unique_ptr<SplitRule> make_split_rule(ClassRun run) {
  return std::make_unique<ClassRunRule>(run);
}

}  // namespace fathom

#include "corpus/prose_clean.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "text/lines.h"

namespace fathom {
namespace {

constexpr size_t kHeadingBytes = 100;  // without an end mark, shorter ones are headings
constexpr size_t kLongestNote = 2000;
constexpr size_t kWrappedBytes = 160;  // longer lines are paragraphs of their own, not wrapped text

bool is_ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_ascii_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (is_ascii_lower(c)) c = static_cast<char>(c - 32);
  return out;
}

void append_code(std::string& out, int32_t code) {
  utf8proc_uint8_t bytes[4];
  out.append(reinterpret_cast<const char*>(bytes),
             static_cast<size_t>(utf8proc_encode_char(code, bytes)));
}

// Windows-1252's own characters; 0 where it has none.
constexpr std::array<int32_t, 32> kWindows = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The lines between Project Gutenberg's markers, or all of them.
std::vector<std::string_view> body_lines(std::vector<std::string_view> lines) {
  size_t first = 0;
  size_t last = lines.size();
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.size() > 200 || line.find("utenberg") == std::string_view::npos) {
      if (line.size() > 200 || line.find("GUTENBERG") == std::string_view::npos) continue;
    }
    const std::string text = upper(line);
    if (text.find("START OF TH") != std::string::npos ||
        text.find("END THE SMALL PRINT") != std::string::npos ||
        text.find("END*THE SMALL PRINT") != std::string::npos)
      first = i + 1;
    if (i > first && (text.find("END OF TH") != std::string::npos ||
                      text.starts_with("END OF PROJECT GUTENBERG"))) {
      last = i;
      break;
    }
  }
  return {lines.begin() + static_cast<std::ptrdiff_t>(first),
          lines.begin() + static_cast<std::ptrdiff_t>(last)};
}

// Removes "[Illustration …]", "[Pg 12]", "[12]", "{12}" and "[Footnote …]".
std::string without_notes(std::string text) {
  if (text.find('[') == std::string::npos && text.find('{') == std::string::npos) return text;
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '{') {
      const std::string_view rest = std::string_view(text).substr(at, kLongestNote);
      const size_t length = rest.find(text[at] == '[' ? ']' : '}');
      const std::string_view inside =
          length == std::string_view::npos ? std::string_view() : rest.substr(1, length - 1);
      const std::string head = upper(inside.substr(0, 12));
      const bool number = !inside.empty() && std::all_of(inside.begin(), inside.end(), is_digit);
      if (number || head.starts_with("ILLUSTRATION") || head.starts_with("PG ") ||
          head.starts_with("PAGE ") || head.starts_with("FOOTNOTE") ||
          head.starts_with("SIDENOTE")) {
        at += length;
        continue;
      }
    }
    out += text[at];
  }
  return out;
}

// _emphasis_ loses its marks; snake_case stays.
std::string without_emphasis(std::string text) {
  if (text.find('_') == std::string::npos) return text;
  const auto is_letter = [&](size_t at) {
    const auto c = static_cast<unsigned char>(text[at]);
    return c >= 0x80 || is_ascii_upper(text[at]) || is_ascii_lower(text[at]) || is_digit(text[at]);
  };
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const bool inner = at > 0 && at + 1 < text.size() && is_letter(at - 1) && is_letter(at + 1);
    if (text[at] != '_' || inner) out += text[at];
  }
  return out;
}

// Bytes of a verse number with its space, "4:16 ", that `text` begins with; 0 where there is none.
size_t verse_number_size(std::string_view text) {
  const auto digits = [&](size_t at) {
    size_t end = at;
    while (end < text.size() && end - at < 3 && is_digit(text[end])) ++end;
    return end - at;
  };
  const size_t chapter = digits(0);
  if (chapter == 0 || !text.substr(chapter).starts_with(':')) return 0;
  const size_t verse = digits(chapter + 1);
  const size_t size = chapter + 1 + verse;
  return verse > 0 && text.substr(size).starts_with(' ') ? size + 1 : 0;
}

// A text that begins with a verse number loses it and those within.
std::string without_verse_numbers(std::string text) {
  if (verse_number_size(text) == 0) return text;
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (at == 0 || text[at - 1] == ' ') at += verse_number_size(std::string_view(text).substr(at));
    if (at < text.size()) out += text[at];
  }
  return out;
}

std::string single_spaced(std::string text) {
  const bool is_single = !text.starts_with(' ') && text.find("  ") == std::string::npos;
  if (is_single && !text.ends_with(' ')) return text;
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

bool ends_like_prose(std::string_view text) {
  const auto ends = [&](std::string_view mark) { return text.ends_with(mark); };
  for (bool more = true; more && !text.empty();) {
    more = false;
    for (const std::string_view closing :
         {"\"", "'", ")", "]", "*", "\u201D", "\u2019", "\u00BB", "\u300D", "\u300F"})
      if (ends(closing)) {
        text.remove_suffix(closing.size());
        more = true;
      }
  }
  for (const std::string_view mark : {".", "!", "?", ":", ";", ",", "-", "\u2014", "\u2026",
                                      "\u3002", "\uFF01", "\uFF1F", "\u0964", "\u061F", "\u06D4"})
    if (ends(mark)) return true;
  return false;
}

// "CHAPTER IV. In which …", "Scena Prima."
bool has_heading_word(std::string_view text) {
  static constexpr std::string_view kWords[] = {
      "CHAPTER", "VOLUME",  "BOOK",  "PART",  "ACT",    "SCENE",    "LETTER", "STAVE",
      "CANTO",   "SECTION", "ACTUS", "SCENA", "SCOENA", "APPENDIX", "VOL."};
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return false;
  const std::string word = upper(text.substr(0, space));
  if (std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords)) return false;
  const std::string next =
      upper(text.substr(space + 1, text.find_first_of(" .:", space + 1) - space - 1));
  if (!next.empty() && next.find_first_not_of("0123456789IVXLC") == std::string::npos) return true;
  return word.starts_with("ACTUS") || word.starts_with("SC") || next == "THE" || next == "ONE" ||
         next == "TWO" || next == "THREE" || next == "FIRST" || next == "LAST";
}

struct Counts {
  size_t letters = 0;  // of any script
  size_t upper = 0;    // ASCII
  size_t lower = 0;
  size_t digits_and_dots = 0;
};

Counts count(std::string_view text) {
  Counts counts;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    counts.upper += is_ascii_upper(c);
    counts.lower += is_ascii_lower(c);
    counts.letters += is_ascii_upper(c) || is_ascii_lower(c) || (byte >= 0xC3 && byte != 0xE2);
    counts.digits_and_dots += is_digit(c) || c == '.';
  }
  return counts;
}

bool is_prose(std::string_view text) {
  const Counts counts = count(text);
  if (counts.letters == 0 || 4 * counts.digits_and_dots > text.size()) return false;
  if (counts.upper > 0 && counts.lower == 0 && counts.letters == counts.upper) return false;
  if (text.front() == '[' && text.back() == ']') return false;
  if (text.size() < kHeadingBytes && (!ends_like_prose(text) || has_heading_word(text)))
    return false;
  for (const std::string_view mark :
       {"http://", "https://", "www.", "Project Gutenberg", "Transcriber"})
    if (text.find(mark) != std::string_view::npos) return false;
  return true;
}

void add_paragraph(std::string joined, std::vector<std::string>& out) {
  std::string text =
      without_verse_numbers(single_spaced(without_emphasis(without_notes(std::move(joined)))));
  if (!text.empty() && is_prose(text)) out.push_back(std::move(text));
}

}  // namespace

std::string readable_text(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte < 0x80) {
      if (byte == '\f' || byte == '\v') {
        out += "\n\n";
      } else if (byte == '\n' || (byte >= ' ' && byte != 0x7F)) {
        out += bytes[at];
      } else if (byte == '\t' || (byte == '\r' && !bytes.substr(at + 1).starts_with('\n'))) {
        out += byte == '\t' ? ' ' : '\n';
      }
      ++at;
      continue;
    }
    utf8proc_int32_t code = -1;
    const auto size = utf8proc_iterate(
        reinterpret_cast<const utf8proc_uint8_t*>(bytes.data() + at),
        static_cast<utf8proc_ssize_t>(std::min<size_t>(bytes.size() - at, 4)), &code);
    if (size > 0) {
      if (code == 0xA0 || code == 0x2028) code = ' ';
      if (code == 0x2029) code = '\n';
      if (code >= 0xA0 || code < 0x80) append_code(out, code);
      at += static_cast<size_t>(size);
    } else {
      const int32_t old = byte >= 0xA0 ? byte : kWindows[byte - 0x80];
      append_code(out, old == 0 ? 0xFFFD : old);
      ++at;
    }
  }
  return out;
}

std::vector<std::string> clean_paragraphs(std::string_view text) {
  std::vector<std::string> paragraphs;
  std::string block;
  const auto finish = [&] {
    if (!block.empty()) add_paragraph(std::move(block), paragraphs);
    block.clear();
  };
  for (const std::string_view raw : body_lines(split_lines(text))) {
    const std::string_view line = trim(raw);
    if (line.empty()) {
      finish();
    } else if (line.size() > kWrappedBytes) {
      finish();
      add_paragraph(std::string(line), paragraphs);
    } else {
      const bool glued = block.size() > 1 && block.back() == '-' && block[block.size() - 2] != ' ';
      if (!block.empty() && !glued) block += ' ';
      block += line;
    }
  }
  finish();
  return paragraphs;
}

}  // namespace fathom

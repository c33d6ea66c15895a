// From the raw bytes of a text file to the paragraphs of its prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Valid UTF-8 with plain line ends: byte-order mark, carriage returns and control characters are
// gone, tabs are spaces. Bytes that are not UTF-8 are read as Windows-1252, as old e-texts have
// them.
[[nodiscard]] std::string readable_text(std::string_view bytes);

// Paragraphs of running text, each one line with single spaces. Left out: Project Gutenberg's front
// and end matter, headings, verse numbers, picture captions, notes in brackets, page numbers,
// rules, tables of contents, addresses of web pages. O(n).
[[nodiscard]] std::vector<std::string> clean_paragraphs(std::string_view text);

}  // namespace fathom

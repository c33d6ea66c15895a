// Untrusted text as a field of CSV, Markdown or XML. Each takes any bytes and gives valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// RFC 4180: quoted where needed. A field that a spreadsheet would run as a formula is not changed:
// what reads it back must get the same text.
[[nodiscard]] std::string csv_text(std::string_view text);

// One line of Markdown that shows as this text: marks escaped, control bytes made visible.
[[nodiscard]] std::string markdown_text(std::string_view text);

// For XML elements and attributes in double quotes: what XML 1.0 cannot hold becomes visible marks.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace fathom

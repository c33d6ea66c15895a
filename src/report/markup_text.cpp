#include "report/markup_text.h"

#include "report/terminal_text.h"
#include "text/utf8.h"

namespace fathom {

std::string csv_text(std::string_view text) {
  std::string valid = repair_utf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string quoted = "\"";
  for (const char byte : valid) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  return quoted + "\"";
}

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char byte : terminal_safe(text)) {
    if (std::string_view("|\\`*_<>[]#&~").find(byte) != std::string_view::npos) out += '\\';
    out += byte;
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char byte : terminal_safe(text)) {
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += byte;
    }
  }
  return out;
}

}  // namespace fathom

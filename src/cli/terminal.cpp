#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "io/file.h"
#include "report/terminal_text.h"
#include "text/utf8.h"

namespace fathom {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// Set to nothing in particular (no variable at all, as in most containers) means UTF-8.
bool is_unicode_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(name)) continue;
    std::string locale = std::getenv(name);
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return true;
}

Terminal describe(int descriptor) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  terminal.unicode = is_unicode_locale();
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::strcmp(term, "dumb") == 0;
  const bool forced = is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE");
  terminal.color = !is_set("NO_COLOR") && (forced || (terminal.is_terminal && !dumb));
  winsize window{};
  if (terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    terminal.width = window.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const long width = std::strtol(columns, nullptr, 10);
    if (width > 0 && width < 10'000) terminal.width = static_cast<int>(width);
  }
  return terminal;
}

// Control bytes could move the cursor or fake output; a line break inside a message would break
// "one line an error".
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : repair_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return out;
}

void write_line(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }

}  // namespace

Terminal stdout_terminal() { return describe(STDOUT_FILENO); }
Terminal stderr_terminal() { return describe(STDERR_FILENO); }

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_text(std::string_view text) {
  print(stdout_terminal().unicode ? std::string(text) : as_ascii(text));
}

Result<void> flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return fail(ErrorCode::kIo, "standard output cannot be written: {}", std::strerror(errno));
  return {};
}

void print_error(std::string_view message) { write_line("fathom: " + one_line(message) + "\n"); }
void print_note(std::string_view message) { write_line(one_line(message) + "\n"); }

Result<std::string> read_input(const std::string& path) {
  return read_file(path == "-" ? "/dev/stdin" : path);
}

}  // namespace fathom

// What the program writes to and reads from: stdout for data, stderr for people.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

struct Terminal {
  bool is_terminal = false;
  bool color = false;   // NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and TERM=dumb respected
  int width = 80;       // columns: the window's, else COLUMNS, else 80
  bool unicode = true;  // false: LC_ALL, LC_CTYPE or LANG names another encoding than UTF-8
};

[[nodiscard]] Terminal stdout_terminal();
[[nodiscard]] Terminal stderr_terminal();

// Buffered data on stdout; an error (a full disk, a closed pipe) shows when flush_output() is
// called at the end.
void print(std::string_view text);
[[nodiscard]] Result<void> flush_output();

// Text for people on stdout: ASCII where the terminal's locale is not UTF-8.
void print_text(std::string_view text);

// One line on stderr, control bytes removed: "fathom: message".
void print_error(std::string_view message);
void print_note(std::string_view message);  // for people: progress, what was done

// A file's bytes, or standard input for "-".
[[nodiscard]] Result<std::string> read_input(const std::string& path);

}  // namespace fathom

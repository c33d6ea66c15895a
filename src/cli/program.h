// The program: finds the command, runs it, turns its error into a message on stderr and an exit
// code (docs/exit-codes.md).
#pragma once

namespace fathom {

[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace fathom

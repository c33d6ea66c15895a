#include "cli/program.h"

int main(int argc, char** argv) { return fathom::run_program(argc, argv); }

#pragma once

#include <string>

// What a run of the program left behind.
struct ProgramRun {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Runs `diffie ARGUMENTS` through a shell, with `input` on standard input.
ProgramRun run_program(const std::string& arguments, const std::string& input = "");

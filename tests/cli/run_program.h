#pragma once

#include <filesystem>
#include <string>

// What a run of the program left behind.
struct ProgramRun {
  int exit_code = -1;
  std::string out;
  std::string err;

  std::string output() const { return out + err; }
};

// Runs `diffie ARGUMENTS` through a shell in `folder`, with `input` on standard input.
ProgramRun run_program(const std::string& arguments, const std::string& input = "",
                       const std::filesystem::path& folder = ".");

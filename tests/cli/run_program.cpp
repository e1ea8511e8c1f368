#include "cli/run_program.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "temp_dir.h"

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

ProgramRun run_program(const std::string& arguments, const std::string& input) {
  const TempDir temp;
  const std::string in = temp.path() / "in";
  const std::string out = temp.path() / "out";
  const std::string err = temp.path() / "err";
  std::ofstream(in, std::ios::binary) << input;
  // A redirection in `arguments` comes after these and wins.
  const std::string command =
      "<'" + in + "' >'" + out + "' 2>'" + err + "' '" DIFFIE_BINARY "' " + arguments;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
}

#include "cli/run_program.h"

#include <sys/wait.h>

#include <cstdlib>

#include "temp_dir.h"

ProgramRun run_program(const std::string& arguments, const std::string& input,
                       const std::filesystem::path& folder) {
  const diffie::test::TempDir temp;
  const std::string in = temp / "in";
  const std::string out = temp / "out";
  const std::string err = temp / "err";
  diffie::test::write_file(in, input);
  // A redirection in `arguments` comes after these and wins.
  const std::string command = "cd '" + folder.string() + "' && <'" + in + "' >'" + out + "' 2>'" +
                              err + "' '" DIFFIE_BINARY "' " + arguments;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, diffie::test::read_file(out),
          diffie::test::read_file(err)};
}

#include "hand_over.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "diffie/error.h"
#include "locate.h"

namespace diffie::cli {
namespace {

// Does not return when it succeeds.
[[noreturn]] void become(const Successor& successor, const std::vector<std::string>& rest) {
  const std::filesystem::path program = sibling_program(successor.program);
  if (!std::filesystem::exists(program)) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{} is not built; {} builds it (docs/install.md)", program.string(),
                            successor.made_by));
  }
  std::vector<std::string> arguments = {program.string()};
  arguments.insert(arguments.end(), successor.arguments.begin(), successor.arguments.end());
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(ErrorCode::kUnsupported,
              fmt::format("{}: cannot be run: {}", program.string(), std::strerror(errno)));
}

}  // namespace

Command add_hand_over(CLI::App& parent, const std::string& name, const std::string& description,
                      const Successor& successor) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  return {command, [command, successor]() -> int {
            std::vector<std::string> rest = command->remaining();
            if (rest.empty() && successor.says_help) rest = {"--help"};
            become(successor, rest);
          }};
}

}  // namespace diffie::cli

#include "train_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "diffie/error.h"

namespace diffie::cli {
namespace {

// Does not return when it succeeds: the process becomes diffie-train.
int hand_over(std::vector<std::string> arguments) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "diffie-train";
  if (!std::filesystem::exists(program)) {
    throw Error(
        ErrorCode::kUnsupported,
        fmt::format("{}: not there; build with -DDIFFIE_TRAIN=ON to train", program.string()));
  }
  arguments.insert(arguments.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(ErrorCode::kUnsupported,
              fmt::format("{}: cannot be run: {}", program.string(), std::strerror(errno)));
}

}  // namespace

Command add_train_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "train", "Train a model or sample pools on a GPU: diffie train run, diffie train sample");
  command->prefix_command();
  command->set_help_flag();
  return {command, [command] {
            std::vector<std::string> arguments = command->remaining();
            if (arguments.empty()) arguments = {"--help"};
            return hand_over(std::move(arguments));
          }};
}

}  // namespace diffie::cli

#include "commands.h"

#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>

#include "base/write_stderr.h"
#include "diffie/error.h"
#include "messages.h"
#include "stdout.h"
#include "usage.h"

namespace diffie::cli {
namespace {

// CLI11 answers a bad option with a line about --help after it; one line is enough.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // --help, --version
    std::ostringstream out;
    app.exit(error, out, out);
    write_stdout(out.str());
    return kExitOk;
  }
  tell(usage_problem(app, error));
  return kExitUsage;
}

// The command that the first words name.
CLI::App& named_command(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (const std::string& word : words) {
    const auto named =
        command->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (named.empty()) break;
    command = named.front();
  }
  return *command;
}

// What takes any number of words that have no option before them, or none; null: nothing does.
CLI::Option* taker_of_words(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional() && !option->get_required() &&
        option->get_items_expected_max() >= CLI::detail::expected_max_vector_size)
      return option;
  }
  return nullptr;
}

// What follows `--` has no options, for a command that takes any number of words: CLI11 gives it to
// nobody where the command has one already.
void parse_words(CLI::App& app, std::vector<std::string> words) {
  const auto marker = std::find(words.begin(), words.end(), "--");
  CLI::Option* taker = nullptr;
  if (marker != words.end()) taker = taker_of_words(named_command(app, words));
  std::vector<std::string> behind;
  if (taker != nullptr) {
    behind.assign(marker + 1, words.end());
    words.erase(marker, words.end());
  }
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  app.parse(std::move(words));
  if (behind.empty()) return;
  taker->add_result(std::move(behind));
  taker->run_callback();
}

// `help` and what follows it is that with --help. Options that are read as they come may throw an
// Error of ours.
void parse(CLI::App& app, std::vector<std::string> words) {
  check_values(app);
  refuse_missing_values(words);
  if (words.empty()) {
    base::write_stderr(app.help());
  } else if (words.front() == "help") {
    words.erase(words.begin());
    const auto is_named = [&](const CLI::App* command) {
      return command->get_name() == words.front();
    };
    if (words.empty() || !app.get_subcommands(is_named).empty()) words.emplace_back("--help");
  }
  parse_words(app, std::move(words));
}

// A library that got no memory when it was loaded may not survive being taken down (mimalloc within
// Arrow): where memory is limited nobody is. All that we write is written by then.
int end(int exit_code) {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    std::fflush(nullptr);
    ::_exit(exit_code);
  }
  return exit_code;
}

int run_parsed(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kExitUsage;
}

}  // namespace

Command add_group(CLI::App& group, std::vector<Command> commands) {
  group.require_subcommand(1);
  return {&group, [commands = std::move(commands)] { return run_parsed(commands); }};
}

int run_commands(CLI::App& app, const std::vector<Command>& commands, int argc, char** argv) {
  try {
    parse(app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error);
  }
  return run_parsed(commands);
}

int run_guarded(int (*program)(int argc, char** argv), int argc, char** argv) {
  hold_standard_descriptors();
  take_size_limits_as_errors();
  try {
    return end(program(argc, argv));
  } catch (const diffie::Error& error) {
    tell(error.what());
  } catch (const std::bad_alloc&) {
    tell("out of memory");
  } catch (const std::exception& error) {
    tell(std::string("unexpected: ") + error.what());
  }
  return end(kExitUsage);
}

}  // namespace diffie::cli

#include "usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "diffie/error.h"
#include "nearest.h"

namespace diffie::cli {
namespace {

template <typename Number>
bool is_all(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end;
}

// What is wrong with it, as CLI11's validators say it; empty: nothing.
std::string whole_number_problem(const std::string& text, bool has_sign) {
  std::int64_t with_sign = 0;
  std::uint64_t without_sign = 0;
  const std::size_t first_digit = has_sign && text.starts_with('-') ? 1 : 0;
  const bool padded = text.size() > first_digit + 1 && text[first_digit] == '0';
  const bool fits = has_sign ? is_all(text, with_sign) : is_all(text, without_sign);
  if (fits && !padded) return "";
  return fmt::format("'{}' is no whole number{}", text, has_sign ? "" : " from 0 to 2^64 - 1");
}

std::string number_problem(const std::string& text) {
  double value = 0;
  if (is_all(text, value) && std::isfinite(value)) return "";
  return fmt::format("'{}' is no number", text);
}

std::string text_problem(const std::string& text) { return text.empty() ? "is empty" : ""; }

std::string flag_problem(const std::string& value) {
  return value == "true" ? "" : "takes no value";
}

void check_value(CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (option.get_expected_max() == 0) {
    option.check(CLI::Validator(flag_problem, ""));
  } else if (type.starts_with("FLOAT")) {
    option.check(CLI::Validator(number_problem, ""));
  } else if (type.starts_with("INT") || type.starts_with("UINT")) {
    const bool has_sign = type.starts_with("INT");
    option.check(CLI::Validator(
        [has_sign](const std::string& text) { return whole_number_problem(text, has_sign); }, ""));
  } else if (type.starts_with("TEXT")) {
    option.check(CLI::Validator(text_problem, ""));
  }
}

// The innermost command that was named.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : fmt::format("; did you mean {}?", name);
}

// The first word that nobody took, without what an option was set to.
std::string unknown_word(const CLI::App& app, const CLI::App& command) {
  for (const CLI::App* each : {&command, &app}) {
    const std::vector<std::string> rest = each->remaining();
    if (rest.empty()) continue;
    const bool is_option = rest.front().starts_with('-');
    return is_option ? rest.front().substr(0, rest.front().find('=')) : rest.front();
  }
  return "";
}

}  // namespace

void check_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) check_value(*option);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    check_values(*command);
}

void refuse_missing_values(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') + 1 == word.size()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} has no value", base::printable(word)));
    }
  }
}

CLI::Validator at_least_one() {
  return {[](const std::string& text) {
            const bool is_zero = text.find_first_not_of('0') == std::string::npos;
            if (text.empty() || !(is_zero || text.starts_with('-'))) return std::string();
            return fmt::format("is {}, must be at least 1", text);
          },
          ""};
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> commands = command_names(command);
  const std::string word = unknown_word(app, command);
  const std::string name = &command == &app ? "" : command.get_name() + " ";
  if (word.starts_with('-')) {
    const std::string guess = nearest(word, option_names(command));
    return fmt::format(
        "{}has no option {}{}", name.empty() ? "diffie " : name, word,
        guess.empty() ? fmt::format("; diffie {}--help lists them", name) : did_you_mean(guess));
  }
  if (commands.empty()) return error.what();
  const std::string list = fmt::format("{}", fmt::join(commands, ", "));
  if (word.empty())
    return fmt::format("{}needs a command: {}", name.empty() ? "diffie " : name, list);
  return fmt::format("no command '{}{}'{}{}{}", name, word, did_you_mean(nearest(word, commands)),
                     nearest(word, commands).empty() ? "; there are " : " There are ", list);
}

}  // namespace diffie::cli

// What is asked of a command line beyond what CLI11 asks, and what is said of one that is wrong.
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace diffie::cli {

// Every option of the app and its subcommands that is a number takes plain decimal ones only: no
// 010, which is eight to CLI11, no -1 for a number without a sign, no "", no nan. One that is text
// is given some: "" would mean the same as none. One that takes no value is given none: CLI11
// passes over `--flag=2`.
void check_values(CLI::App& app);

// Throws kInvalidArgument for `--output=`: CLI11 would take the next word for its value. What
// stands behind `--` is no option.
void refuse_missing_values(std::span<const std::string> words);

// For a whole number whose 0 would mean the same as none.
CLI::Validator at_least_one();

// One line: the word that was not understood, what there is in its place, what may have been meant.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace diffie::cli

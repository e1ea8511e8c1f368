// What is asked of a command line beyond what CLI11 asks, and what is said of one that is wrong.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace diffie::cli {

// Every option of the app and its subcommands that is a number takes plain decimal ones only: no
// 010, which is eight to CLI11, no -1 for a number without a sign, no "", no nan.
void check_numbers(CLI::App& app);

// For an option whose empty value would mean the same as none.
CLI::Validator not_empty();

// One line: the word that was not understood, what there is in its place, what may have been meant.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace diffie::cli

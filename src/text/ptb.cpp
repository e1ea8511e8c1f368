#include "text/ptb.h"

namespace diffie::text {
namespace {

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

// -LRB-: L or R, then round, square or curly.
std::string_view undo_bracket(std::string_view word) {
  if (word.size() != 5 || word.front() != '-' || word.back() != '-' || to_upper(word[3]) != 'B') {
    return word;
  }
  constexpr std::string_view kShapes = "RSC";
  constexpr std::string_view kLeft = "([{";
  constexpr std::string_view kRight = ")]}";
  const std::size_t shape = kShapes.find(to_upper(word[2]));
  if (shape == std::string_view::npos) return word;
  if (to_upper(word[1]) == 'L') return kLeft.substr(shape, 1);
  if (to_upper(word[1]) == 'R') return kRight.substr(shape, 1);
  return word;
}

}  // namespace

std::string_view undo_ptb_escape(std::string_view word) {
  if (word == "``" || word == "''") return "\"";
  return undo_bracket(word);
}

}  // namespace diffie::text

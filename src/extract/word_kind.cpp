#include "extract/word_kind.h"

#include <algorithm>
#include <unordered_map>

namespace diffie::extract {
namespace {

std::unordered_map<std::string_view, WordKind> make_table() {
  std::unordered_map<std::string_view, WordKind> table;
  for (const WordList& list : kWordLists) {
    for (std::string_view rest = list.words; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      table.emplace(word, list.kind);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
  }
  return table;
}

// Letters, digits and everything beyond ASCII make a word.
bool has_word_character(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 128;
  });
}

}  // namespace

WordKind word_kind(std::string_view word) {
  static const std::unordered_map<std::string_view, WordKind> table = make_table();
  if (!has_word_character(word)) return WordKind::kPunctuation;
  const auto found = table.find(word);
  return found == table.end() ? WordKind::kContent : found->second;
}

bool reports_speech(std::string_view word) {
  return std::find(kSpeechVerbs.begin(), kSpeechVerbs.end(), word) != kSpeechVerbs.end();
}

}  // namespace diffie::extract

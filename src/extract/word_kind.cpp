#include "extract/word_kind.h"

#include <algorithm>
#include <unordered_map>

namespace diffie::extract {
namespace {

struct KindList {
  WordKind kind;
  std::string_view words;  // separated by single blanks
};

constexpr KindList kLists[] = {
    {WordKind::kDeterminer,
     "a an the this that these those its his her their our my your some any no each every all "
     "both"},
    {WordKind::kPreposition,
     "of in on at by for from with to as into over under between after before during through "
     "about against among within without upon across since until than like near via per toward "
     "towards around behind off up down out"},
    {WordKind::kBe, "be is am are was were been being 's 're"},
    {WordKind::kAuxiliary,
     "has have had having do does did can could will would may might shall should must 'll 'd 've "
     "not n't"},
    {WordKind::kConjunction,
     "and or but nor yet so because although though while if when where whereas which who whom "
     "whose what how why"},
    {WordKind::kPronoun,
     "i you he she it we they me him us them himself herself itself themselves there"},
};

std::unordered_map<std::string_view, WordKind> make_table() {
  std::unordered_map<std::string_view, WordKind> table;
  for (const KindList& list : kLists) {
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
  return word == "said" || word == "says" || word == "say" || word == "told" || word == "added";
}

}  // namespace diffie::extract

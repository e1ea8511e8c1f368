// Kinds of English words that can be told from a list: what stands at a boundary says much about
// whether it is one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace diffie::extract {

// The numbers are values of features, so they and the lists belong to the schema that rankers name
// (extract/feature_schema.h).
enum class WordKind : std::uint8_t {
  kContent = 0,
  kDeterminer = 1,
  kPreposition = 2,
  kBe = 3,
  kAuxiliary = 4,
  kConjunction = 5,
  kPronoun = 6,
  kPunctuation = 7,
  kNone = 8,  // beyond the sentence
};

struct WordList {
  WordKind kind;
  std::string_view name;
  std::string_view words;  // separated by single blanks
};

// Every kind; those without words are told otherwise.
inline constexpr auto kWordLists = std::to_array<WordList>({
    {WordKind::kContent, "content", ""},
    {WordKind::kDeterminer, "determiner",
     "a an the this that these those its his her their our my your some any no each every all "
     "both"},
    {WordKind::kPreposition, "preposition",
     "of in on at by for from with to as into over under between after before during through "
     "about against among within without upon across since until than like near via per toward "
     "towards around behind off up down out"},
    {WordKind::kBe, "be", "be is am are was were been being 's 're"},
    {WordKind::kAuxiliary, "auxiliary",
     "has have had having do does did can could will would may might shall should must 'll 'd 've "
     "not n't"},
    {WordKind::kConjunction, "conjunction",
     "and or but nor yet so because although though while if when where whereas which who whom "
     "whose what how why"},
    {WordKind::kPronoun, "pronoun",
     "i you he she it we they me him us them himself herself itself themselves there"},
    {WordKind::kPunctuation, "punctuation", ""},
    {WordKind::kNone, "none", ""},
});
inline constexpr auto kSpeechVerbs =
    std::to_array<std::string_view>({"said", "says", "say", "told", "added"});

// Never kNone. A word of several kinds has the first one in the order of the lists.
WordKind word_kind(std::string_view lower_cased_word);

// One of kSpeechVerbs.
bool reports_speech(std::string_view lower_cased_word);

}  // namespace diffie::extract

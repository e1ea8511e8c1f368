#include "extract/tidy_words.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

namespace diffie::extract {
namespace {

// Of no use at an edge. Currency, per cent and the like are not among them.
constexpr auto kEdgeMarks = std::to_array<std::string_view>(
    {",",      ";",      ":",      ".",      "..",     "...",    "!",
     "?",      "-",      "--",     "---",    "*",      "**",     "\u2026",
     "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2022",
     "\u00B7", "\u25CF", "\u25AA", "\u25E6", "\u2023", "\u25A0", "\u2043"});

// Of no use at an edge unless the other of the pair stands inside the slot.
struct MarkPair {
  std::string_view open;
  std::string_view close;
};
constexpr auto kMarkPairs = std::to_array<MarkPair>({
    {"(", ")"},
    {"[", "]"},
    {"{", "}"},
    {"-lrb-", "-rrb-"},
    {"-lsb-", "-rsb-"},
    {"-lcb-", "-rcb-"},
    {"``", "''"},
    {"\"", "\""},
    {"'", "'"},
    {"`", "'"},
    {"\u201C", "\u201D"},
    {"\u2018", "\u2019"},
    {"\u201E", "\u201C"},
    {"\u00AB", "\u00BB"},
    {"\u2039", "\u203A"},
});

// After an apostrophe: not a quotation but one word cut in two ("it ' s").
constexpr auto kContractionEnds =
    std::to_array<std::string_view>({"s", "t", "d", "m", "ll", "re", "ve"});

constexpr auto kEdgeConjunctions = std::to_array<std::string_view>({"and", "or", "but", "nor"});

// Between the parts of a subject or object.
constexpr auto kJoints = std::to_array<std::string_view>({"and", "or", "&"});

// Of no use at the front.
constexpr auto kEdgeFillers = std::to_array<std::string_view>({"please", "kindly"});

constexpr auto kArticles = std::to_array<std::string_view>({"a", "an", "the"});

// At the end of a subject or object, before a word that the slot has not: the rest was cut off.
// Words that may be particles ("the lights on", "his time off") are not among them.
constexpr auto kLeadOn = std::to_array<std::string_view>(
    {"a",    "an",   "the",  "of",   "in",  "by",  "for",   "with",  "from", "at",  "to",
     "into", "onto", "than", "as",   "his", "her", "its",   "their", "our",  "my",  "your",
     "upon", "via",  "per",  "amid", "'s",  "who", "which", "whose", "whom", "that"});

// A full stop after one of them is its own.
constexpr auto kAbbreviations = std::to_array<std::string_view>(
    {"inc", "ltd",  "co",   "corp", "bros", "jr",  "sr",   "dr",  "mr",  "mrs",
     "ms",  "prof", "st",   "etc",  "vs",   "al",  "gen",  "gov", "jan", "feb",
     "mar", "apr",  "jun",  "jul",  "aug",  "sep", "sept", "oct", "nov", "dec",
     "ave", "blvd", "dept", "est",  "rev",  "sen", "rep",  "lt"});

// A subject or object of these alone is none. Pronouns, relative ones too, and words that may
// stand for a noun or a name ("all", "those", "May", "Will") are not among them.
constexpr auto kFunctionWords = std::to_array<std::string_view>(
    {// articles and possessives
     "a", "an", "the", "its", "his", "their", "our", "my", "your", "every",
     // conjunctions and what opens a clause
     "and", "or", "but", "nor", "yet", "so", "if", "unless", "whether", "because", "although",
     "though", "while", "whereas", "when", "where", "why", "how", "than", "then", "as", "whenever",
     "wherever", "until", "since", "once", "either", "neither", "however",
     // prepositions and particles
     "of", "in", "on", "at", "by", "for", "from", "with", "to", "into", "onto", "over", "under",
     "between", "after", "before", "during", "through", "about", "against", "among", "within",
     "without", "upon", "across", "like", "near", "via", "per", "toward", "towards", "around",
     "behind", "off", "up", "down", "out", "along", "beyond", "despite", "except",
     // verbs that help
     "be", "is", "am", "are", "was", "were", "been", "being", "has", "have", "had", "having", "do",
     "does", "did", "can", "could", "would", "might", "shall", "should", "must", "'s", "'re", "'m",
     "'ll", "'d", "'ve", "n't", "'",
     // the rest
     "not", "no", "please", "also", "too", "very", "just", "only", "even", "still", "already",
     "let"});

// A relation of these alone is none.
constexpr auto kNoRelations = std::to_array<std::string_view>(
    {"a",       "an",     "the",     "this",    "that",   "these",   "those",   "its",
     "his",     "her",    "their",   "our",     "my",     "your",    "some",    "any",
     "no",      "each",   "every",   "all",     "both",   "and",     "or",      "but",
     "nor",     "yet",    "so",      "if",      "unless", "whether", "because", "although",
     "though",  "while",  "whereas", "when",    "where",  "which",   "who",     "whom",
     "whose",   "what",   "how",     "why",     "than",   "then",    "as",      "until",
     "since",   "please", "of",      "in",      "on",     "at",      "by",      "for",
     "from",    "with",   "to",      "into",    "onto",   "over",    "under",   "between",
     "after",   "before", "during",  "through", "about",  "against", "among",   "within",
     "without", "upon",   "across",  "near",    "via",    "per",     "toward",  "towards",
     "around",  "behind", "off",     "up",      "down",   "out",     "along",   "beyond",
     "despite", "except", "not",     "n't",     "t",      "also",    "too",     "very",
     "just",    "only",   "even",    "still",   "already"});

// What stands before the number or letter of an item of a list.
constexpr auto kBeforeItems = std::to_array<std::string_view>(
    {"", "(", "-lrb-", ",", ";", ":", ".", "and", "or", "*", "-", "\u2022"});

std::unordered_map<std::string_view, TidyLists> table_of_words() {
  struct List {
    TidyList list;
    std::span<const std::string_view> words;
  };
  const List lists[] = {{kEdgeMark, kEdgeMarks},
                        {kContractionEnd, kContractionEnds},
                        {kEdgeConjunction, kEdgeConjunctions},
                        {kJoint, kJoints},
                        {kEdgeFiller, kEdgeFillers},
                        {kArticle, kArticles},
                        {kLeadsOn, kLeadOn},
                        {kAbbreviation, kAbbreviations},
                        {kFunctionWord, kFunctionWords},
                        {kNoRelation, kNoRelations},
                        {kBeforeItem, kBeforeItems}};
  std::unordered_map<std::string_view, TidyLists> table;
  for (const auto& [list, words] : lists)
    for (const std::string_view word : words) table[word] |= list;
  for (const MarkPair& pair : kMarkPairs) {
    table[pair.open] |= kPairedMark;
    table[pair.close] |= kPairedMark;
  }
  return table;
}

}  // namespace

TidyLists tidy_lists_of(std::string_view word) {
  static const std::unordered_map<std::string_view, TidyLists> table = table_of_words();
  const auto found = table.find(word);
  return found == table.end() ? TidyLists{0} : found->second;
}

bool are_pair(std::string_view open, std::string_view close) {
  return std::any_of(kMarkPairs.begin(), kMarkPairs.end(), [&](const MarkPair& pair) {
    return open == pair.open && close == pair.close;
  });
}

}  // namespace diffie::extract

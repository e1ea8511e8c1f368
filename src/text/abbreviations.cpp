#include "text/abbreviations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace diffie::text {
namespace {

// Sorted, lower case.
constexpr auto kClosed = std::to_array<std::string_view>(
    {"adj", "adm",  "approx", "asst", "atty", "brig",   "capt", "cf",   "cmdr", "col", "cpl",
     "dr",  "e.g",  "eg",     "eqs",  "esp",  "fig",    "figs", "ft",   "gen",  "gov", "hon",
     "i.e", "ie",   "incl",   "lt",   "maj",  "messrs", "mlle", "mme",  "mr",   "mrs", "ms",
     "mt",  "mx",   "pfc",    "pres", "prof", "pvt",    "rep",  "reps", "resp", "rev", "rt",
     "sen", "sens", "sgt",    "st",   "ste",  "supt",   "univ", "v",    "viz",  "vs"});

constexpr auto kOpen = std::to_array<std::string_view>(
    {"a.d",  "a.k.a", "a.m",   "al",    "apr",  "assn", "aug", "ave",  "b.a",  "b.c",   "b.sc",
     "blvd", "bros",  "calif", "co",    "corp", "d.c",  "dec", "dept", "div",  "e.u",   "est",
     "etc",  "feb",   "fri",   "hwy",   "inc",  "jan",  "jr",  "jul",  "l.a",  "ltd",   "m.a",
     "m.d",  "m.sc",  "mass",  "mon",   "n.y",  "nov",  "oct", "p.m",  "ph.d", "plc",   "rd",
     "sept", "sr",    "thu",   "thurs", "tue",  "tues", "u.k", "u.n",  "u.s",  "u.s.a", "wed"});

constexpr auto kNumber = std::to_array<std::string_view>(
    {"art", "bk", "c",   "ca", "ch", "chap", "eq", "ex",  "jun",  "mar", "n",   "no",  "nos", "nr",
     "op",  "p",  "par", "pg", "pl", "pp",   "pt", "sec", "sect", "sep", "tab", "vol", "vols"});

// Sorted, as written.
constexpr auto kStarters = std::to_array<std::string_view>(
    {"A",        "According", "After",     "All",     "Also",   "Although", "An",      "And",
     "Another",  "As",        "At",        "Because", "Before", "Both",     "But",     "By",
     "Despite",  "During",    "Each",      "Earlier", "Even",   "Every",    "Finally", "For",
     "From",     "He",        "Her",       "Here",    "His",    "How",      "However", "I",
     "If",       "In",        "Instead",   "It",      "Its",    "Later",    "Many",    "Meanwhile",
     "Moreover", "Most",      "My",        "Neither", "No",     "Nobody",   "Now",     "On",
     "Once",     "One",       "Only",      "Or",      "Other",  "Others",   "Our",     "Several",
     "She",      "Since",     "So",        "Some",    "Such",   "That",     "The",     "Their",
     "Then",     "There",     "Therefore", "These",   "They",   "This",     "Those",   "Though",
     "Thus",     "To",        "Today",     "Under",   "Unlike", "Until",    "We",      "What",
     "When",     "Where",     "Whether",   "While",   "Who",    "Why",      "With",    "Yesterday",
     "Yet",      "You",       "Your"});

static_assert(std::is_sorted(kClosed.begin(), kClosed.end()));
static_assert(std::is_sorted(kOpen.begin(), kOpen.end()));
static_assert(std::is_sorted(kNumber.begin(), kNumber.end()));
static_assert(std::is_sorted(kStarters.begin(), kStarters.end()));

constexpr std::size_t kLongest = 8;

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace

AbbreviationKind abbreviation_kind(std::string_view word) {
  if (word.size() > kLongest) return AbbreviationKind::kNone;
  std::array<char, kLongest> buffer;
  std::transform(word.begin(), word.end(), buffer.begin(), to_lower);
  const std::string_view lower(buffer.data(), word.size());
  if (contains(kClosed, lower)) return AbbreviationKind::kClosed;
  if (contains(kOpen, lower)) return AbbreviationKind::kOpen;
  if (contains(kNumber, lower)) return AbbreviationKind::kNumber;
  return AbbreviationKind::kNone;
}

bool is_sentence_starter(std::string_view word) { return contains(kStarters, word); }

void for_each_open_abbreviation(const std::function<void(std::string_view)>& visit) {
  const auto visit_spellings = [&](std::string_view word) {
    std::string spelling = std::string(word) + ".";
    visit(spelling);
    spelling[0] = to_upper(spelling[0]);
    visit(spelling);
    std::transform(spelling.begin(), spelling.end(), spelling.begin(), to_upper);
    visit(spelling);
  };
  for (const std::string_view word : kOpen) visit_spellings(word);
  for (const std::string_view word : kNumber) visit_spellings(word);
}

}  // namespace diffie::text

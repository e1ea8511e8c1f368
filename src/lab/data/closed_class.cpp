#include "lab/data/closed_class.h"

#include <algorithm>
#include <span>

namespace diffie::data {
namespace {

constexpr std::string_view kArticles[] = {"a", "an", "the"};
constexpr std::string_view kAuxiliaries[] = {"am",    "are",    "be",  "been", "being", "can",
                                             "could", "did",    "do",  "does", "had",   "has",
                                             "have",  "having", "is",  "may",  "might", "must",
                                             "shall", "should", "was", "were", "will",  "would"};
constexpr std::string_view kPrepositions[] = {"about",   "as", "at",   "by",  "during", "for",
                                              "from",    "in", "into", "of",  "on",     "than",
                                              "through", "to", "upon", "with"};
constexpr std::string_view kPronouns[] = {
    "he",         "her",   "hers", "herself", "him",   "himself", "his", "i",     "it",     "its",
    "itself",     "me",    "my",   "our",     "ours",  "s",       "she", "their", "theirs", "them",
    "themselves", "there", "they", "this",    "these", "those",   "us",  "we",    "you",    "your"};
constexpr std::string_view kConnectives[] = {"and",   "that", "when", "where",
                                             "which", "who",  "whom"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::optional<ClosedClass> closed_class(std::string_view word) {
  if (contains(kArticles, word)) return ClosedClass::kArticle;
  if (contains(kAuxiliaries, word)) return ClosedClass::kAuxiliary;
  if (contains(kPrepositions, word)) return ClosedClass::kPreposition;
  if (contains(kPronouns, word)) return ClosedClass::kPronoun;
  if (contains(kConnectives, word)) return ClosedClass::kConnective;
  return std::nullopt;
}

}  // namespace diffie::data

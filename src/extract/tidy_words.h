// The closed lists that tidying goes by. Words are lower-cased, as a tokenizer or a treebank
// writes them.
#pragma once

#include <cstdint>
#include <string_view>

namespace diffie::extract {

using TidyLists = std::uint16_t;  // a word may be in several

enum TidyList : TidyLists {
  kEdgeMark = 1 << 0,    // of no use at an edge
  kPairedMark = 1 << 1,  // of no use at an edge unless the other of the pair stands inside the slot
  kContractionEnd = 1 << 2,   // after an apostrophe: one word cut in two
  kEdgeConjunction = 1 << 3,  // of no use at an edge
  kJoint = 1 << 4,            // between the parts of a subject or object
  kEdgeFiller = 1 << 5,       // of no use at the front
  kArticle = 1 << 6,
  kLeadsOn = 1 << 7,  // at the end of a slot, before a word that it has not: the rest is cut off
  kAbbreviation = 1 << 8,  // a full stop after it is its own
  kFunctionWord = 1 << 9,  // a subject or object of these alone is none
  kNoRelation = 1 << 10,   // nor is a relation of these alone
  kBeforeItem = 1 << 11,   // the number of a list's item may follow
};

TidyLists tidy_lists_of(std::string_view word);

// "(" and ")", in this order.
bool are_pair(std::string_view open, std::string_view close);

}  // namespace diffie::extract

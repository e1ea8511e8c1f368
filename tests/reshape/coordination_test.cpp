// Which coordinated slots are split, and into what.
#include "reshape/coordination.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "facts/factuality.h"
#include "reshape/words.h"

namespace diffie::reshape {
namespace {

std::vector<extract::Triple> split(const Words& words, const extract::Triple& triple) {
  const Line line(words.text, words.bytes, words.lower);
  const Factuality factuality = facts::SentenceFacts(words.text, words.bytes, words.lower)
                                    .of({triple.words[0], triple.words[1], triple.words[2]});
  return split_coordination(line, triple, factuality.polarity == Polarity::kNegative);
}

// "A; x | B; x", or "-" for what stays whole.
std::string shown(const Words& words, const std::vector<extract::Triple>& triples) {
  std::vector<std::string> parts;
  for (const extract::Triple& each : triples)
    parts.push_back(words.quote(each.words[0]) + "; " + words.quote(each.words[2]));
  return parts.size() == 1 ? "-" : fmt::format("{}", fmt::join(parts, " | "));
}

// Sentence, the three slots, the parts.
TEST(Coordination, CasesAreRight) {
  const auto cases = read_cases("coordination.tsv", 5);
  EXPECT_GE(cases.size(), 60U);
  for (const auto& cells : cases) {
    const Words words(cells[0]);
    const extract::Triple triple = words.triple(cells[1], cells[2], cells[3]);
    EXPECT_EQ(shown(words, split(words, triple)), cells[4]) << cells[0];
  }
}

TEST(Coordination, WhatWouldGiveTooManyStaysWhole) {
  std::string list = "Xaa";
  for (char letter = 'b'; letter <= 'z'; ++letter) list += std::string(", Xa") + letter;
  const std::string both = list + " and Zaz";
  const Words words(both + " visited " + both + " there");
  const Words one(both + " visited him");
  EXPECT_EQ(split(one, one.triple(both, "visited", "him")).size(), 27U);
  extract::Triple triple = words.triple(both, "visited", "there");
  for (const std::uint32_t word : triple.words[0])
    triple.words[2].push_back(word + triple.words[1].front() + 1);
  triple.words[2].erase(triple.words[2].begin());
  EXPECT_EQ(split(words, triple).size(), 1U);
}

// Whatever the slot: parts are ascending words of it, none empty, no two the same, and no word but
// a joint, a comma or "both" is lost.
TEST(Coordination, PartsAreMadeOfTheSlotsWords) {
  for (const std::string& sentence : all_sentences()) {
    const Words words(sentence);
    const Line line(words.text, words.bytes, words.lower);
    const auto count = static_cast<std::uint32_t>(words.bytes.size());
    for (std::uint32_t begin = 0; begin < count; ++begin) {
      std::vector<std::uint32_t> slot;
      for (std::uint32_t end = begin; end < std::min(count, begin + 14); ++end) {
        slot.push_back(end);
        for (const bool negative : {false, true}) {
          auto parts = parts_of_slot(line, slot, negative);
          std::vector<bool> used(count);
          for (const auto& part : parts) {
            ASSERT_FALSE(part.empty()) << sentence;
            EXPECT_TRUE(std::is_sorted(part.begin(), part.end())) << sentence;
            EXPECT_TRUE(std::includes(slot.begin(), slot.end(), part.begin(), part.end()));
            for (const std::uint32_t word : part) used[word] = true;
          }
          std::sort(parts.begin(), parts.end());
          EXPECT_EQ(std::adjacent_find(parts.begin(), parts.end()), parts.end()) << sentence;
          for (const std::uint32_t word : slot) {
            constexpr std::string_view kLost = " and or nor & , both neither as well also ";
            EXPECT_TRUE(used[word] || kLost.find(" " + words.lower[word] + " ") != kLost.npos)
                << sentence << ": " << words.lower[word];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace diffie::reshape

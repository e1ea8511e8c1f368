// What a sentence's time and place phrases are: the table of cases, and what holds of all of them.
#include "reshape/circumstances.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reshape/words.h"

namespace diffie::reshape {
namespace {

std::vector<Circumstance> circumstances_in(const Words& words, const extract::Triple& triple) {
  const Line line(words.text, words.bytes, words.lower);
  return circumstances_of(triple, find_circumstances(line), line);
}

// Of a triple that has all words of the sentence.
std::vector<Circumstance> circumstances_in(const Words& words) {
  extract::Triple all;
  for (std::uint32_t word = 0; word < words.bytes.size(); ++word) all.words[0].push_back(word);
  return circumstances_in(words, all);
}

std::string shown(const std::vector<Circumstance>& circumstances) {
  std::vector<std::string> parts;
  for (const Circumstance& each : circumstances)
    parts.push_back(fmt::format("{}: {}", name_of(each.kind), each.text));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, " | "));
}

// Sentence, then "time: in 1843 | place: in Vienna", or "-".
TEST(Circumstances, CasesAreRight) {
  const auto cases = read_cases("circumstances.tsv", 2);
  EXPECT_GE(cases.size(), 80U);
  for (const auto& cells : cases) {
    EXPECT_EQ(shown(circumstances_in(Words(cells[0]))), cells[1]) << cells[0];
  }
}

TEST(Circumstances, AreThoseOfTheTripleWhateverItsSlots) {
  const Words words("Beethoven was born in Bonn on 16 December 1770.");
  EXPECT_EQ(shown(circumstances_in(words, words.triple("Beethoven", "was born in", "Bonn"))),
            "place: in Bonn");
  EXPECT_EQ(
      shown(circumstances_in(words, words.triple("Beethoven", "was born on", "16 December 1770"))),
      "time: on 16 December 1770");
  EXPECT_EQ(
      shown(circumstances_in(words, words.triple("Beethoven", "was born", "16 December 1770"))),
      "time: 16 December 1770");
  // A phrase of which a part is missing is none.
  EXPECT_EQ(shown(circumstances_in(words, words.triple("Beethoven", "was born", "1770"))), "-");
}

TEST(Circumstances, QuoteTheTextWhateverTheWords) {
  std::mt19937 random(1);
  for (const std::string& sentence : all_sentences()) {
    const Words words(sentence);
    for (int round = 0; round < 4; ++round) {
      extract::Triple triple;
      for (std::uint32_t word = 0; word < words.bytes.size(); ++word) {
        if (random() % 8 > 0) triple.words[random() % 3].push_back(word);
      }
      std::size_t end = 0;
      for (const Circumstance& each : circumstances_in(words, triple)) {
        ASSERT_FALSE(each.spans.empty()) << sentence;
        EXPECT_GT(each.spans.back().end, end) << sentence;
        end = each.spans.back().end;
        std::string quoted;
        for (const Span& span : each.spans) {
          if (!quoted.empty()) quoted += ' ';
          quoted += words.text.substr(span.begin, span.end - span.begin);
        }
        EXPECT_EQ(quoted, each.text) << sentence;
      }
    }
  }
}

}  // namespace
}  // namespace diffie::reshape

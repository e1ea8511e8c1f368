#include "facts/factuality.h"

#include <gtest/gtest.h>

#include <random>

#include "facts/located.h"
#include "text/shipped_tokenizer.h"

namespace diffie::facts {
namespace {

TEST(Factuality, OnlyWhatTheWriterSaysIsAsserted) {
  EXPECT_TRUE(Factuality{}.asserted());
  EXPECT_FALSE((Factuality{.polarity = Polarity::kNegative}.asserted()));
  EXPECT_FALSE((Factuality{.modality = Modality::kQuestion}.asserted()));
  EXPECT_FALSE((Factuality{.attributed_to = Attribution{"Anna", {{0, 4}}}}.asserted()));
}

TEST(Factuality, TheSourceIsQuoted) {
  const std::string text = "“It’s safe,” Zoë’s brother said.";
  const Located located(shipped_tokenizer(), text);
  const Factuality found = located.factuality({"It", "-", "safe"});
  EXPECT_TRUE(found.asserted());  // no word of the relation stands in the text
  const Factuality said = located.factuality({"It", "safe", "-"});
  ASSERT_TRUE(said.attributed_to);
  EXPECT_EQ(said.attributed_to->text, "Zoë’s brother");
  ASSERT_EQ(said.attributed_to->spans.size(), 1u);
  const Span span = said.attributed_to->spans[0];
  EXPECT_EQ(text.substr(span.begin, span.end - span.begin), said.attributed_to->text);
}

// Whatever the words and the roles are, there is an answer and it quotes the text.
TEST(Factuality, AnyWordsHaveAReading) {
  const std::vector<std::string> words = {
      "not",  "n't",     "no",        "Nobody",  "nor",      "may",   "'d",   "to",   "that",
      "if",   "unless",  "said",      "told",    "deny",     "Anna",  "dogs", "the",  "and",
      "or",   "but",     ",",         "\"",      "?",        ".",     ":",    "(",    "who",
      "when", "whether", "without",   "running", "fail",     "wants", "is",   "did",  "please",
      "let",  "'s",      "according", "in",      "view",     "of",    "case", "as",   "long",
      "even", "until",   "only",      "claim",   "evidence", "do",    "have", "been", "walked"};
  std::mt19937 random(17);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    std::vector<Span> bytes;
    std::vector<std::string> lower;
    std::array<std::vector<std::uint32_t>, 3> slots;
    const std::size_t length = random() % 14;
    for (std::uint32_t word = 0; word < length; ++word) {
      const std::string& chosen = words[random() % words.size()];
      bytes.push_back({text.size(), text.size() + chosen.size()});
      text += chosen + (random() % 4 == 0 ? "" : " ");
      lower.push_back(text::lowercase(chosen));
      if (const auto slot = random() % 4; slot < 3) slots[slot].push_back(word);
    }
    const Factuality found = SentenceFacts(text, bytes, lower).of({slots[0], slots[1], slots[2]});
    if (!found.attributed_to) continue;
    ASSERT_EQ(found.attributed_to->spans.size(), 1u);
    const Span span = found.attributed_to->spans[0];
    ASSERT_LE(span.end, text.size());
    ASSERT_EQ(text.substr(span.begin, span.end - span.begin), found.attributed_to->text);
  }
}

}  // namespace
}  // namespace diffie::facts

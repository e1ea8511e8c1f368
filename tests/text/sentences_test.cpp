#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/utf8.h"
#include "diffie/text.h"

namespace diffie {
namespace {

std::vector<std::string> split(std::string_view document) {
  std::vector<std::string> out;
  for (const Span span : split_sentences(document)) {
    out.emplace_back(document.substr(span.begin, span.end - span.begin));
  }
  return out;
}

// A bar marks where a sentence begins; it is taken out before the text is split.
class HardSentences : public testing::TestWithParam<const char*> {};

TEST_P(HardSentences, AreSplitWhereMarked) {
  const std::string marked = GetParam();
  std::string document;
  std::vector<std::string> expected(1);
  for (const char c : marked) {
    if (c == '|') {
      expected.emplace_back();
    } else {
      document += c;
      expected.back() += c;
    }
  }
  for (std::string& sentence : expected) {
    sentence.erase(sentence.find_last_not_of(" \t\r\n\f") + 1);
    sentence.erase(0, sentence.find_first_not_of(" \t\r\n\f"));
  }
  EXPECT_EQ(split(document), expected) << document;
}

constexpr const char* kStops[] = {
    "One sentence only.",
    "No stop at all",
    "He left. |She stayed.",
    "He left! |Did she? |No one knows.",
    "What?! |Really!!! |Yes.",
    "Pi is 3.14 and e is 2.72. |Both are irrational.",
    "It rose 4.5 percent. |Sales fell .5 percent.",
    "It cost $5. |He paid.",
    "It was founded in 1999. |It closed in 2004.",
    "It was founded. |1999 saw its end. |$5 million was lost on Oct. 5 of it.",
    "Version 1.2.3 is out. |Get it.",
    "Well... he left. |She did not.",
    "Well... |He left.",
    "Well\u2026 |He left.",
    "I was, um \u2026 late.",
    "She came .  |He went .",  // pre-tokenised text
    "Wait! he cried. |Nobody heard.",
};
INSTANTIATE_TEST_SUITE_P(Stops, HardSentences, testing::ValuesIn(kStops));

constexpr const char* kAbbreviations[] = {
    "Mr. Smith met Dr. Jones. |They talked.",
    "Gen. Lee, Sen. Warren and Prof. X met Mrs. Y. |It rained.",
    "St. Louis is on the Mississippi. |Mt. Everest is not.",
    "J. K. Rowling wrote it. |J.R.R. Tolkien did not.",
    "George W. Bush spoke. |John F. Kennedy did too.",
    "J.-P. Sartre smoked. |A. A. Milne did not.",
    "He lives in the U.S. and works. |She does not.",
    "He lives in the U.S. |He likes it.",
    "The U.S. Senate met. |It voted.",
    "The U.S.A. Track team won. |The U.K. lost.",
    "It starts at 5 p.m. Monday. |Come early.",
    "It starts at 5 p.m. |The doors open at 4 a.m. though.",
    "Use fruit, e.g. Apples or pears. |Also, i.e. All of it.",
    "See Fig. 3 and Figs. A and B of it. |See Sec. 4, pp. 12 and Vol. 3.",
    "Item No. 5 is here. |Is it? |No. |He left.",
    "Did he go? |No. |The end.",
    "Apple Inc. is big. |Acme Corp. Chairman Roe resigned.",
    "He works for Acme Inc. |The firm is large.",
    "Smith et al. 2003 showed it. |Smith et al. Found it too.",
    "We sell apples, pears, etc. |They are good.",
    "On Jan. 5 it snowed. |On Feb. 6, 2001, it did not.",
    "Martin Luther King Jr. spoke. |Sammy Davis Jr. |He sang.",
    "He has a Ph.D. from MIT. |She has an M.D. from Yale.",
    "So do I. |John left.",
    "Plan B. |The rest follows.",
    "Roe v. Wade was decided. |Ali vs. Frazier was fought.",
    "Yahoo! Inc. said so. |He uses Yahoo! |He likes it.",
    "He said OK. |Then he left.",
    "We must go. |All of us. |Up. |Now.",
    "Washington, D.C. is hot. |It is in D.C. |It is hot.",
};
INSTANTIATE_TEST_SUITE_P(Abbreviations, HardSentences, testing::ValuesIn(kAbbreviations));

constexpr const char* kQuotes[] = {
    "\"Go.\" |He went.",
    "\"Really?\" he asked. |\"Yes!\" she said.",
    "He said \"Stop.\" |Then he left.",
    "He said \u201CStop.\u201D |\u201CWhy?\u201D she asked.",
    "(He left.) |She stayed.",
    "He left (see below). |[He came back.] |She stayed.",
    "'I did.' |'You did not.'",
    "He said: ``Stop .'' |Then he left .",
    "He called it `` safe . '' |Then he left . ) |She stayed . \u201D",
    "He called it \" safe . \" |Then he left . |\" So did I .",
    "`` Stop . '' he said . |She did n't .",
    "\u00ABVa.\u00BB |\u00ABNon.\u00BB",
};
INSTANTIATE_TEST_SUITE_P(Quotes, HardSentences, testing::ValuesIn(kQuotes));

constexpr const char* kAddresses[] = {
    "Visit www.example.com. |It is free.",
    "Visit http://a.example/b?c=d!e.html now. |Thanks.",
    "Mail john.smith@example.com or J.Doe@x.org. |Thanks.",
    "Open config.Json and main.Cpp. |Save.",
    "The file ends in .txt. |Rename it.",
    "Wait!what?no. |Yes.",
};
INSTANTIATE_TEST_SUITE_P(Addresses, HardSentences, testing::ValuesIn(kAddresses));

constexpr const char* kBlocks[] = {
    "A heading\n\n|A sentence. |Another one.",
    "Introduction\n|This paper shows that a heading may stand right above its text.",
    "RESULTS AND DISCUSSION OF ALL\n|We found nothing of note here.",
    "# Title\n|Some text here. |More text.\n|## Part\n|End.",
    "Title\n|=====\n|Some text.",
    "This sentence was wrapped by hand at a\nfixed width and goes on\nover three lines. |Next "
    "one.",
    "The president went to see the town of\nHonolulu and the island of\nOahu. |He liked it.",
    "Wrapped by Windows at a\r\nwidth. |Next\r\none.",
    "Wrapped after Mr.\nSmith and J.\nK. Rowling. |Then\nnothing.",
    "First paragraph without stop\n\n|second paragraph\n \t \n|third",
    "We need:\n|- apples\n|- pears and\n  plums\n|- nuts",
    "We need:\n|* apples. |Red ones.\n|* pears",
    "\u2022 one\n|\u2022 two",
    "1. First item\n|2. Second item. |It has two.\n|10. Tenth",
    "(a) First\n|(b) Second\n|iv) Fourth",
    "He was born in\n12. |Then he was a\nman of the years\n- so they say.",
    "A list\n\n|- of one\n\n|and a text.",
    "One.\n\n\n\n|Two",
    "Form feed\f|Next page starts here and is a good deal longer than that.",
};
INSTANTIATE_TEST_SUITE_P(Blocks, HardSentences, testing::ValuesIn(kBlocks));

constexpr const char* kOtherScripts[] = {
    "\u4ED6\u8D70\u4E86\u3002|\u5979\u7559\u4E0B\u3002",
    "Il est parti. |\u00C9lodie est rest\u00E9e. |Oui? \u00E9lodie aussi.",
    "\u041E\u043D \u0443\u0448\u0451\u043B. |\u041E\u043D\u0430 "
    "\u043E\u0441\u0442\u0430\u043B\u0430\u0441\u044C.",
    "\u00BFQui\u00E9n? |\u00A1Yo!",
};
INSTANTIATE_TEST_SUITE_P(OtherScripts, HardSentences, testing::ValuesIn(kOtherScripts));

bool is_blank(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    if (!base::is_unicode_space(decoded.code_point)) return false;
    pos += decoded.length;
  }
  return true;
}

void expect_sound(std::string_view document) {
  std::size_t end = 0;
  for (const Span span : split_sentences(document)) {
    ASSERT_LE(end, span.begin);
    ASSERT_LT(span.begin, span.end);
    ASSERT_LE(span.end, document.size());
    ASSERT_LE(span.end - span.begin, 20'000u);
    ASSERT_TRUE(is_blank(document.substr(end, span.begin - end)));
    const base::Decoded first = base::decode_utf8(document, span.begin);
    ASSERT_FALSE(base::is_unicode_space(first.code_point));
    end = span.end;
  }
  ASSERT_TRUE(is_blank(document.substr(end)));
}

TEST(Sentences, EmptyAndBlankDocumentsHaveNone) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_TRUE(split_sentences(" \n\r\n\t\u00A0\u3000 ").empty());
}

TEST(Sentences, ParagraphSeparatorBreaksWithoutAStop) {
  const std::vector<std::string> want = {"one", "two and three"};
  EXPECT_EQ(split("one\u2029two and\u2028three").size(), 2u);
  EXPECT_EQ(split("one\u2029two and three"), want);
}

TEST(Sentences, InvalidUtf8KeepsOffsetsTrue) {
  const std::string document = "\xFF One\x80 here. \xC3\n\xE2\x82 Two. Three\xF0";
  const std::vector<std::string> want = {"\xFF One\x80 here.", "\xC3\n\xE2\x82 Two.", "Three\xF0"};
  EXPECT_EQ(split(document), want);
}

TEST(Sentences, SpansAreSoundForRandomDocuments) {
  const std::vector<std::string> parts = {
      "The",  " ",      " ",      ". ",     "\n", "\n\n",  "Mr.", "U.S.",  "- ",
      "1. ",  "\"",     "(",      ")",      "?",  "!",     "a",   "X.",    "\r\n",
      "\xFF", "\u2026", "\u3002", "\u00A0", "#",  "word ", "=",   "\u2029"};
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string document;
    const std::size_t length = random() % 60;
    for (std::size_t i = 0; i < length; ++i) document += parts[random() % parts.size()];
    ASSERT_NO_FATAL_FAILURE(expect_sound(document)) << document;
  }
}

TEST(Sentences, SpansAreSoundForRandomBytes) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    std::string document(random() % 400, '\0');
    for (char& byte : document) byte = static_cast<char>(random());
    ASSERT_NO_FATAL_FAILURE(expect_sound(document));
  }
}

TEST(Sentences, LongSentencesAreCutAtWhiteSpace) {
  std::string document;
  while (document.size() < 150'000) document += "word ";
  expect_sound(document);
  const std::vector<Span> sentences = split_sentences(document);
  EXPECT_GE(sentences.size(), 7u);
  EXPECT_LE(sentences.size(), 9u);
  EXPECT_TRUE(document[sentences[0].end] == ' ');
  expect_sound(std::string(100'000, 'x'));
  std::string wide;
  while (wide.size() < 100'000) wide += "\u5B57";
  expect_sound(wide);
  for (const Span span : split_sentences(wide)) EXPECT_EQ(span.end % 3, 0u);
}

TEST(Sentences, WindowsDoNotShowInTheResult) {
  std::string document;
  std::size_t num_sentences = 0;
  while (document.size() < 400'000) {
    document += "Mr. Smith of the U.S. Senate said no. 3 times, " +
                std::to_string(num_sentences++) + " in all. ";
  }
  for (const std::string& sentence : split(document)) {
    ASSERT_TRUE(sentence.starts_with("Mr. Smith") && sentence.ends_with("in all.")) << sentence;
  }
  EXPECT_EQ(split_sentences(document).size(), num_sentences);
}

TEST(Sentences, ManyThreadsSplitAlike) {
  const std::string document = "Mr. Smith left. She stayed in the U.S. It rained.";
  const std::vector<Span> want = split_sentences(document);
  std::vector<std::vector<Span>> got(4);
  std::vector<std::thread> threads;
  for (std::vector<Span>& result : got) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) result = split_sentences(document);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Span>& result : got) EXPECT_EQ(result, want);
}

TEST(Sentences, HostileDocumentsTakeLinearTime) {
  const auto seconds = [](const std::string& document) {
    const auto start = std::chrono::steady_clock::now();
    expect_sound(document);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::string repeated;
  for (const char* part :
       {"x", "a ", ". ", "( ", ".\"", "a\n", "1. ", "\xE2\x80", "- a\n", "J. "}) {
    repeated.clear();
    while (repeated.size() < 400'000) repeated += part;
    EXPECT_LT(seconds(repeated), 5.0) << part;  // quadratic time would take minutes
  }
}

}  // namespace
}  // namespace diffie

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "diffie/lab/score.h"
#include "expect_error.h"
#include "lab/score/readers/bracketed.h"
#include "lab/score/readers/lines.h"

namespace diffie {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A file that goes away with the test.
class ReadersTest : public testing::Test {
 protected:
  ~ReadersTest() override { std::filesystem::remove(path_); }

  SystemOutput read(const std::string& content, const std::string& format, bool skip_bad = false,
                    Measure measure = Measure::kCarb) {
    write(content);
    ScoreReadOptions options;
    options.format = format;
    options.skip_bad = skip_bad;
    return read_predictions(path_, measure, options).at(0);
  }

  GoldStandard gold(const std::string& content, Measure measure, bool skip_bad = false) {
    write(content);
    return read_gold(path_, measure, skip_bad);
  }

  void write(const std::string& content) { std::ofstream(path_, std::ios::binary) << content; }

  std::string path_ = testing::TempDir() + "diffie_readers_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt";
};

TEST_F(ReadersTest, TabbedStripsTheLineSoAnEmptyLastArgumentVanishes) {
  const auto output = read("S .\t0.5\trel\ta\t\n S2 .\t1e-3\trel\t\u00a0\n", "tabbed");
  EXPECT_THAT(output.sentences[0].tuples[0].arguments, ElementsAre("a"));
  EXPECT_EQ(output.sentences[1].sentence, "S2 .");
  EXPECT_EQ(output.sentences[1].tuples[0].confidence, 1e-3);
  EXPECT_TRUE(output.sentences[1].tuples[0].arguments.empty());
}

TEST_F(ReadersTest, LineEndsOfEveryKindAndAByteOrderMark) {
  const auto output = read("\xEF\xBB\xBFS .\t1\tr\ta\r\n\r\nS .\t2\tr\tb\rT .\t3\tr\tc", "tabbed");
  ASSERT_EQ(output.sentences.size(), 2u);
  EXPECT_EQ(output.sentences[0].sentence, "S .");
  EXPECT_EQ(output.sentences[0].tuples.size(), 2u);
}

TEST_F(ReadersTest, BadLinesAreNamedWithTheirNumbers) {
  const std::string content = "S .\t0.5\tr\ta\nno tabs\nS .\thigh\tr\ta\n\xFF\nS .\tnan\tr\ta\n";
  try {
    read(content, "tabbed");
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    const std::string message = error.what();
    EXPECT_THAT(message, HasSubstr(path_ + ": 4 unreadable lines"));
    EXPECT_THAT(message, HasSubstr("line 2: 1 columns"));
    EXPECT_THAT(message, HasSubstr("line 3: confidence 'high'"));
    EXPECT_THAT(message, HasSubstr("line 4: not UTF-8"));
    EXPECT_THAT(message, HasSubstr("line 5: confidence 'nan'"));
  }
  const auto output = read(content, "tabbed", true);
  EXPECT_EQ(output.sentences.at(0).tuples.size(), 1u);
  EXPECT_EQ(output.skipped.size(), 4u);
}

TEST_F(ReadersTest, OnlySoManyBadLinesAreListed) {
  std::string content;
  for (int i = 0; i < 50; ++i) content += "bad\n";
  EXPECT_ERROR(read(content, "tabbed"), ErrorCode::kBadInput, "; and 30 more");
}

TEST_F(ReadersTest, BadJsonLines) {
  const std::string content =
      R"({"sentence": "S", "extractions": [{"subject": "a", "relation": "r", "object": "o"}]})"
      "\nnot json\n[1]\n"
      R"({"sentence": "T"})"
      "\n"
      R"({"sentence": "U", "error": "too long"})"
      "\n"
      R"({"sentence": "V", "extractions": [{"subject": 3, "relation": "r", "object": "o"}]})"
      "\n"
      R"({"sentence": "W", "extractions": [{"subject": "a", "relation": "r", "object": "o", "confidence": "x"}]})"
      "\n";
  const auto output = read(content, "jsonl", true);
  ASSERT_EQ(output.sentences.size(), 2u);
  EXPECT_EQ(output.sentences[0].tuples[0].confidence, 1);
  EXPECT_EQ(output.sentences[1].sentence, "U");
  std::vector<std::size_t> lines;
  for (const BadLine& bad : output.skipped) lines.push_back(bad.line);
  EXPECT_THAT(lines, ElementsAre(2, 3, 4, 6, 7));
}

TEST_F(ReadersTest, DeeplyNestedJsonIsABadLineNotACrash) {
  const std::string deep(200000, '[');
  EXPECT_ERROR(read(deep, "jsonl"), ErrorCode::kBadInput, "line 1");
  EXPECT_ERROR(read("{" + deep, "wire57"), ErrorCode::kBadInput, "not JSON");
}

TEST_F(ReadersTest, OpenIe5TakesContextAndAllArguments) {
  const std::string line =
      "0.9\tContext(He said,List([0, 7)))\tSimpleArgument(Jon,List([8, 11)))\t"
      "Relation(gave,List([12, 16)))\tSimpleArgument(a hat,List([17, 22)));"
      "TemporalArgument(on Monday,List([23, 32)))\tHe said Jon gave a hat on Monday\n";
  const auto five = read(line, "openie5");
  EXPECT_THAT(five.sentences[0].tuples[0].arguments,
              ElementsAre("He said Jon", "a hat", "on Monday"));
  const auto four = read(line, "openie4");
  EXPECT_THAT(four.sentences[0].tuples[0].arguments, ElementsAre("Jon", "a hat"));
}

TEST_F(ReadersTest, OpenIeWithoutASecondArgumentIsNoTuple) {
  const auto output = read(
      "0.9\t\tSimpleArgument(It,List([0, 2)))\tRelation(rains,List([3, 8)))\t\t"
      "It rains\n",
      "openie4");
  EXPECT_TRUE(output.sentences.empty());
  EXPECT_ERROR(read("0.9\t\tIt\tRelation(rains,List())\tx\tIt rains\n", "openie4"),
               ErrorCode::kBadInput, "line 1");
  EXPECT_ERROR(read("0.9\t\tx\n", "openie4"), ErrorCode::kBadInput, "3 columns");
}

TEST_F(ReadersTest, ClausieNotesAndSentences) {
  const auto output = read(
      "# Line 1: Anna bakes .\n#   Detected 1 clause(s).\n"
      "1\t\"Anna\"\t\"bakes\"\t\"bread\"\n\nBen sings .\n"
      "2\t\"Ben\"\t\"sings\"\t\"\"\t-12.5\n",
      "clausie");
  ASSERT_EQ(output.sentences.size(), 2u);
  EXPECT_EQ(output.sentences[0].sentence, "Anna bakes .");
  EXPECT_EQ(output.sentences[0].tuples[0].confidence, 1);
  EXPECT_THAT(output.sentences[1].tuples[0].arguments, ElementsAre("Ben", ""));
  EXPECT_ERROR(read("1\t\"a\"\t\"b\"\t\"c\"\t1\n", "clausie"), ErrorCode::kBadInput,
               "before any sentence");
}

TEST_F(ReadersTest, StanfordInItsThreeForms) {
  const auto output = read(
      "Anna bakes bread .\n0,950: (Anna; bakes; bread)\n1.0\tAnna\tbakes\tbread\n"
      "d\t0\tBen\tsings\tloudly\t0\t1\t1\t2\t2\t3\t0,5\tBen sings loudly .\tN\n",
      "stanford");
  ASSERT_EQ(output.sentences.size(), 2u);
  ASSERT_EQ(output.sentences[0].tuples.size(), 2u);
  EXPECT_EQ(output.sentences[0].tuples[0].confidence, 0.95);
  EXPECT_EQ(output.sentences[1].tuples[0].confidence, 0.5);
  EXPECT_ERROR(read("1.000: (a; b; c)\n", "stanford"), ErrorCode::kBadInput, "before any sentence");
}

TEST_F(ReadersTest, DetieUnquotesWhatOllieKeeps) {
  const std::string line = "confidence\targ1\n1.0\t\"the \"\"big\"\" one\"\tis\tred\t\t\tS .\t\t\n";
  EXPECT_EQ(read(line, "detie").sentences[0].tuples[0].arguments[0], "the \"big\" one");
  EXPECT_EQ(read(line, "ollie").sentences[0].tuples[0].arguments[0], "\"the \"\"big\"\" one\"");
}

TEST_F(ReadersTest, BenchieExplicitNeedsFourColumns) {
  EXPECT_ERROR(read("1\ta\tb\n", "benchie", false, Measure::kBenchie), ErrorCode::kBadInput,
               "line 1: 3 columns");
}

TEST_F(ReadersTest, CarbGoldDropsContextAndJoinsSpellings) {
  const std::string text = "A b . \tr\ta\tC: then\tb C: x\nA b .\ts\tc\nA b\tt\td\n";
  const GoldStandard carb = gold("A b . \tr\ta\tC: then\tb C: x\n", Measure::kCarb);
  EXPECT_EQ(carb.sentences[0].tuples[0].arguments.size(), 1u);
  const GoldStandard diffie = gold("A b .\tr\ta\tC: then\tb C: x\n", Measure::kCarbDiffie);
  EXPECT_EQ(diffie.sentences[0].tuples[0].arguments.size(), 2u);
  const GoldStandard joined = gold(text, Measure::kCarb);
  ASSERT_EQ(joined.sentences.size(), 1u);  // the last spelling replaced the two tuples of the first
  EXPECT_EQ(joined.sentences[0].tuples.size(), 1u);
  EXPECT_EQ(joined.sentences[0].tuples[0].relation.text, "t");
}

TEST_F(ReadersTest, BenchieClusterHeadersWithAnySpacingBeginAFact) {
  const GoldStandard benchie = gold(
      "sent_id:78\tBen leads a club .\n78--> Cluster 1:\nBen --> leads --> club\n"
      "78-->Cluster 2:\nBen --> has --> club\n78 --> Cluster 3:\n78 --> Cluster in --> club\n",
      Measure::kBenchie);
  ASSERT_EQ(benchie.sentences.size(), 1u);
  EXPECT_EQ(benchie.sentences[0].num_facts, 3u);
  ASSERT_EQ(benchie.sentences[0].tuples.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(benchie.sentences[0].tuples[i].fact, i);
  EXPECT_EQ(benchie.sentences[0].tuples[2].relation.text, "Cluster in");
}

TEST_F(ReadersTest, GoldFilesOfTheWrongKindAreRefused) {
  EXPECT_ERROR(gold("no tabs here\n", Measure::kCarb), ErrorCode::kBadInput, "line 1");
  EXPECT_ERROR(gold("", Measure::kCarb), ErrorCode::kBadInput, "no gold sentence");
  EXPECT_ERROR(gold("a --> b --> c\n", Measure::kBenchie), ErrorCode::kBadInput,
               "before any cluster");
  EXPECT_ERROR(gold("sent_id:1\tS\n1--> Cluster 1:\na --> b\n", Measure::kBenchie),
               ErrorCode::kBadInput, "line 3: 2 slots");
  EXPECT_ERROR(gold("[1, 2]", Measure::kWire57), ErrorCode::kBadInput, "not a JSON object");
  EXPECT_ERROR(gold(R"({"d": [{"id": "x"}]})", Measure::kWire57), ErrorCode::kBadInput, "'sent'");
  EXPECT_ERROR(gold(R"({"d": [{"id": "x", "sent": "s", "tokens": [], "tuples": [{"rel":
                    {"words": ["a"], "words_indexes": []}}]}]})",
                    Measure::kWire57),
               ErrorCode::kBadInput, "one length");
}

TEST_F(ReadersTest, MissingFilesAndFormatsAreNamed) {
  EXPECT_ERROR(read_gold("/nonexistent/gold.tsv", Measure::kCarb), ErrorCode::kNotFound,
               "/nonexistent/gold.tsv");
  EXPECT_ERROR(read_gold(testing::TempDir(), Measure::kCarb), ErrorCode::kNotFound, "directory");
  EXPECT_ERROR(read("", "xml"), ErrorCode::kInvalidArgument, "no prediction format 'xml'");
}

TEST(Bracketed, ReadsWhatTheSystemsPrint) {
  const auto tuple = score::parse_bracketed(
      "0.93 Context(He said,List([0, 7))):(Jon; gave; a hat; T:on Monday; L:in Rome)");
  ASSERT_TRUE(tuple.has_value());
  EXPECT_EQ(tuple->relation, "gave");
  EXPECT_THAT(tuple->arguments, ElementsAre("Jon", "a hat", "on Monday", "in Rome"));
  const auto ollie = score::parse_bracketed("0.4: (a; be; b)[attrib=he says]");
  ASSERT_TRUE(ollie.has_value());
  EXPECT_THAT(ollie->arguments, ElementsAre("a", "b"));
  for (const char* line : {"A sentence ; with (brackets; inside)", "12", "12: none", "(a; b; c)",
                           "", "0.5: (a)", "0.5: (a; b", "0.5:]", "0.5 Context(x (a; b; c)"}) {
    EXPECT_FALSE(score::parse_bracketed(line).has_value()) << line;
  }
}

TEST(Numbers, AreReadLikePythonsFloat) {
  double value = 0;
  for (const char* good : {"1", " 0.5 ", "-160.36", "+2", "1e-3", ".5", "5."}) {
    EXPECT_TRUE(score::parse_number(good, value)) << good;
  }
  for (const char* bad : {"", "x", "1,5", "1 2", "inf", "nan", "+-1", "0x10", "--1"}) {
    EXPECT_FALSE(score::parse_number(bad, value)) << bad;
  }
}

}  // namespace
}  // namespace diffie

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

// Every line of `content` is bad for the reason beside it.
struct BadCase {
  const char* line;
  const char* reason;
};

class BadLinesTest : public ReadersTest {
 protected:
  void expect_bad(const std::string& format, const std::vector<BadCase>& cases) {
    for (const BadCase& each : cases) {
      EXPECT_ERROR(read(each.line, format), ErrorCode::kBadInput, each.reason);
    }
  }
};

TEST_F(BadLinesTest, OfEachFormatHaveAReason) {
  expect_bad("tabbed", {{"S\t1", "line 1: 2 columns"}, {"S\tx\tr", "confidence 'x'"}});
  expect_bad("tsv", {{"1\ta\tr\tb", "4 columns, wanted 5"},
                     {"1\ta\tr\tb\tS\tx", "6 columns, wanted 5"},
                     {"x\ta\tr\tb\tS", "confidence 'x'"}});
  expect_bad("benchie", {{"1\ta\tr\tb\tc", "5 columns, wanted 4"}});
  expect_bad("allennlp",
             {{"S\t<arg1> a </arg1> <rel> r </rel> <arg2> b </arg2>", "2 columns"},
              {"S\tx\t1\t2", "4 columns"},
              {"S\t<rel> r </rel> <arg2> b </arg2>\t1", "no <arg1>"},
              {"S\t<arg1> a </arg1> <rel> r <arg2> b </arg2>\t1", "no <arg1>"},
              {"S\t<arg1> a </arg1> <rel> r </rel> <arg2> b\t1", "no <arg1>"},
              {"S\t<arg1> a </arg1> <rel> r </rel> <arg2> b </arg2>\tx", "confidence 'x'"}});
  expect_bad("reverb", {{"d\t0\ta\tr\tb\t0\t1\t1\t2\t2\t3\t1", "12 columns, wanted 13"},
                        {"d\t0\ta\tr\tb\t0\t1\t1\t2\t2\t3\tx\tS", "confidence 'x'"}});
  expect_bad("stanford", {{"x\ta\tr\tb", "4 columns"}});
  expect_bad("ollie", {{"1\ta\tr\tb\t\tx", "6 columns, wanted 7"},
                       {"x\ta\tr\tb\t\t\tS", "confidence 'x'"},
                       {"1\ta\tr\tb\t\t\tS\nconfidence\targ1", "line 2: 2 columns"}});
  expect_bad("openie4", {{"0.9\t\tA(a,List())\tR(r,List())\tA(b,List())", "5 columns"},
                         {"x\t\tA(a,List())\tR(r,List())\tA(b,List())\tS", "confidence 'x'"},
                         {"1\t\tA(a,List())\tR(r,List())\tA b,List()\tS", "column 5"},
                         {"1\t\tA,List((a)\tR(r,List())\tA(b,List())\tS", "column 3 or 4"},
                         {"1\t\tA(a,List())\tR(r)\tA(b,List())\tS", "column 3 or 4"}});
  expect_bad("openie5", {{"1\tx\tA(a,List())\tR(r,List())\tA(b,List())\tS", "column 2"}});
  expect_bad("clausie", {{"S\n1\t\"a\"\t\"b\"", "line 2: 3 columns"},
                         {"S\n1\t\"a\"\t\"b\"\t\"c\"\t1\t1", "line 2: 6 columns"},
                         {"S\n1\t\"a\"\t\"b\"\t\"c\"\tx", "confidence 'x'"}});
  expect_bad("jsonl", {{R"({"sentence": "S", "extractions": [1]})", "an extraction is no object"},
                       {R"({"sentence": 1, "extractions": []})", "no text 'sentence'"},
                       {R"({"extractions": []})", "no text 'sentence'"},
                       {R"({"sentence": "S", "extractions": 1})", "no list 'extractions'"},
                       {"1", "no JSON object"}});
}

TEST_F(BadLinesTest, OneIsALineAndTwentyAreListed) {
  EXPECT_ERROR(read("bad\n", "tabbed"), ErrorCode::kBadInput, ": 1 unreadable line: line 1: ");
  std::string content;
  for (int i = 0; i < 20; ++i) content += "bad\n";
  try {
    read(content, "tabbed");
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("; line 20: "));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("more")));
  }
  EXPECT_ERROR(read(content + "bad\n", "tabbed"), ErrorCode::kBadInput, "; and 1 more");
}

void expect_tuple(const PredictedTuple& tuple, double confidence, const char* relation,
                  const std::vector<std::string>& arguments) {
  EXPECT_EQ(tuple.confidence, confidence);
  EXPECT_EQ(tuple.relation, relation);
  EXPECT_EQ(tuple.arguments, arguments);
}

TEST_F(ReadersTest, TabbedMayLackArguments) {
  const auto output = read("S .\t-0.5\trel\n", "tabbed");
  expect_tuple(output.sentences.at(0).tuples.at(0), -0.5, "rel", {});
}

TEST_F(ReadersTest, OurTableIsKnownByItsNumberAndFiveColumns) {
  const std::string rows = "0.5\tann\tis\t\tAnn .\n\n0.25\t\tran\thome\tAnn .\n";
  for (const char* format : {"tsv", "auto"}) {
    const auto output = read(rows, format);
    ASSERT_EQ(output.sentences.size(), 1u) << format;
    EXPECT_EQ(output.sentences[0].sentence, "Ann .");
    expect_tuple(output.sentences[0].tuples.at(0), 0.5, "is", {"ann", ""});
    expect_tuple(output.sentences[0].tuples.at(1), 0.25, "ran", {"", "home"});
  }
  // Five columns of the tabbed form have their number in the second one.
  const auto tabbed = read("7\t0.5\tis\tann\there\r\n", "auto");
  EXPECT_EQ(tabbed.sentences.at(0).sentence, "7");
  expect_tuple(tabbed.sentences[0].tuples.at(0), 0.5, "is", {"ann", "here"});
  EXPECT_EQ(read("S\t0.5\tis\ta\tb", "auto").sentences.at(0).sentence, "S");
  EXPECT_EQ(read("7\t0.5\tis\ta\tb\tc", "auto").sentences.at(0).sentence, "7");
  EXPECT_EQ(read("7\ta\tb\tc", "auto", false, Measure::kBenchie).sentences.at(0).id, "7");
}

TEST_F(ReadersTest, ABadFirstLineOrAByteOrderMarkSaysNothingOfTheForm) {
  const std::string table = "0.5\tann\tis\there\tAnn .\n0.25\tann\tran\thome\tAnn .\n";
  const std::string objects =
      R"({"sentence": "Ann .", "extractions": [{"subject": "ann", "relation": "is", "object": "here"}]})"
      "\n"
      R"({"sentence": "Ann .", "extractions": []})"
      "\n";
  for (const std::string& rows : {table, objects}) {
    for (const char* before :
         {"\xEF\xBB\xBF", "\xEF\xBB\xBF\n", "loading the model ...\n", "{\n"}) {
      const auto output = read(before + rows, "auto", true);
      ASSERT_EQ(output.sentences.size(), 1u) << before;
      EXPECT_EQ(output.sentences[0].sentence, "Ann .");
      EXPECT_EQ(output.sentences[0].tuples.at(0).relation, "is");
    }
  }
}

TEST_F(ReadersTest, ReverbTakesItsColumns) {
  const auto output = read(
      "d\t0\tAnn\truns\thome\t0\t1\t1\t2\t2\t3\t0,25\tAnn runs home .\n \n"
      "d\t0\tAnn\tis\tin\t0\t1\t1\t2\t2\t3\t1\tAnn runs home .\tx\ty\n",
      "reverb");
  ASSERT_EQ(output.sentences.size(), 1u);
  EXPECT_EQ(output.sentences[0].sentence, "Ann runs home .");
  expect_tuple(output.sentences[0].tuples.at(0), 0.25, "runs", {"Ann", "home"});
  expect_tuple(output.sentences[0].tuples.at(1), 1, "is", {"Ann", "in"});
}

TEST_F(ReadersTest, AllennlpTakesWhatIsBetweenTheTags) {
  const auto output =
      read("Ann runs .\t<rel> runs </rel> <arg2>  </arg2> <arg1> Ann </arg1>\t0.5\n\n", "allennlp");
  ASSERT_EQ(output.sentences.size(), 1u);
  EXPECT_EQ(output.sentences[0].sentence, "Ann runs .");
  expect_tuple(output.sentences[0].tuples.at(0), 0.5, "runs", {"Ann", ""});
}

TEST_F(ReadersTest, OllieTakesItsColumns) {
  const auto output = read("confidence\targ1\n0.5\tAnn\truns\thome\te\ta\tAnn runs .\n", "ollie");
  ASSERT_EQ(output.sentences.size(), 1u);
  EXPECT_EQ(output.sentences[0].sentence, "Ann runs .");
  expect_tuple(output.sentences[0].tuples.at(0), 0.5, "runs", {"Ann", "home"});
}

TEST_F(ReadersTest, DetieQuotesMayHoldTabsAndStandInside) {
  const auto output = read("1\t\"a\tb\"\tis \"so\"\t\"\"\t\"x\"\ty\t\"S .\"\n", "detie");
  ASSERT_EQ(output.sentences.size(), 1u);
  EXPECT_EQ(output.sentences[0].sentence, "S .");
  expect_tuple(output.sentences[0].tuples.at(0), 1, "is \"so\"", {"a\tb", ""});
}

TEST_F(ReadersTest, OpenIe5LeavesOutAContextThatIsThereAlready) {
  const auto output = read(
      "1\tContext(Ann,List())\tA(Ann,List())\tR(runs,List())\tA(home,List())\tS\n"
      "1\t\tA(Ann,List())\tR(runs,List())\tA(home,List())\tS\n",
      "openie5");
  for (std::size_t i : {0u, 1u})
    expect_tuple(output.sentences.at(0).tuples.at(i), 1, "runs", {"Ann", "home"});
  for (const char* lacking :
       {"1\t\t\tR(r,List())\tA(b,List())\tS", "1\t\tA(a,List())\t\tA(b,List())\tS"})
    EXPECT_TRUE(read(lacking, "openie5").sentences.empty()) << lacking;
}

TEST_F(ReadersTest, ClausieQuotesAndLines) {
  const auto output = read(
      "# Semantic graph: x\n# Line 7\n1\t'a'\t\"\"\tx\n# Line 8: B "
      ".\n2\t\"b\"\t\"c\"\t\"d\"\t0.5\n",
      "clausie");
  ASSERT_EQ(output.sentences.size(), 2u);
  EXPECT_EQ(output.sentences[0].sentence, "# Line 7");
  expect_tuple(output.sentences[0].tuples.at(0), 1, "", {"a", ""});
  EXPECT_EQ(output.sentences[1].sentence, "B .");
  expect_tuple(output.sentences[1].tuples.at(0), 0.5, "c", {"b", "d"});
}

TEST_F(ReadersTest, TuplesOfASentenceComeTogether) {
  const auto output = read("S\t1\ta\nT\t1\tb\nS\t1\tc\nS\t1\td\n", "tabbed");
  ASSERT_EQ(output.sentences.size(), 2u);
  EXPECT_EQ(output.sentences[0].tuples.size(), 3u);
  EXPECT_EQ(output.sentences[0].tuples[2].relation, "d");
  EXPECT_EQ(output.sentences[1].tuples.size(), 1u);
  const auto by_id =
      read("1\ta\tb\tc\n2\ta\tb\tc\n1\td\te\tf\n", "benchie", false, Measure::kBenchie);
  ASSERT_EQ(by_id.sentences.size(), 2u);
  EXPECT_EQ(by_id.sentences[0].id, "1");
  EXPECT_EQ(by_id.sentences[0].sentence, "");
  expect_tuple(by_id.sentences[0].tuples.at(1), 1, "e", {"d", "f"});
}

constexpr const char* kWireGold = R"({"doc": [
  {"id": "d1", "sent": "Ann runs home.", "tokens": ["Ann", "runs", "home", "."], "tuples": [
    {"arg1": {"words": ["Ann"], "words_indexes": [0]},
     "rel": {"words": ["is", "runs"], "words_indexes": ["inf", 1]},
     "arg2": {"words": [], "words_indexes": []},
     "arg3+": [{"words": ["home", "now"], "words_indexes": [2, "inf"]}]}]},
  {"id": "d2", "sent": "No.", "tokens": [], "tuples": []}]})";

TEST_F(ReadersTest, Wire57GoldHasItsParts) {
  const GoldStandard wire = gold(kWireGold, Measure::kWire57);
  ASSERT_EQ(wire.sentences.size(), 2u);
  const GoldSentence& first = wire.sentences[0];
  EXPECT_EQ(first.id, "d1");
  EXPECT_EQ(first.sentence, "Ann runs home.");
  EXPECT_EQ(first.tokenized, "Ann runs home .");
  EXPECT_EQ(first.num_facts, 1u);
  const GoldTuple& tuple = first.tuples.at(0);
  EXPECT_EQ(tuple.relation.text, "is runs");
  EXPECT_THAT(tuple.relation.words, ElementsAre("is", "runs"));
  EXPECT_EQ(tuple.relation.num_inferred, 1u);
  ASSERT_EQ(tuple.arguments.size(), 3u);
  EXPECT_EQ(tuple.arguments[0].text, "Ann");
  EXPECT_EQ(tuple.arguments[0].num_inferred, 0u);
  EXPECT_EQ(tuple.arguments[1].text, "");
  EXPECT_EQ(tuple.arguments[2].text, "home now");
  EXPECT_EQ(wire.sentences[1].num_facts, 0u);
}

TEST_F(ReadersTest, Wire57FilesAreNamedWithWhatIsWrong) {
  EXPECT_ERROR(gold("{\n\n\"d\": x}", Measure::kWire57), ErrorCode::kBadInput, "line 3");
  EXPECT_ERROR(gold(R"({"doc": [1]})", Measure::kWire57), ErrorCode::kBadInput,
               "sentence 1 of 'doc': an object with 'id' was wanted");
  EXPECT_ERROR(gold(R"({"doc": [{"id": 1}]})", Measure::kWire57), ErrorCode::kBadInput,
               "'id' is no text");
  EXPECT_ERROR(read(R"({"d1": [{"rel": "r", "arg1": "a"}]})", "wire57"), ErrorCode::kBadInput,
               "sentence 'd1': no 'arg2'");
  EXPECT_ERROR(read(R"({"d1": [1]})", "wire57"), ErrorCode::kBadInput, "an object with 'rel'");
  EXPECT_ERROR(read(R"({"d1": [{"extractor": 1}]})", "wire57"), ErrorCode::kBadInput,
               "'extractor' is no text");
}

TEST_F(ReadersTest, Wire57ExtractionsAreOfTheirSystems) {
  const std::string content = R"({
    "d1": [{"arg1": "a", "rel": "r", "arg2": "b", "arg3+": ["c", "d"], "extractor": "x", "score": 0.5},
           {"arg1": "e", "rel": "s", "arg2": "f", "score": "high"}],
    "d2": [{"arg1": "g", "rel": "t", "arg2": "h", "extractor": "x"}]})";
  write(content);
  const auto all = read_predictions(path_, Measure::kWire57);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "unnamed");
  ASSERT_EQ(all[0].sentences.size(), 1u);
  expect_tuple(all[0].sentences[0].tuples.at(0), 1, "s", {"e", "f"});
  EXPECT_EQ(all[1].name, "x");
  ASSERT_EQ(all[1].sentences.size(), 2u);
  EXPECT_EQ(all[1].sentences[0].id, "d1");
  expect_tuple(all[1].sentences[0].tuples.at(0), 0.5, "r", {"a", "b", "c", "d"});
  ScoreReadOptions options;
  options.extractor = "x";
  EXPECT_EQ(read_predictions(path_, Measure::kWire57, options).size(), 1u);
  options.extractor = "y";
  EXPECT_ERROR(read_predictions(path_, Measure::kWire57, options), ErrorCode::kInvalidArgument,
               "no extractor 'y'");
  write("{}");
  EXPECT_TRUE(read_predictions(path_, Measure::kWire57).empty());
}

TEST_F(ReadersTest, BenchieGoldIsReadAsFarAsItGoes) {
  EXPECT_ERROR(gold("1--> Cluster 1:\n", Measure::kBenchie), ErrorCode::kBadInput,
               "a cluster before any sentence");
  EXPECT_ERROR(gold("sent_id:1\n", Measure::kBenchie), ErrorCode::kBadInput, "no sentence after");
  EXPECT_ERROR(gold("sent_id:1\tS\na --> b --> c\n", Measure::kBenchie), ErrorCode::kBadInput,
               "line 2: a triple before any cluster");
  EXPECT_ERROR(gold("sent_id:1\tS\n1--> Cluster 1:\na --> b --> c --> d\n", Measure::kBenchie),
               ErrorCode::kBadInput, "line 3: 4 slots");
  for (const char* no_header : {"--> Cluster 1:", "1a--> Cluster 1:", "1--> A cluster:"}) {
    EXPECT_ERROR(gold("sent_id:1\tS\n" + std::string(no_header) + "\n", Measure::kBenchie),
                 ErrorCode::kBadInput, "line 2: 1 slots");
  }
  const GoldStandard good = gold(
      "sent_id: 1 \t S . \n\n1--> Cluster 1:\n[the] a --> b --> c\nd --> e --> f\n"
      "sent_id:2\tT .\n",
      Measure::kBenchie);
  ASSERT_EQ(good.sentences.size(), 2u);
  EXPECT_EQ(good.sentences[0].id, "1");
  EXPECT_EQ(good.sentences[0].sentence, "S .");
  EXPECT_EQ(good.sentences[0].num_facts, 1u);
  ASSERT_EQ(good.sentences[0].tuples.size(), 2u);
  EXPECT_EQ(good.sentences[0].tuples[0].arguments[0].text, "[the] a");
  EXPECT_EQ(good.sentences[0].tuples[1].relation.text, "e");
  EXPECT_EQ(good.sentences[0].tuples[1].arguments[1].text, "f");
  EXPECT_EQ(good.sentences[0].tuples[1].fact, 0u);
  EXPECT_EQ(good.sentences[1].num_facts, 0u);
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
  EXPECT_EQ(tuple->confidence, 0.93);
  EXPECT_EQ(ollie->confidence, 0.4);
  EXPECT_EQ(ollie->relation, "be");
  const auto two = score::parse_bracketed("  1\t( a ; b)");
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->relation, "b");
  EXPECT_THAT(two->arguments, ElementsAre("a"));
  for (const char* line : {"A sentence ; with (brackets; inside)", "12", "12: none", "(a; b; c)",
                           "", "0.5: (a)", "0.5: (a; b", "0.5:]", "0.5 Context(x (a; b; c)"}) {
    EXPECT_FALSE(score::parse_bracketed(line).has_value()) << line;
  }
}

TEST(Lines, AreNumberedWhateverEndsThem) {
  std::vector<std::string> found;
  for (const score::Line& line : score::split_lines("a\nb\r\nc\rd\n\n\re")) {
    found.push_back(std::to_string(line.number) + ":" + std::string(line.text));
  }
  EXPECT_THAT(found, ElementsAre("1:a", "2:b", "3:c", "4:d", "5:", "6:", "7:e"));
  EXPECT_TRUE(score::split_lines("").empty());
  EXPECT_TRUE(score::split_lines("\xEF\xBB\xBF").empty());
  EXPECT_EQ(score::split_lines("a\r\n").size(), 1u);
  EXPECT_EQ(score::split_lines("\xEF\xBB\xBFx\xEF\xBB\xBF").at(0).text, "x\xEF\xBB\xBF");
}

TEST(Numbers, MayHaveACommaWhereTheReaderSaysSo) {
  double value = 0;
  EXPECT_TRUE(score::parse_local_number("0,5", value));
  EXPECT_EQ(value, 0.5);
  EXPECT_TRUE(score::parse_number("+2", value));
  EXPECT_EQ(value, 2);
  EXPECT_FALSE(score::parse_local_number("0,5,1", value));
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

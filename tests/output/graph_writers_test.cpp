// What the golden files do not say: identities, names and what a format cannot hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "output/node.h"
#include "output/safe_name.h"
#include "output/sample.h"

namespace diffie {
namespace {

using nlohmann::json;
using test::SampleDocument;
using test::write_all;
using ::testing::ElementsAre;

// "a | b | c" is a sentence with that triple.
SampleDocument triples(const std::string& id, const std::vector<std::string>& sentences) {
  SampleDocument document{id, {}, ""};
  for (const std::string& text : sentences) {
    const std::size_t first = text.find(" | ");
    const std::size_t second = text.find(" | ", first + 1);
    test::SampleSentence sentence{document.sentences.empty() ? "" : " ", text, {}};
    sentence.result.extractions.push_back(test::make_triple(
        text, {{0, first}}, {{first + 3, second}}, {{second + 3, text.size()}}, 0.5));
    document.sentences.push_back(sentence);
  }
  return document;
}

TEST(Node, MentionsThatDifferInCaseAndSpaceAreOne) {
  EXPECT_EQ(output::node_key(" The\n  ÄRA\x01 \xC2\xA0"), "the ära");
  EXPECT_EQ(output::one_line("a\xFF\tb\xE2\x80\xA8"), "a\xEF\xBF\xBD b");
  EXPECT_EQ(output::node_id("ann"), "49915e0d7d4b402e3017d010bc1c0e83");  // printf ann | sha256sum
}

TEST(Neo4j, EveryEndIsANodeAndEveryNodeStandsOnce) {
  const auto files =
      write_all(OutputFormat::kNeo4j,
                {triples("1", {"A b | is | C", "a  B | likes | c"}), triples("2", {"C | is | D"})})
          .content;
  std::istringstream nodes(files.at("nodes.csv"));
  std::vector<std::string> ids;
  std::string line;
  std::getline(nodes, line);
  while (std::getline(nodes, line)) ids.push_back(line.substr(0, 32));
  EXPECT_THAT(ids, ElementsAre(output::node_id("a b"), output::node_id("c"), output::node_id("d")));
  std::istringstream relationships(files.at("relationships.csv"));
  std::getline(relationships, line);
  std::size_t count = 0;
  for (; std::getline(relationships, line); ++count) {
    EXPECT_THAT(ids, ::testing::Contains(line.substr(0, 32)));
    EXPECT_THAT(ids, ::testing::Contains(line.substr(33, 32)));
  }
  EXPECT_EQ(count, 3U);
}

TEST(SafeNames, StayOrAreMadeDistinct) {
  output::SafeNames names;
  EXPECT_EQ(names.next("report-1.txt"), "report-1");
  EXPECT_EQ(names.next("report-1"), "report-1-2");
  EXPECT_EQ(names.next("report-1.txt"), "report-1-3");
  const std::string path = names.next("a/b.txt");
  EXPECT_THAT(path, ::testing::MatchesRegex("a_b-[0-9a-f]+"));
  EXPECT_NE(names.next("a_b.txt"), path);
  for (const std::string id : {"", ".", "..", "../../etc/passwd", ".hidden", "é"}) {
    const std::string name = names.next(id);
    EXPECT_THAT(name, ::testing::MatchesRegex("[A-Za-z0-9_-][A-Za-z0-9_.-]*")) << id;
  }
  EXPECT_LE(names.next(std::string(5000, 'x')).size(), 120U);
}

TEST(Lightrag, PutsAPairTogetherAndLeavesOutWhatWouldBeRefused) {
  const json kg =
      json::parse(write_all(OutputFormat::kLightrag,
                            {triples("1", {"Ann | likes | Bob",
                                           "\xE2\x80\x9C"
                                           "bob\xE2\x80\x9D | hates | ann"}),
                             triples("2", {"Ann | has | 12", "Ann | is | 'ANN'", "Ann | had | 1.50",
                                           "5 | is | &#32;", "Ann | sold | AT&T"})})
                      .content.at(""));
  ASSERT_EQ(kg["entities"].size(), 3U);
  EXPECT_EQ(kg["entities"][1]["entity_name"], "Bob");
  EXPECT_EQ(kg["entities"][2]["entity_name"], "AT&T");
  ASSERT_EQ(kg["relationships"].size(), 2U);
  const json& pair = kg["relationships"][0];
  EXPECT_EQ(pair["weight"], 2);
  EXPECT_EQ(pair["keywords"], "likes, hates");
  EXPECT_EQ(pair["triples"][1]["subject"],
            "\xE2\x80\x9C"
            "bob\xE2\x80\x9D");
}

TEST(Brat, ASlotOfLineBreaksAloneIsNoAnnotation) {
  SampleDocument document{"d", {{"", "a\n\nb", {}}}, ""};
  document.sentences[0].result.extractions = {
      test::make_triple("a\n\nb", {{0, 1}}, {{1, 3}}, {{3, 4}}, 0.5),
      test::make_triple("a\n\nb", {{0, 1}}, {{1, 3}}, {{1, 2}}, 0.5)};
  EXPECT_EQ(write_all(OutputFormat::kBrat, {document}).content.at("d.ann"),
            "T1\tSubject 0 1\ta\nT2\tObject 3 4\tb\nR1\tImplied Arg1:T1 Arg2:T2\n"
            "#1\tAnnotatorNotes R1\tconfidence=0.5\n");
}

}  // namespace
}  // namespace diffie

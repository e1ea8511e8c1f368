#include "diffie/lab/holes.h"

#include <gtest/gtest.h>

#include <sstream>

namespace diffie {
namespace {

struct Case {
  const char* sentence;  // word/role, role S, R or O; without one: background
  bool hole;
};

struct Tagged {
  std::string text;
  Extraction triple;
};

Tagged tagged(const char* sentence) {
  Tagged out;
  std::istringstream stream(sentence);
  char last = ' ';
  for (std::string word; stream >> word;) {
    char role = ' ';
    if (word.size() > 2 && word[word.size() - 2] == '/') {
      role = word.back();
      word.resize(word.size() - 2);
    }
    if (!out.text.empty()) out.text += ' ';
    const Span bytes{out.text.size(), out.text.size() + word.size()};
    out.text += word;
    Extraction& triple = out.triple;
    auto& spans = role == 'S'   ? triple.subject_spans
                  : role == 'R' ? triple.relation_spans
                                : triple.object_spans;
    if (role != ' ' && role == last) {
      spans.back().end = bytes.end;
    } else if (role != ' ') {
      spans.push_back(bytes);
    }
    last = role;
  }
  return out;
}

constexpr Case kCases[] = {
    {"Ann/S likes/R green/O tea/O .", false},
    {"Ann/S and Ben/S like/R tea/O", true},
    {"Ann/S likes/R green/O and black tea/O", true},
    {"The firm/S has/R recently signed/R it/O", false},
    {"The firm/S has/R not yet finally signed/R it/O", false},
    {"The firm/S has/R not yet finally quickly signed/R it/O", true},
    {"The firm/S has/R , however , signed/R it/O", true},
    {"Where/O did/R he/S go/R ?", false},
    {"Did/R the/S old/S man/S not go/R home/O ?", false},
    {"He/S picked/R the/O book/O up/R", false},
    {"He/S picked/R the red book/O up/R", true},
    {"He/S gave/R the book to/R Ann/O", true},
    {"It/S was/R designed by Lee and completed/R in/R 1864/O", true},
    {"They/S founded/R , owned/R Google/O", true},
    {"Bob/S the builder/O did/R Ann/S go/R", true},  // subject in two, of which one is in the gap
    {"Bob/S was/R and is/R mayor/O", true},
    {"He/S has/R early signed/R it/O", false},
    {"He/S has/R only signed/R it/O", true},  // too short for an adverb in "ly"
    {"He/S has/R Never signed/R it/O", false},
    {"He/S turned/R it/O off/R", false},
    {"Did/R he/S ever turn/R it/O off/R", false},
    {"Did/R he/S and she turn/R it/O off/R", true},
};

TEST(Holes, Cases) {
  for (const Case& each : kCases) {
    const Tagged got = tagged(each.sentence);
    EXPECT_EQ(has_hole(got.text, got.triple), each.hole) << each.sentence;
  }
}

TEST(Holes, ImpliedRelationsHaveNone) {
  Extraction triple = tagged("Paris/S , the/O capital/O").triple;
  triple.implied = {"is"};
  EXPECT_FALSE(has_hole("Paris , the capital", triple));
}

TEST(Holes, AGapOfBlanksAloneSplitsNothing) {
  Extraction triple;
  triple.subject_spans = {{0, 2}};
  triple.relation_spans = {{3, 6}, {8, 12}};
  triple.object_spans = {{13, 15}};
  EXPECT_TRUE(has_hole("He has  seen it", triple));
  triple.relation_spans = {{3, 12}};
  EXPECT_FALSE(has_hole("He has  seen it", triple));
}

// A slot that begins or ends inside the gap, and goes on beyond it, is torn.
TEST(Holes, ASlotLiesInAGapAsAWhole) {
  const std::string text = "was he there seen it";
  Extraction triple;
  triple.relation_spans = {{0, 3}, {13, 17}};
  triple.object_spans = {{18, 20}};
  triple.subject_spans = {{4, 12}};
  EXPECT_FALSE(has_hole(text, triple));
  triple.subject_spans = {{4, 14}};
  EXPECT_TRUE(has_hole(text, triple));
  triple.subject_spans = {{2, 12}};
  EXPECT_TRUE(has_hole(text, triple));
}

TEST(Holes, ShareIsOfAllTriples) {
  const Tagged solid = tagged("Ann/S likes/R tea/O");
  const Tagged torn = tagged("Ann/S and Ben/S like/R tea/O");
  std::vector<SentenceResult> results(3);
  results[0].extractions = {solid.triple, solid.triple, solid.triple};
  results[2].extractions = {torn.triple};
  const std::vector<std::string_view> texts = {solid.text, "x", torn.text};
  EXPECT_EQ(share_with_holes(texts, results), 0.25);
  EXPECT_EQ(share_with_holes({}, {}), 0);
  EXPECT_EQ(share_with_holes(std::span(texts).first(1), results), 0);
  EXPECT_EQ(share_with_holes(texts, std::span(results).first(2)), 0);
}

}  // namespace
}  // namespace diffie

// Invented sentences, each with the tags a reader would give: tests/lab/data/aligned_examples.tsv.
#include "lab/data/recover_aligner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "expect_error.h"
#include "lab/data/csv.h"

namespace diffie::data {
namespace {

const std::vector<std::string> kImplied = {"is",   "are",  "was",  "were", "be", "has",
                                           "have", "had",  "of",   "in",   "to", "by",
                                           "for",  "from", "with", "as",   "on", "at"};

std::vector<std::vector<std::string>> examples() {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/lab/data/aligned_examples.tsv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  TableReader reader(text, "aligned_examples.tsv", Quoting::kNone);
  std::vector<std::vector<std::string>> rows;
  while (auto cells = reader.next()) rows.push_back(*std::move(cells));
  rows.erase(rows.begin());
  return rows;
}

void expect_tags(const Aligner& aligner, const std::vector<std::string>& row, std::size_t column) {
  if (!WordForms::available() && row[column + 1].find("inflected") != std::string::npos) return;
  const auto found = aligner.align(row[0], {row[1], row[2], row[3]});
  SCOPED_TRACE(row[0] + "  (" + row[1] + "; " + row[2] + "; " + row[3] + ")");
  EXPECT_EQ(found ? found->tags : "", row[column]);
  EXPECT_EQ(found ? name_of_mask(found->relaxations) : "none", row[column + 1]);
}

TEST(RecoverAligner, TagsTheExamples) {
  const Aligner aligner;
  ASSERT_GT(examples().size(), 30u);
  for (const auto& row : examples()) expect_tags(aligner, row, 4);
}

TEST(RecoverAligner, TagsTheExamplesWithImpliedWords) {
  const Aligner aligner({.implied = kImplied});
  for (const auto& row : examples()) expect_tags(aligner, row, 6);
}

TEST(RecoverAligner, ExamplesCoverEveryRelaxation) {
  std::uint8_t seen = 0;
  const Aligner aligner({.implied = kImplied});
  for (const auto& row : examples()) {
    if (const auto found = aligner.align(row[0], {row[1], row[2], row[3]})) {
      seen |= found->relaxations;
    }
  }
  EXPECT_EQ(seen, WordForms::available() ? 255 : 255 & ~16);
}

TEST(RecoverAligner, SurvivesAnything) {
  const Aligner aligner({.implied = kImplied});
  EXPECT_FALSE(aligner.align("", {"a", "b", "c"}));
  EXPECT_FALSE(aligner.align("a b c", {"", "", ""}));
  EXPECT_FALSE(aligner.align("\xFF \xC3 \xE2\x80", {"\xFF", "\x80", "\xC3"}));
  EXPECT_EQ(aligner.align(", : ;", {",", ":", ";"})->tags.substr(0, 3), "SRO");
  std::string same;
  for (int i = 0; i < 300; ++i) same += "the ";
  EXPECT_TRUE(aligner.align(same, {"the the", "the the the", "the"}));
  EXPECT_FALSE(aligner.align("x y", {same, same, same}));
}

TEST(RecoverAligner, RefusesWhatNoModelCanHave) {
  const auto make = [](std::vector<std::string> words) {
    return Aligner({.aligner = AlignerKind::kRecover, .implied = std::move(words)});
  };
  EXPECT_NO_THROW(make({"is", "of"}));
  EXPECT_ERROR(make({"is", "Was"}), ErrorCode::kInvalidArgument, "'Was' is no word of a to z");
  EXPECT_ERROR(make({"is", ""}), ErrorCode::kInvalidArgument, "'' is no word");
  EXPECT_ERROR(make({"is", "of", "is"}), ErrorCode::kInvalidArgument, "'is' is listed twice");
}

TEST(RecoverAligner, PaperKnowsNoImpliedWords) {
  EXPECT_ERROR(Aligner({AlignerKind::kPaper, kImplied}), ErrorCode::kInvalidArgument, "implied");
}

}  // namespace
}  // namespace diffie::data

#include "lab/data/paper_aligner.h"

#include <gtest/gtest.h>

namespace diffie::data {
namespace {

std::string tags(const char* sentence, const Triple& triple) {
  const auto alignment = align_paper(sentence, triple);
  return alignment ? alignment->tags : "none";
}

TEST(PaperAligner, PrefersARunToTheFirstWords) {
  EXPECT_EQ(tags("the cat saw the dog", {"cat", "saw", "the dog"}), "BSROO");
  EXPECT_EQ(tags("a red a cat saw it", {"a cat", "saw", "it"}), "BBSSRO");
}

TEST(PaperAligner, PlacesWordsOneByOneWhenThereIsNoRun) {
  EXPECT_EQ(tags("a big red cat saw it", {"a cat", "saw", "it"}), "SBBSRO");
}

TEST(PaperAligner, IgnoresCaseOnly) {
  EXPECT_EQ(tags("ÉVA SAW it", {"éva", "saw", "It"}), "SRO");
  EXPECT_EQ(tags("Bach 's son sang it", {"Bach's son", "sang", "it"}), "none");
}

TEST(PaperAligner, WantsTheOrderSubjectRelationObject) {
  EXPECT_EQ(tags("it , said Ann", {"Ann", "said", "it"}), "none");
  EXPECT_EQ(tags("a b c d a", {"d", "a", "b"}), "none");
}

TEST(PaperAligner, CountsAnEmptySlotAsPlaced) {
  const auto alignment = align_paper("birds sing", {"birds", "sing", ""});
  ASSERT_TRUE(alignment);
  EXPECT_EQ(alignment->tags, "SR");
  EXPECT_EQ(alignment->relaxations, static_cast<std::uint8_t>(Relaxation::kEmptySlot));
  EXPECT_FALSE(align_paper("", {"a", "b", "c"}));
}

}  // namespace
}  // namespace diffie::data

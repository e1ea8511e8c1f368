#include "lab/data/word_forms.h"

#include <gtest/gtest.h>

namespace diffie::data {
namespace {

class WordFormsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!WordForms::available()) GTEST_SKIP() << "built without word forms";
  }
  bool same(std::string_view a, std::string_view b) {
    return share_stem(forms_.stems(a), forms_.stems(b));
  }
  WordForms forms_;
};

TEST_F(WordFormsTest, KnowsRegularForms) {
  EXPECT_TRUE(same("describe", "described"));
  EXPECT_TRUE(same("sympathies", "sympathy"));
  EXPECT_FALSE(same("describe", "prescribe"));
}

TEST_F(WordFormsTest, KnowsIrregularForms) {
  EXPECT_TRUE(same("said", "says"));
  EXPECT_TRUE(same("grew", "grown"));
  EXPECT_TRUE(same("mice", "mouse"));
  EXPECT_TRUE(same("was", "being"));
  EXPECT_FALSE(same("saw", "sew"));
}

TEST_F(WordFormsTest, GivesNumbersAndLettersNoForm) {
  EXPECT_TRUE(forms_.stems("1990s").empty());
  EXPECT_TRUE(forms_.stems("s").empty());
  EXPECT_TRUE(forms_.stems("").empty());
  EXPECT_FALSE(forms_.stems("\xC3\xFF").empty());
}

}  // namespace
}  // namespace diffie::data

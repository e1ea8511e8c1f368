#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "diffie/lab/data.h"
#include "lab/data/audit.h"
#include "lab/data/html_chart.h"

namespace diffie::data {
namespace {

const std::vector<Row> kRows = {
    {0, "The cat saw a dog .", {{"The cat", "saw", "a dog"}, {"a dog", "was seen by", "The cat"}}},
    {1, "`` It 's <b>late</b> & dark , '' said Mo .", {{"Mo", "said", "It's <b>late</b>"}}},
    {2, "Birds sing .", {{"Birds", "sing", ""}, {"Birds", "crow at", "dawn"}}},
};

std::size_t total(const Breakdown& breakdown) {
  std::size_t sum = 0;
  for (const Share& share : breakdown.shares) {
    EXPECT_EQ(share.paper + share.recovered + share.lost, share.total) << share.name;
    sum += share.total;
  }
  return sum;
}

TEST(Audit, EveryBreakdownCountsEveryTripleOnce) {
  const std::vector<Outcome> outcomes = audit_outcomes(kRows);
  ASSERT_EQ(outcomes.size(), 5u);
  EXPECT_EQ(total(by_category(outcomes)), 5u);
  EXPECT_EQ(total(by_combination(outcomes, 100)), 5u);
  EXPECT_EQ(total(by_relation_type(outcomes)), 5u);
  EXPECT_EQ(total(by_construction(outcomes)), 5u);
  EXPECT_EQ(total(by_role_order(outcomes)), 5u);
  EXPECT_EQ(total(by_sentence_length(outcomes)), 5u);
  EXPECT_EQ(total(by_triple_count(outcomes)), 5u);
  for (const char role : std::string_view("SRO")) {
    EXPECT_EQ(total(by_slot_length(outcomes, role)), 5u);
  }
}

TEST(Audit, SortsTriplesIntoCategories) {
  const std::vector<Outcome> outcomes = audit_outcomes(kRows);
  EXPECT_EQ(category_of(outcomes[0]), "verbatim");
  EXPECT_EQ(category_of(outcomes[2]), "punctuation");
  EXPECT_EQ(category_of(outcomes[3]), "empty-slot");
  EXPECT_EQ(category_of(outcomes[4]), "not aligned");
  EXPECT_TRUE(outcomes[0].paper);
  EXPECT_FALSE(outcomes[2].paper);
}

TEST(Report, IsOnePageThatEscapesWhatItQuotes) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "report.html";
  write_report(kRows, {.source = "a<b>.tsv", .examples = 4, .seed = 1}, path);
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(page.find("a&lt;b&gt;.tsv"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;late&lt;/b&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<b>late"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme:dark"), std::string::npos);
  for (const char* outside : {"http:", "https:", "<script", "<link", "url(", "@import", "src="}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST(Report, CopesWithNoRows) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "empty.html";
  write_report({}, {}, path);
  EXPECT_GT(std::filesystem::file_size(path), 1000u);
}

TEST(HtmlChart, WritesNumbers) {
  EXPECT_EQ(with_thousands(7), "7");
  EXPECT_EQ(with_thousands(26349), "26,349");
  EXPECT_EQ(with_thousands(1000000), "1,000,000");
  EXPECT_EQ(percent(1, 3), "33.3\u00a0%");
  EXPECT_EQ(percent(0, 0), "0.0\u00a0%");
}

}  // namespace
}  // namespace diffie::data

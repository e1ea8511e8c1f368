// The table of cases: at least 95 % right in every column and altogether.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "facts/factuality.h"
#include "facts/located.h"
#include "text/shipped_tokenizer.h"

namespace diffie::facts {
namespace {

struct Case {
  std::size_t line = 0;
  std::string sentence;
  std::array<std::string, 3> slots;  // "-": none; "[is]": implied
  std::array<std::string, 3> wanted;
};

std::vector<Case> read_cases() {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/facts/cases.tsv");
  std::vector<Case> cases;
  std::string line;
  std::getline(file, line);  // the names of the columns
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 7u) << line;
    if (cells.size() != 7) continue;
    cases.push_back(
        {number, cells[0], {cells[1], cells[2], cells[3]}, {cells[4], cells[5], cells[6]}});
  }
  return cases;
}

std::array<std::string, 3> shown(const Factuality& factuality) {
  return {std::string(name_of(factuality.polarity)), std::string(name_of(factuality.modality)),
          factuality.attributed_to ? factuality.attributed_to->text : "-"};
}

struct Count {
  std::array<int, 3> right = {};
  int all_right = 0;
  int cases = 0;
};

Count judge_all() {
  Count count;
  for (const Case& each : read_cases()) {
    const Located located(shipped_tokenizer(), each.sentence);
    const auto found = shown(located.factuality(each.slots));
    ++count.cases;
    bool all = true;
    for (std::size_t column = 0; column < 3; ++column) {
      count.right[column] += found[column] == each.wanted[column];
      all = all && found[column] == each.wanted[column];
    }
    count.all_right += all;
    if (!all) {
      fmt::print("line {}: {}\n    ({})\n    wanted {}, found {}\n", each.line, each.sentence,
                 fmt::join(each.slots, "; "), fmt::join(each.wanted, ", "), fmt::join(found, ", "));
    }
  }
  fmt::print("{} cases: polarity {}, modality {}, attribution {}, all {}\n", count.cases,
             count.right[0], count.right[1], count.right[2], count.all_right);
  return count;
}

TEST(FactualityCases, NearlyAllAreRight) {
  constexpr double kShare = 0.95;
  const Count count = judge_all();
  EXPECT_GE(count.cases, 300);
  for (const int right : count.right) EXPECT_GE(right, kShare * count.cases);
  EXPECT_GE(count.all_right, kShare * count.cases);
}

}  // namespace
}  // namespace diffie::facts

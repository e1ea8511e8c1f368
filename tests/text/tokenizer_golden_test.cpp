#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "diffie/text.h"
#include "text/shipped_tokenizer.h"

namespace diffie {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string to_row(const Encoding& encoding) {
  std::string row;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    row += fmt::format("{}{}:{}-{}", i == 0 ? "" : " ", encoding.ids[i], encoding.offsets[i].begin,
                       encoding.offsets[i].end);
  }
  return row;
}

// Made by scripts/golden/make_tokenizer_golden.py from Hugging Face's tokenizer.
TEST(TokenizerGolden, EqualsBertTokenizerFast) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/text/tokenizer_golden.tsv");
  std::string row;
  std::size_t num_rows = 0;
  while (std::getline(file, row)) {
    ++num_rows;
    const std::size_t tab = row.find('\t');
    ASSERT_NE(tab, std::string::npos) << "row " << num_rows;
    const std::string text = from_hex(std::string_view(row).substr(0, tab));
    EXPECT_EQ(to_row(shipped_tokenizer().encode(text, false)), row.substr(tab + 1))
        << "row " << num_rows << ": " << row.substr(0, tab);
  }
  EXPECT_GE(num_rows, 3000u);
}

}  // namespace
}  // namespace diffie

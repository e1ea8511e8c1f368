#include <gtest/gtest.h>

#include <fstream>

#include "diffie/lab/data.h"
#include "expect_error.h"

namespace diffie::data {
namespace {

constexpr const char* kTarget = "subject <is> A <and> relation <is> b <and> object <is> C d";

TEST(Rows, ReadsQuotedCellsAfterAHeader) {
  const std::string text = std::string("source\ttarget\nA b C d .\t") + kTarget +
                           " <then> subject <is> x <and> relation <is> y <and> object <is>\n"
                           "\"Say \"\"hi\"\" .\"\t\"subject <is> \"\"I\"\" <and> relation <is> say "
                           "<and> object <is> \"\"hi\"\"\"\n";
  const std::vector<Row> rows = parse_rows(text, "t.tsv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sentence, "A b C d .");
  ASSERT_EQ(rows[0].triples.size(), 2u);
  EXPECT_EQ(rows[0].triples[0].object, "C d");
  EXPECT_EQ(rows[0].triples[1].object, "");
  EXPECT_EQ(rows[1].number, 1u);
  EXPECT_EQ(rows[1].sentence, "Say \"hi\" .");
  EXPECT_EQ(rows[1].triples[0].subject, "\"I\"");
}

TEST(Rows, KeepsQuotesWhereThereIsNoHeader) {
  const std::vector<Row> rows =
      parse_rows(std::string("\"A\" b C d\t") + kTarget + "\r\n\n", "t.tsv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sentence, "\"A\" b C d");
  EXPECT_EQ(rows[0].triples[0].object, "C d");
}

TEST(Rows, QuotedCellMaySpanLines) {
  const std::string text = std::string("source\ttarget\n\"A b\nC d\"\t") + kTarget + "\nbad\n";
  EXPECT_ERROR(parse_rows(text, "t.tsv"), ErrorCode::kBadInput, "t.tsv:4: 1 cells");
}

TEST(Rows, ReadsJsonLinesUnderEitherKey) {
  const std::vector<Row> rows = parse_rows(
      "{\"sentence\": \" A b C \", \"triples\": [{\"subject\": \"A\", \"relation\": \"b\", "
      "\"object\": \"C\", \"score\": 1}]}\n\n{\"sentence\": \"D\", \"extractions\": []}",
      "t.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sentence, "A b C");
  EXPECT_EQ(rows[0].triples[0].object, "C");
  EXPECT_EQ(rows[1].number, 1u);
}

TEST(Rows, RefusesWhatItCannotRead) {
  EXPECT_ERROR(parse_rows("A b C", "t"), ErrorCode::kBadInput, "t:1: 1 cells, wanted 2");
  EXPECT_ERROR(parse_rows("A\tsubject <is> A <and> object <is> C", "t"), ErrorCode::kBadInput,
               "t:1: triple 1");
  EXPECT_ERROR(parse_rows(std::string("A\t") + kTarget + " <then> ", "t"), ErrorCode::kBadInput,
               "t:1: triple 2");
  EXPECT_ERROR(parse_rows("source\ttarget\nA b\t\"two\nlines\x1b[2J\"", "t"), ErrorCode::kBadInput,
               "t:2: triple 1 is 'two\\x0alines\\x1b[2J', wanted");
  EXPECT_ERROR(parse_rows("source\ttarget\n\"A b", "t"), ErrorCode::kBadInput, "closing quote");
  EXPECT_ERROR(parse_rows("source\ttarget\n\"A\" b\tc", "t"), ErrorCode::kBadInput,
               "after a closing quote");
  EXPECT_ERROR(parse_rows("{\"sentence\": 1, \"triples\": []}", "t"), ErrorCode::kBadInput,
               "no string 'sentence'");
  EXPECT_ERROR(parse_rows("{\"sentence\": \"a\"}", "t"), ErrorCode::kBadInput, "no array");
  EXPECT_ERROR(parse_rows("{\"sentence\": \"a\", \"triples\": [1]}", "t"), ErrorCode::kBadInput,
               "not an object");
  EXPECT_ERROR(parse_rows("{\"sentence\"", "t"), ErrorCode::kBadInput, "not a JSON object");
  EXPECT_ERROR(read_rows("no/such/file.tsv"), ErrorCode::kNotFound, "no/such/file.tsv");
  EXPECT_TRUE(parse_rows("", "t").empty());
  EXPECT_TRUE(parse_rows("source\ttarget\n", "t").empty());
}

TEST(Rows, OrderFileMustNameEachRowOnce) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "row_order.txt";
  const auto read = [&](const char* content) {
    std::ofstream(path) << content;
    return read_row_order(path, 3);
  };
  EXPECT_EQ(read("2\n0\n"), (std::vector<std::size_t>{2, 0}));
  EXPECT_ERROR(read("2\n2\n"), ErrorCode::kBadInput, ":2: '2'");
  EXPECT_ERROR(read("3\n"), ErrorCode::kBadInput, "below 3");
  EXPECT_ERROR(read("-1\n"), ErrorCode::kBadInput, "'-1'");
  EXPECT_ERROR(read("1x\n"), ErrorCode::kBadInput, "'1x'");
}

TEST(Rows, TakesTheFirstRowsOfAnOrder) {
  const std::vector<Row> rows = {{0, "a", {}}, {1, "b", {}}, {2, "c", {}}};
  const std::vector<std::size_t> order = {2, 0};
  EXPECT_EQ(take_rows(rows, order, 1)[0].sentence, "c");
  EXPECT_EQ(take_rows(rows, order, 0).size(), 2u);
  EXPECT_EQ(take_rows(rows, {}, 0).size(), 3u);
  EXPECT_ERROR(take_rows(rows, order, 3), ErrorCode::kInvalidArgument, "3 rows asked for, 2");
  const std::vector<std::size_t> beyond = {3};
  EXPECT_ERROR(take_rows(rows, beyond, 1), ErrorCode::kInvalidArgument, "row 3 asked for, 3");
}

}  // namespace
}  // namespace diffie::data

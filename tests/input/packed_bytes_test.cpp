#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "byte_source.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::cli {
namespace {

std::string read_all(const std::string& path) {
  const auto source = open_bytes(path);
  std::string text;
  while (append_block(*source, text) > 0) {
  }
  return text;
}

std::string long_text() {
  std::string text;
  for (int line = 0; line < 50'000; ++line) text += "line " + std::to_string(line * 7919) + "\n";
  return text;
}

// By the usual programs, which write what we read.
class PackedBytes : public ::testing::TestWithParam<const char*> {
 protected:
  std::string pack(const std::string& text) const {
    test::write_file(temp_ / "plain", text);
    const std::string program = GetParam();
    const std::string packed = (temp_ / "packed").string();
    const std::string command =
        program + " -c '" + (temp_ / "plain").string() + "' > '" + packed + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return test::read_file(packed);
  }
  std::string file(const std::string& bytes) const {
    test::write_file(temp_ / "file", bytes);
    return temp_ / "file";
  }

  test::TempDir temp_;
};

INSTANTIATE_TEST_SUITE_P(Programs, PackedBytes, ::testing::Values("gzip", "zstd -q"),
                         [](const auto& program) {
                           return std::string(program.param).substr(0, 4);
                         });

TEST_P(PackedBytes, GivesBackWhatWasPacked) {
  for (const std::string& text : {std::string(), std::string("x"), long_text()}) {
    EXPECT_EQ(read_all(file(pack(text))), text);
  }
}

TEST_P(PackedBytes, SeveralPartsAreOneText) {
  EXPECT_EQ(read_all(file(pack("one\n") + pack("") + pack("two\n"))), "one\ntwo\n");
}

TEST_P(PackedBytes, WhatIsCutOffIsAnErrorBehindWhatCouldBeRead) {
  const std::string packed = pack(long_text());
  const auto source = open_bytes(file(packed.substr(0, packed.size() / 2)));
  std::string text;
  EXPECT_ERROR(while (append_block(*source, text) > 0){}, ErrorCode::kBadInput,
               "is cut off at byte");
  EXPECT_GT(text.size(), 1000U);
  EXPECT_TRUE(long_text().starts_with(text));
}

TEST_P(PackedBytes, WhatIsBrokenIsAnError) {
  std::string packed = pack(long_text());
  ASSERT_GT(packed.size(), 256U);
  for (std::size_t at = packed.size() / 3; at < packed.size() / 3 + 64; ++at) packed[at] = 'x';
  EXPECT_ERROR(read_all(file(packed)), ErrorCode::kBadInput, "is broken at byte");
  EXPECT_ERROR(read_all(file(pack("one") + "garbage")), ErrorCode::kBadInput, "is broken at byte");
}

TEST_P(PackedBytes, WhatIsPackedTwiceIsRefused) {
  for (const char* once : {"gzip", "zstd -q"}) {
    test::write_file(temp_ / "inner", "text");
    const std::string command = std::string(once) + " -c '" + (temp_ / "inner").string() + "' > '" +
                                (temp_ / "once").string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_ERROR(read_all(file(pack(test::read_file(temp_ / "once")))), ErrorCode::kBadInput,
                 "file: is packed twice");
  }
  for (const std::string text : {"(", "(\xB5", "\x1F", "\x1F(", "PAR1", "PAR1 is", "ARROW1"}) {
    EXPECT_EQ(read_all(file(pack(text))), text);
  }
}

TEST_P(PackedBytes, TablesAreNoText) {
  for (const std::string& table : {std::string("PAR1\x15\x04"), std::string("ARROW1\0\0", 8)}) {
    EXPECT_ERROR(read_all(file(pack(table))), ErrorCode::kBadInput, "file: tables are not packed");
    EXPECT_ERROR(read_all(file(table)), ErrorCode::kBadInput, "file: is a table, not text");
  }
  const std::string stream("\xFF\xFF\xFF\xFF\xC8\0\0\0", 8);
  EXPECT_ERROR(read_all(file(pack(stream))), ErrorCode::kBadInput, "file: tables are not packed");
  EXPECT_ERROR(read_all(file(stream)), ErrorCode::kBadInput,
               "file: is an Arrow stream, not text: extract --input-format arrow reads it");
  for (const std::string text :
       {"P", "PAR", "PAR1", "PAR1 is a receptor", "ARROW1", "\xFF\xFF\xFF"}) {
    EXPECT_EQ(read_all(file(text)), text);
  }
}

TEST(ByteSource, ANameThatPromisesPackedDataIsHeldToIt) {
  const test::TempDir temp;
  test::write_file(temp / "a.gz", "plain");
  EXPECT_ERROR(read_all(temp / "a.gz"), ErrorCode::kBadInput, "does not begin as its name says");
  test::write_file(temp / "a.txt", "\x1F");
  EXPECT_EQ(read_all(temp / "a.txt"), "\x1F");
}

}  // namespace
}  // namespace diffie::cli

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "expect_error.h"
#include "output/sample.h"

namespace diffie {
namespace {

TEST(OutputFormats, EveryRowOfTheTableMakesAWriterAndNamesAreDistinct) {
  std::set<std::string> names;
  for (const FormatInfo& info : output_formats()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    const test::MemoryFiles files = test::write_all(info.format, {test::small_document()});
    EXPECT_FALSE(files.content.empty()) << info.name;
    for (const auto& [name, content] : files.content) {
      EXPECT_EQ(name != "", info.several_files) << info.name;
      EXPECT_EQ(files.closed.count(name), info.several_files ? 1U : 0U) << info.name << name;
    }
  }
}

TEST(OutputFormats, EveryNameIsDocumented) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/docs/formats.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  for (const FormatInfo& info : output_formats())
    EXPECT_NE(document.find("`" + info.name + "`"), std::string::npos) << info.name;
}

TEST(OutputFormats, AnUnknownFormatIsRefused) {
  test::MemoryFiles files;
  EXPECT_ERROR(make_writer(static_cast<OutputFormat>(99), {}, files), ErrorCode::kInvalidArgument,
               "99");
}

}  // namespace
}  // namespace diffie

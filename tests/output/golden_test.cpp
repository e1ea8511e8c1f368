// Every format byte by byte, over a small document, an empty one and a hostile one. What should
// come out stands in tests/output/golden; with DIFFIE_WRITE_GOLDEN=1 this test writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "output/sample.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check(const fs::path& path, const std::string& content) {
  if (std::getenv("DIFFIE_WRITE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  EXPECT_EQ(content, read(path)) << path;
}

void check_format(const FormatInfo& info, const std::string& variant,
                  const WriterOptions& options) {
  const test::MemoryFiles files = test::write_all(
      info.format,
      {test::small_document(), {"empty", {}, ""}, test::hostile_document(), {"blank", {}, " \n"}},
      options);
  const fs::path golden = fs::path(DIFFIE_SOURCE_DIR) / "tests/output/golden";
  const std::string stem = info.name + variant;
  std::size_t expected = 0;
  for (const auto& [name, content] : files.content) {
    check(info.several_files ? golden / stem / name : golden / stem, content);
    ++expected;
  }
  if (!info.several_files) return;
  EXPECT_EQ(std::distance(fs::directory_iterator(golden / stem), fs::directory_iterator()),
            static_cast<std::ptrdiff_t>(expected));
}

TEST(Golden, EveryFormat) {
  for (const FormatInfo& info : output_formats()) check_format(info, "", {});
}

TEST(Golden, EveryOption) {
  for (const FormatInfo& info : output_formats()) {
    WriterOptions options;
    options.document_offsets = true;
    if (info.format == OutputFormat::kJsonl) check_format(info, "-offsets", options);
    options.classic_reification = true;
    options.base_iri = "https://example.org/";
    if (info.format == OutputFormat::kNtriples || info.format == OutputFormat::kTurtle)
      check_format(info, "-classic", options);
  }
}

}  // namespace
}  // namespace diffie

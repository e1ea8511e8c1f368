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

// Every gap as add_text(), a character each.
void write_in_pieces(Writer& writer, const test::SampleDocument& document) {
  std::size_t byte = 0;
  DocumentSentence place;
  const auto pass = [&](std::string_view gap) {
    for (std::size_t pos = 0; pos < gap.size(); ++place.character) {
      const std::size_t length = base::decode_utf8(gap, pos).length;
      writer.add_text(gap.substr(pos, length), place.character);
      pos += length;
    }
    byte += gap.size();
  };
  writer.begin_document(document.id);
  for (const test::SampleSentence& sentence : document.sentences) {
    pass(sentence.gap);
    place.text = sentence.text;
    place.bytes = {byte, byte + sentence.text.size()};
    writer.add(place, sentence.result);
    byte = place.bytes.end;
    place.character += test::count_characters(sentence.text);
    ++place.index;
  }
  pass(document.rest);
  writer.end_document("");
}

TEST(OutputFormats, AGapMayComeInPieces) {
  test::SampleDocument beyond_16_bits = test::hostile_document();
  beyond_16_bits.sentences[0].gap += "\U0001F600\u3000";
  beyond_16_bits.sentences.push_back({" \U0001F601\r\n", "Not here.", {}});
  const std::vector<test::SampleDocument> documents = {
      test::small_document(), {"blank", {}, " \n"}, beyond_16_bits};
  for (const FormatInfo& info : output_formats()) {
    test::MemoryFiles files;
    const std::unique_ptr<Writer> writer = make_writer(info.format, {}, files);
    for (const test::SampleDocument& document : documents) write_in_pieces(*writer, document);
    writer->finish();
    EXPECT_EQ(files.content, test::write_all(info.format, documents).content) << info.name;
  }
}

TEST(OutputFormats, AnUnknownFormatIsRefused) {
  test::MemoryFiles files;
  EXPECT_ERROR(make_writer(static_cast<OutputFormat>(99), {}, files), ErrorCode::kInvalidArgument,
               "99");
}

}  // namespace
}  // namespace diffie

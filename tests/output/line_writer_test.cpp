#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/sample.h"

namespace diffie {
namespace {

using test::MemoryFiles;
using test::small_document;
using test::write_all;
using ::testing::HasSubstr;

TEST(LineWriter, JsonlSaysWhereASentenceIsFrom) {
  const MemoryFiles files = write_all(OutputFormat::kJsonl, {small_document()});
  EXPECT_EQ(files.content.at(""),
            R"({"sentence": "Zoë met Ann in Rome.", "extractions": [{"subject": "Zoë", )"
            R"("relation": "met", "object": "Ann", "confidence": 0.75, )"
            R"("spans": {"subject": [[0, 4]], "relation": [[5, 8]], "object": [[9, 12]]}, )"
            R"("factuality": {"polarity": "positive", "modality": "certain", )"
            R"("attributed_to": null}, "circumstances": [{"kind": "place", "text": "in Rome", )"
            R"("spans": [[13, 20]]}]}], )"
            R"("source": {"document": "notes/a b.txt", "sentence": 0, "bytes": [0, 21]}})"
            "\n"
            R"({"sentence": "Bob says ann did not\nkeep \"it\" up, the cat.", "extractions": )"
            R"([{"subject": "ann", "relation": "did not\nkeep up", "object": "\"it\"", )"
            R"("confidence": 0.5, "spans": {"subject": [[9, 12]], )"
            R"("relation": [[13, 25], [31, 33]], "object": [[26, 30]]}, )"
            R"("factuality": {"polarity": "negative", "modality": "certain", )"
            R"("attributed_to": {"text": "Bob", "spans": [[0, 3]]}}}, )"
            R"({"subject": "ann", "relation": "is", "object": "the cat", "confidence": 0.25, )"
            R"("spans": {"subject": [[9, 12]], "relation": [], "object": [[35, 42]]}, )"
            R"("implied": ["is"], "factuality": {"polarity": "positive", )"
            R"("modality": "possible", "attributed_to": null}}], )"
            R"("source": {"document": "notes/a b.txt", "sentence": 1, "bytes": [23, 66]}})"
            "\n"
            R"({"sentence": "No.", "extractions": [], )"
            R"("source": {"document": "notes/a b.txt", "sentence": 2, "bytes": [67, 70]}, )"
            R"("error": "too long"})"
            "\n");
}

TEST(LineWriter, JsonlCanLeaveTheSourceOut) {
  WriterOptions options;
  options.source = false;
  const MemoryFiles files = write_all(OutputFormat::kJsonl, {small_document()}, options);
  EXPECT_EQ(files.content.at("").find("\"source\""), std::string::npos);
}

TEST(LineWriter, JsonlHasPlacesInTheDocumentWhenAsked) {
  WriterOptions options;
  options.source = false;
  options.document_offsets = true;
  const std::string text =
      write_all(OutputFormat::kJsonl, {small_document()}, options).content.at("");
  EXPECT_THAT(text, HasSubstr(R"("source": {"document": "notes/a b.txt", "sentence": 1, )"
                              R"("bytes": [23, 66], "characters": [22, 65]})"));
  EXPECT_THAT(text, HasSubstr(R"("document_bytes": {"subject": [[0, 4]], "relation": [[5, 8]], )"
                              R"("object": [[9, 12]], "circumstances": [[[13, 20]]]}, )"
                              R"("document_characters": )"
                              R"({"subject": [[0, 3]], "relation": [[4, 7]], "object": [[8, 11]], )"
                              R"("circumstances": [[[12, 19]]]})"));
  EXPECT_THAT(text, HasSubstr(R"("document_characters": {"subject": [[31, 34]], "relation": )"
                              R"([[35, 47], [53, 55]], "object": [[48, 52]], )"
                              R"("attributed_to": [[22, 25]]})"));
}

TEST(LineWriter, BadBytesCountAsTheirReplacement) {
  test::SampleDocument document{"bad", {{"\xFF\n", "\xC3 \xE2\x82 sat", {}}}, ""};
  const std::string& text = document.sentences[0].text;
  document.sentences[0].result.extractions.push_back(test::make_triple(
      text, {test::find_span(text, "\xC3")}, {test::find_span(text, "sat")}, {}, 0.5));
  WriterOptions options;
  options.document_offsets = true;
  const std::string line = write_all(OutputFormat::kJsonl, {document}, options).content.at("");
  EXPECT_THAT(line, HasSubstr(R"("document_bytes": {"subject": [[2, 3]], "relation": [[7, 10]])"));
  EXPECT_THAT(line,
              HasSubstr(R"("document_characters": {"subject": [[2, 3]], "relation": [[6, 9]])"));
}

TEST(LineWriter, TablesHaveALineForEachTriple) {
  EXPECT_EQ(write_all(OutputFormat::kTsv, {small_document()}).content.at(""),
            "0.75\tZoë\tmet\tAnn\tZoë met Ann in Rome.\n"
            "0.5\tann\tdid not keep up\t\"it\"\tBob says ann did not keep \"it\" up, the cat.\n"
            "0.25\tann\tis\tthe cat\tBob says ann did not keep \"it\" up, the cat.\n");
  EXPECT_EQ(write_all(OutputFormat::kCarb, {small_document()}).content.at(""),
            "Zoë met Ann in Rome.\t0.75\tmet\tZoë\tAnn\n"
            "Bob says ann did not keep \"it\" up, the cat.\t0.5\tdid not keep up\tann\t\"it\"\n"
            "Bob says ann did not keep \"it\" up, the cat.\t0.25\tis\tann\tthe cat\n");
}

}  // namespace
}  // namespace diffie

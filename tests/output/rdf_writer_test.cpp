#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "output/rdf_terms.h"
#include "output/sample.h"

namespace diffie {
namespace {

using test::small_document;
using test::write_all;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RdfWriter, OnlyWhatIsAssertedIsStated) {
  const std::string text = write_all(OutputFormat::kNtriples, {small_document()}).content.at("");
  EXPECT_THAT(text, HasSubstr("\n<urn:diffie:entity/zo%C3%AB> <urn:diffie:relation/met> "
                              "<urn:diffie:entity/ann> .\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n<urn:diffie:entity/ann> <urn:diffie:relation/")));
  EXPECT_THAT(text, HasSubstr("<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> "
                              "<<( <urn:diffie:entity/ann> <urn:diffie:relation/is> "
                              "<urn:diffie:entity/the_cat> )>> .\n"));
}

TEST(RdfWriter, ClassicReificationHasNoTripleTerms) {
  WriterOptions options;
  options.classic_reification = true;
  options.base_iri = "https://example.org/";
  const std::string text =
      write_all(OutputFormat::kTurtle, {small_document()}, options).content.at("");
  EXPECT_THAT(text, Not(HasSubstr("<<")));
  EXPECT_THAT(text, HasSubstr("<https://example.org/triple/notes%2Fa%20b.txt/0/0> rdf:type "
                              "rdf:Statement ;\n"
                              "  rdf:subject <https://example.org/entity/zo%C3%AB> ;\n"));
}

TEST(RdfWriter, LabelsAreSaidOnce) {
  const std::string text =
      write_all(OutputFormat::kTurtle, {small_document(), small_document()}).content.at("");
  const std::string label = "<urn:diffie:entity/ann> rdfs:label \"Ann\" .\n";
  EXPECT_EQ(text.find(label), text.rfind(label));
  EXPECT_THAT(text, Not(HasSubstr("rdfs:label \"ann\"")));
}

TEST(RdfTerms, EscapeWhatMustNotStandInThem) {
  EXPECT_EQ(output::rdf_string("a\"b\\c\nd\te\r\x01\xFF"), R"("a\"b\\c\nd\te\r\u0001)"
                                                           "\xEF\xBF\xBD\"");
  EXPECT_EQ(output::rdf_string(std::string_view("\0", 1)), R"("\u0000")");
  EXPECT_EQ(output::iri_part("a b_c<>é"), "a%20b%5Fc%3C%3E%C3%A9");
  EXPECT_EQ(output::iri_part("a b_c", true), "a_b%5Fc");
}

TEST(RdfTerms, ABaseIriIsAbsoluteAndPlain) {
  for (const char* good : {"urn:x:", "https://example.org/a#"}) output::check_base_iri(good);
  for (const char* bad : {"", "example.org/", ":a", "http://a b/", "http://a>/", "1a:b", "a/b:c"})
    EXPECT_ERROR(output::check_base_iri(bad), ErrorCode::kInvalidArgument, "absolute IRI");
}

}  // namespace
}  // namespace diffie

#include "corenlp.h"
#include "corenlp_protobuf.h"
#include "expect_http_error.h"

namespace diffie::server {
namespace {

using Properties = std::map<std::string, std::string>;

TEST(CorenlpProperties, AsJsonPythonAndJavaWriteThem) {
  const Properties wanted = {{"annotators", "tokenize,openie"}, {"outputFormat", "json"}};
  EXPECT_EQ(parse_properties(R"({"annotators": "tokenize,openie", "outputFormat": "json"})"),
            wanted);
  EXPECT_EQ(parse_properties("{'annotators': 'tokenize,openie', 'outputFormat': 'json'}"), wanted);
  EXPECT_EQ(parse_properties("{outputFormat=json, annotators='tokenize,openie'}"), wanted);
  EXPECT_EQ(parse_properties(" { \"a\\\"b\" : 1.5 , 'c' : True }"),
            (Properties{{"a\"b", "1.5"}, {"c", "True"}}));
}

TEST(CorenlpProperties, AnythingIsRead) {
  for (const char* text :
       {"", "{", "}", "{}", "{,}", "{:}", "{=,=:}", "{'a", "{'a':", "{'a':'", "{\"\\", "a", "{{{{",
        "{a:{b:c}}", "{'a': ['b', 'c']}", "\\\\\\", "}{", ",,,,,,"})
    EXPECT_NO_THROW(parse_properties(text)) << text;
}

TEST(CorenlpRequest, FormatAndAnnotators) {
  EXPECT_EQ(parse_corenlp_request("", "Text.").format, "corenlp");
  EXPECT_EQ(parse_corenlp_request("properties=%7B%27outputFormat%27%3A+%27json%27%7D", "").format,
            "corenlp");
  EXPECT_EQ(parse_corenlp_request("outputFormat=serialized", "").format, kCorenlpSerialized);
  EXPECT_EQ(parse_corenlp_request("annotators=openie", "Text.").documents.at(0).text, "Text.");
  EXPECT_HTTP_ERROR(parse_corenlp_request("outputFormat=xml", ""), 400, "outputFormat");
  EXPECT_HTTP_ERROR(parse_corenlp_request("properties={annotators=ner}", ""), 400, "annotators");
  EXPECT_HTTP_ERROR(parse_corenlp_request("", "\xFF"), 400, "");
}

}  // namespace
}  // namespace diffie::server

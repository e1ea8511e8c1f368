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

TEST(CorenlpProperties, JavaPrintsCommasWithinValues) {
  const auto annotators = [](const char* text) { return parse_properties(text).at("annotators"); };
  EXPECT_EQ(parse_properties("{annotators=tokenize,openie, outputFormat=json}"),
            (Properties{{"annotators", "tokenize,openie"}, {"outputFormat", "json"}}));
  EXPECT_EQ(annotators("{outputFormat=json, annotators=tokenize,ssplit,openie}"),
            "tokenize,ssplit,openie");
  EXPECT_EQ(annotators("annotators = tokenize, openie , a = b"), "tokenize,openie");
  EXPECT_EQ(annotators("{annotators=tokenize,openie,'a': 'b'}"), "tokenize,openie");
  EXPECT_EQ(annotators("{annotators=, outputFormat=json}"), "");
}

TEST(CorenlpProperties, ListsAreTheirItems) {
  for (const char* text :
       {R"({"annotators": ["tokenize", "openie"], "b": 1})",
        "{'annotators': ['tokenize','openie']}", "{annotators=[tokenize, openie], b=1}"})
    EXPECT_EQ(parse_properties(text).at("annotators"), "tokenize,openie") << text;
  EXPECT_EQ(parse_properties("{'annotators': []}").at("annotators"), "");
}

TEST(CorenlpProperties, WhatIsBehindAnotherMapIsReadToo) {
  const Properties found =
      parse_properties(R"({"a": {"b": {"c}": 1}}, "outputFormat": "xml", 'd': {}})");
  EXPECT_EQ(found,
            (Properties{{"a", R"({"b": {"c}": 1}})"}, {"outputFormat", "xml"}, {"d", "{}"}}));
}

TEST(CorenlpProperties, ListsMayHaveAnythingInThem) {
  EXPECT_EQ(parse_properties("{'a': [['b'], {'c': [1]}, 2], 'd': 'e'}"),
            (Properties{{"a", "['b'],{'c': [1]},2"}, {"d", "e"}}));
}

TEST(CorenlpProperties, WhatIsNoMapIsRefused) {
  for (const char* text : {"", " ", "{}", " { } "}) EXPECT_EQ(parse_properties(text), Properties());
  for (const char* text : {"{",
                           "}",
                           "{,}",
                           "{:}",
                           "{=,=:}",
                           "{'a",
                           "{'a':",
                           "{'a':'",
                           "{\"\\",
                           "a",
                           "garbage",
                           "{{{{",
                           "[",
                           "\"",
                           "'",
                           "[]",
                           "{'a'}",
                           "{'a' 'b'}",
                           "{'a': 'b' 'c': 'd'}",
                           "{'a': 'b',}",
                           "{'a': ['b', 'c'}",
                           "{'a': ['b'",
                           "{'a': {'b': 1}",
                           "{a:{b:c}",
                           "{a=b}}",
                           "{a=b} c",
                           "a=b}",
                           "\\\\\\",
                           "}{",
                           ",,,,,,"})
    EXPECT_HTTP_ERROR(parse_properties(text), 400, "properties");
}

TEST(CorenlpRequest, FormatAndAnnotators) {
  EXPECT_EQ(parse_corenlp_request("", "Text.").format, "corenlp");
  EXPECT_EQ(parse_corenlp_request("properties=%7B%27outputFormat%27%3A+%27json%27%7D", "").format,
            "corenlp");
  EXPECT_EQ(parse_corenlp_request("outputFormat=serialized", "").format, kCorenlpSerialized);
  EXPECT_EQ(parse_corenlp_request("annotators=openie", "Text.").documents.at(0).text, "Text.");
  EXPECT_HTTP_ERROR(parse_corenlp_request("outputFormat=xml", ""), 400, "outputFormat");
  EXPECT_HTTP_ERROR(parse_corenlp_request("properties={annotators=ner}", ""), 400, "annotators");
  EXPECT_EQ(parse_corenlp_request("annotators=tokenize,+openie", "").format, "corenlp");
  for (const char* annotators : {"notopenie", "openie2", "openie.x", "OPENIE", ","})
    EXPECT_HTTP_ERROR(parse_corenlp_request(std::string("annotators=") + annotators, ""), 400,
                      "annotators");
  EXPECT_HTTP_ERROR(parse_corenlp_request("properties=garbage", ""), 400, "properties");
  EXPECT_HTTP_ERROR(parse_corenlp_request("", "\xFF"), 400, "");
}

}  // namespace
}  // namespace diffie::server

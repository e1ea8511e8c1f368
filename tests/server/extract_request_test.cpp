#include "extract_request.h"

#include "diffie/settings.h"
#include "expect_http_error.h"

namespace diffie::server {
namespace {

TEST(ExtractRequest, HasEveryField) {
  const ExtractRequest request = parse_extract_request(
      R"({"documents": [{"id": "a", "text": "A."}, {"text": "B."}], "model": "m", "format": "turtle", "deadline_ms": 7,
          "options": {"preset": "fast", "top_k": 3, "tau": 0.5, "times": [3, 1], "tidy": false, "document_offsets": false,
                      "source": false, "classic_reification": true, "base_iri": "x:"}})");
  ASSERT_EQ(request.documents.size(), 2u);
  EXPECT_EQ(request.documents[0].id, "a");
  EXPECT_EQ(request.documents[1].id, "1");
  EXPECT_TRUE(request.running_text);
  EXPECT_EQ(request.asked.model, "m");
  EXPECT_EQ(request.asked.preset, "fast");
  EXPECT_EQ(request.format, "turtle");
  EXPECT_EQ(request.deadline, std::chrono::milliseconds(7));
  EXPECT_FALSE(request.writer.document_offsets);
  EXPECT_FALSE(request.writer.source);
  EXPECT_TRUE(request.writer.classic_reification);
  EXPECT_EQ(request.writer.base_iri, "x:");
  Settings settings;
  for (const auto& [name, value] : request.asked.settings) set_setting(settings, name, value);
  EXPECT_EQ(settings.top_k, 3);
  EXPECT_EQ(get_setting(settings, "times"), "3,1");
}

TEST(ExtractRequest, NamesTheFieldThatIsWrong) {
  const auto refused = [](const std::string& body, const std::string& field) {
    EXPECT_HTTP_ERROR(parse_extract_request(body), 400, field);
  };
  refused("{}", "text");
  refused("[1]", "");
  refused(R"({"text": "a", "sentences": []})", "");
  refused(R"({"text": "a", "text": "b"})", "text");
  refused(R"({"text": "a", "options": {"top_k": 1, "top_k": 2}})", "options.top_k");
  refused(R"({"documents": [{"text": "a"}, {"id": "b", "id": "b"}]})", "documents[1].id");
  refused(R"({"text": 1})", "text");
  refused(R"({"text": "a", "other": 1})", "other");
  refused(R"({"text": "a", "deadline_ms": 0})", "deadline_ms");
  refused(R"({"text": "a", "deadline_ms": 18446744073709551615})", "deadline_ms");
  refused(R"({"text": "a", "deadline_ms": 1.5})", "deadline_ms");
  refused(R"({"sentences": ["a", 2]})", "sentences[1]");
  refused(R"({"documents": [{"text": "a", "id": "x"}, {"text": "b", "id": "x"}]})",
          "documents[1].id");
  refused(R"({"documents": [{}]})", "documents[0].text");
  refused(R"({"text": "a", "options": {"threads": 2}})", "options.threads");
  refused(R"({"text": "a", "options": {"top_k": true}})", "options.top_k");
  refused(R"({"text": "a", "options": {"times": [1, "2"]}})", "options.times");
}

// What is long here is longer by far in the answer, which has it in every sentence.
TEST(ExtractRequest, NamesAreShort) {
  const auto id = [](std::size_t bytes) {
    return R"({"documents": [{"text": "a", "id": ")" + std::string(bytes, 'x') + R"("}]})";
  };
  const auto base = [](std::size_t bytes) {
    return R"({"text": "a", "format": "turtle", "options": {"base_iri": "x:)" +
           std::string(bytes - 2, 'x') + R"("}})";
  };
  EXPECT_EQ(parse_extract_request(id(kMaxNameBytes)).documents[0].id.size(), kMaxNameBytes);
  EXPECT_EQ(parse_extract_request(base(kMaxNameBytes)).writer.base_iri.size(), kMaxNameBytes);
  EXPECT_HTTP_ERROR(parse_extract_request(id(kMaxNameBytes + 1)), 400, "documents[0].id");
  EXPECT_HTTP_ERROR(parse_extract_request(base(kMaxNameBytes + 1)), 400, "options.base_iri");
}

TEST(ExtractRequest, OptionsThatTheAnswerHasNoPlaceForAreRefused) {
  const auto body = [](const std::string& format, const std::string& option,
                       const std::string& input = R"("text": "a")") {
    return "{" + input + R"(, "format": ")" + format + R"(", "options": {)" + option + "}}";
  };
  const std::string offsets = R"("document_offsets": true)";
  const std::string source = R"("source": true)";
  for (const char* format : {"json", "jsonl"}) {
    EXPECT_TRUE(parse_extract_request(body(format, offsets)).writer.document_offsets);
    EXPECT_TRUE(parse_extract_request(body(format, source)).writer.source);
    EXPECT_HTTP_ERROR(parse_extract_request(body(format, source, R"("sentences": ["a"])")), 400,
                      "options.source");
    EXPECT_HTTP_ERROR(parse_extract_request(body(format, R"("classic_reification": true)")), 400,
                      "options.classic_reification");
    EXPECT_HTTP_ERROR(parse_extract_request(body(format, R"("base_iri": "x:")")), 400,
                      "options.base_iri");
  }
  for (const char* format : {"tsv", "turtle", "parquet"}) {
    EXPECT_HTTP_ERROR(parse_extract_request(body(format, offsets)), 400,
                      "options.document_offsets");
    EXPECT_HTTP_ERROR(parse_extract_request(body(format, source)), 400, "options.source");
    EXPECT_NO_THROW(parse_extract_request(body(
        format, R"("document_offsets": false, "source": false, "classic_reification": false)")));
  }
}

TEST(ExtractRequest, SaysWhatIsWrongWithANumber) {
  const auto said = [](const std::string& options) {
    try {
      parse_extract_request(R"({"text": "a", "options": {)" + options + "}}");
    } catch (const HttpError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string many = "1";
  for (int i = 0; i < 4096; ++i) many += ",1";
  EXPECT_EQ(said("\"times\": [" + many + "]"), "options.times has 4097 numbers, may have 4096");
  EXPECT_EQ(said(R"("times": [3, 1.5])"), "options.times[1] is 1.5, must be a whole number");
  EXPECT_EQ(said(R"("times": "3,1")"),
            "options.times is string, must be an array of whole numbers");
  EXPECT_EQ(said(R"("seed": 18446744073709551616)"),
            "options.seed is 1.8446744073709552e+19, must be a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(said(R"("top_k": 2.5)"), "options.top_k is 2.5, must be a whole number from 1 to 1024");
  EXPECT_EQ(said(R"("top_k": null)"),
            "options.top_k is null, must be a whole number from 1 to 1024");
}

TEST(ExtractRequest, AWholeNumberMayHaveAPoint) {
  const ExtractRequest request = parse_extract_request(
      R"({"text": "a", "deadline_ms": 7.0, "options": {"top_k": 3.0, "seed": 1e19, "times": [3.0, 1]}})");
  EXPECT_EQ(request.deadline, std::chrono::milliseconds(7));
  Settings settings;
  for (const auto& [name, value] : request.asked.settings) set_setting(settings, name, value);
  EXPECT_EQ(settings.top_k, 3);
  EXPECT_EQ(settings.seed, 10'000'000'000'000'000'000U);
  EXPECT_EQ(get_setting(settings, "times"), "3,1");
}

TEST(ExtractRequest, ASentenceHasItsLimit) {
  const auto body = [](std::size_t bytes) {
    return R"({"sentences": [")" + std::string(bytes, 'a') + "\"]}";
  };
  EXPECT_EQ(parse_extract_request(body(kMaxSentenceBytes)).documents.size(), 1u);
  EXPECT_HTTP_ERROR(parse_extract_request(body(kMaxSentenceBytes + 1)), 400, "sentences[0]");
}

TEST(ExtractRequest, DepthHasItsLimit) {
  const std::string deep =
      R"({"text": "a", "options": )" + std::string(65, '[') + std::string(65, ']') + "}";
  EXPECT_HTTP_ERROR(parse_extract_request(deep), 400, "");
}

TEST(TraceRequest, HasItsOwnOptions) {
  EXPECT_EQ(parse_trace_request(R"({"sentence": "a", "trajectories": 64})").trajectories, 64u);
  EXPECT_HTTP_ERROR(parse_trace_request(R"({"sentence": "a", "trajectories": 65})"), 400,
                    "trajectories");
  EXPECT_HTTP_ERROR(parse_trace_request(R"({"sentence": "a", "options": {"source": true}})"), 400,
                    "options.source");
  EXPECT_HTTP_ERROR(parse_trace_request("{}"), 400, "sentence");
}

}  // namespace
}  // namespace diffie::server

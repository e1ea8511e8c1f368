// What a request is made of: its head, bodies, the query, CoreNLP's properties.
#include <nlohmann/json.hpp>

#include "accept.h"
#include "authority.h"
#include "corenlp.h"
#include "extract_request.h"
#include "http_error.h"
#include "json_damage.h"
#include "message.h"
#include "request_head.h"

namespace {

namespace http = boost::beast::http;
using namespace diffie;

void check_error(const std::optional<server::HttpError>& error) {
  if (!error) return;
  FUZZ_CHECK(error->status() >= 400 && error->status() < 500);
  FUZZ_CHECK(nlohmann::json::accept(error->json()));
}

void parse_head(std::string_view text) {
  http::request_parser<http::string_body> parser;
  parser.header_limit(8192);
  parser.body_limit(8192);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(text.data(), text.size()), error);
  if (error) return check_error(server::refusal_of(error, false));
  if (!parser.is_header_done()) return;
  check_error(server::framing_error(parser.get().base()));
  FUZZ_CHECK(!server::head_of(parser.get().base()).path.empty());
}

void parse_extract(std::string_view text) {
  for (const server::InputDocument& document : server::parse_extract_request(text).documents)
    FUZZ_CHECK(fuzz::is_utf8(document.text));
}

constexpr const char* kExtract =
    R"({"documents":[{"id":"a","text":"The cat sat."},{"text":"b"}],"model":"m","format":"jsonl",)"
    R"("options":{"preset":"fast","samples":8,"top_k":4,"wording":0.5,"seed":7,"times":[1,2],)"
    R"("stratified":true,"selector":"coverage","document_offsets":true,"source":true},)"
    R"("deadline_ms":100})";
constexpr const char* kSentences =
    R"({"sentences":["a","b c"],"format":"turtle","options":{"steps":4,"base_iri":"urn:x"}})";
constexpr const char* kTrace =
    R"({"sentence":"The cat sat.","model":"m","options":{"preset":"fast","samples":8},"trajectories":4})";

std::string damaged(std::string_view text, const char* valid) {
  static std::map<const char*, fuzz::JsonDamage> made;
  return made.try_emplace(valid, valid).first->second.from(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::uint64_t kind = choices.below(8);
  const std::string_view text = choices.rest();
  try {
    if (kind == 0) {
      parse_extract(damaged(text, kExtract));
    } else if (kind == 1) {
      server::parse_trace_request(damaged(text, kTrace));
    } else if (kind == 2) {
      const std::size_t half = text.size() / 2;
      server::parse_corenlp_request(text.substr(0, half), std::string(text.substr(half)));
    } else if (kind == 3) {
      server::parse_properties(text);
    } else if (kind == 4) {
      FUZZ_CHECK(server::percent_decoded(text, true).size() <= text.size());
      server::query_value(text, "properties");
      server::parse_authority(text);
      server::parse_origin(text);
      server::prefers_lines(text);
    } else if (kind == 5) {
      parse_extract(damaged(text, kSentences));
    } else {
      parse_head(text);
    }
  } catch (const server::HttpError& error) {
    check_error(error);
  }
  return 0;
}

// What a request is made of: bodies, the query, CoreNLP's properties.
#include "corenlp.h"
#include "extract_request.h"
#include "fuzz.h"
#include "http_error.h"
#include "message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace diffie;
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::uint64_t kind = choices.below(5);
  const std::string_view text = choices.rest();
  try {
    if (kind == 0) {
      const server::ExtractRequest request = server::parse_extract_request(text);
      for (const server::InputDocument& document : request.documents)
        FUZZ_CHECK(fuzz::is_utf8(document.text));
    } else if (kind == 1) {
      server::parse_trace_request(text);
    } else if (kind == 2) {
      const std::size_t half = text.size() / 2;
      server::parse_corenlp_request(text.substr(0, half), std::string(text.substr(half)));
    } else if (kind == 3) {
      server::parse_properties(text);
    } else {
      FUZZ_CHECK(server::percent_decoded(text, true).size() <= text.size());
      server::query_value(text, "properties");
    }
  } catch (const server::HttpError& error) {
    FUZZ_CHECK(error.status() >= 400 && error.status() < 500);
    FUZZ_CHECK(nlohmann::json::accept(error.json()));
  }
  return 0;
}

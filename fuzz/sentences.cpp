// Sentences quote the text, in order; outside them is white space alone.
#include <diffie/text.h>

#include "fuzz.h"
#include "text/white_space.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace diffie;
  const std::string_view text = fuzz::as_text(data, size);
  std::size_t reached = 0;
  for (const Span span : split_sentences(text)) {
    FUZZ_CHECK(span.begin >= reached && span.begin < span.end && span.end <= size);
    FUZZ_CHECK(text::strip(text.substr(reached, span.begin - reached)).empty());
    const std::string_view sentence = text.substr(span.begin, span.end - span.begin);
    FUZZ_CHECK(text::strip(sentence) == sentence);
    reached = span.end;
  }
  FUZZ_CHECK(text::strip(text.substr(reached)).empty());
  return 0;
}

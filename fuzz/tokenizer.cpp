// The fast path for ASCII words against the way by normalised characters: a soft hyphen inside a
// word is cleaned away, so the pieces are the same. And pieces quote the text, in order.
#include <diffie/text.h>

#include "fuzz.h"

namespace {

using namespace diffie;

const Tokenizer& tokenizer() {
  static const Tokenizer shipped =
      Tokenizer::from_vocab_file(DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt");
  return shipped;
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::string with_soft_hyphens(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (is_lower(text[i]) && i + 1 < text.size() && is_lower(text[i + 1])) out += "\u00ad";
  }
  return out;
}

void check_places(const Encoding& encoding, std::string_view text) {
  FUZZ_CHECK(encoding.ids.size() == encoding.offsets.size());
  FUZZ_CHECK(encoding.ids.size() == encoding.words.size());
  std::size_t reached = 0;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    const Span span = encoding.offsets[i];
    FUZZ_CHECK(span.begin <= span.end && span.end <= text.size());
    FUZZ_CHECK(span.begin >= reached || encoding.words[i] == encoding.words[i - 1]);
    reached = span.begin;
    FUZZ_CHECK(i == 0 || (encoding.words[i] >= encoding.words[i - 1] &&
                          encoding.words[i] <= encoding.words[i - 1] + 1));
    tokenizer().piece(encoding.ids[i]);
  }
}

}  // namespace

// Under the sanitizers seconds, which no input takes.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  tokenizer();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = diffie::fuzz::as_text(data, size);
  const Encoding encoding = tokenizer().encode(text, false);
  check_places(encoding, text);
  const Encoding slow = tokenizer().encode(with_soft_hyphens(text), false);
  FUZZ_CHECK(slow.ids == encoding.ids && slow.words == encoding.words);
  if (size % 4 != 0) return 0;  // what follows costs as much as all the rest
  const std::string_view half = text.substr(0, size / 2);
  Encoding parts = tokenizer().encode(half, false);
  const Encoding second = tokenizer().encode(text.substr(size / 2), false);
  parts.ids.insert(parts.ids.end(), second.ids.begin(), second.ids.end());
  const std::string spaced = std::string(half) + " " + std::string(text.substr(size / 2));
  FUZZ_CHECK(tokenizer().encode(spaced, false).ids == parts.ids);
  return 0;
}

#include "engine/quote.h"

#include <vector>

namespace diffie::engine {
namespace {

std::vector<Span> spans_of(std::span<const std::uint32_t> words, std::span<const Span> word_bytes) {
  std::vector<Span> spans;
  for (std::size_t index = 0; index < words.size(); ++index) {
    const Span& bytes = word_bytes[words[index]];
    if (index > 0 && words[index] == words[index - 1] + 1) {
      spans.back().end = bytes.end;
    } else {
      spans.push_back(bytes);
    }
  }
  return spans;
}

std::string join_spans(std::string_view text, std::span<const Span> spans) {
  std::string joined;
  for (const Span& span : spans) {
    if (!joined.empty()) joined += ' ';
    joined += text.substr(span.begin, span.end - span.begin);
  }
  return joined;
}

}  // namespace

Extraction quote(const extract::RankedTriple& ranked, std::string_view text,
                 std::span<const Span> word_bytes) {
  Extraction extraction;
  extraction.confidence = ranked.confidence;
  extraction.subject_spans = spans_of(ranked.triple.words[0], word_bytes);
  extraction.relation_spans = spans_of(ranked.triple.words[1], word_bytes);
  extraction.object_spans = spans_of(ranked.triple.words[2], word_bytes);
  extraction.subject = join_spans(text, extraction.subject_spans);
  extraction.relation = join_spans(text, extraction.relation_spans);
  extraction.object = join_spans(text, extraction.object_spans);
  return extraction;
}

}  // namespace diffie::engine

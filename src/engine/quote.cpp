#include "engine/quote.h"

#include <algorithm>
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

void append_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

std::string join_spans(std::string_view text, std::span<const Span> spans) {
  std::string joined;
  for (const Span& span : spans) {
    append_word(joined, text.substr(span.begin, span.end - span.begin));
  }
  return joined;
}

}  // namespace

Extraction quote(const extract::RankedTriple& ranked, std::string_view text,
                 std::span<const Span> word_bytes, std::span<const std::string> implied) {
  const auto& [subject, relation, object] = ranked.triple.words;
  const auto said_end = std::lower_bound(relation.begin(), relation.end(), word_bytes.size());
  Extraction extraction;
  extraction.confidence = ranked.confidence;
  extraction.subject_spans = spans_of(subject, word_bytes);
  extraction.relation_spans = spans_of({relation.begin(), said_end}, word_bytes);
  extraction.object_spans = spans_of(object, word_bytes);
  extraction.subject = join_spans(text, extraction.subject_spans);
  extraction.object = join_spans(text, extraction.object_spans);
  const std::span implied_words(said_end, relation.end());
  const auto append_implied = [&](bool read_first) {
    for (const auto word : implied_words) {
      const std::string& spelling = implied[word - word_bytes.size()];
      if (extract::reads_first(spelling) != read_first) continue;
      append_word(extraction.relation, spelling);
      extraction.implied.push_back(spelling);
    }
  };
  append_implied(true);
  if (!extraction.relation_spans.empty())
    append_word(extraction.relation, join_spans(text, extraction.relation_spans));
  append_implied(false);
  return extraction;
}

}  // namespace diffie::engine

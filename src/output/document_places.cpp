#include "output/document_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace diffie::output {

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) pos += base::decode_utf8(text, pos).length;
  return count;
}

DocumentPlaces::DocumentPlaces(const DocumentSentence& sentence)
    : bytes_(sentence.bytes),
      first_character_(sentence.character),
      num_bytes_(sentence.text.size()) {
  const bool ascii = std::all_of(sentence.text.begin(), sentence.text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return;
  before_.reserve(num_bytes_ + 1);
  std::uint32_t count = 0;
  for (std::size_t pos = 0; pos < num_bytes_; ++count) {
    const std::uint32_t length = base::decode_utf8(sentence.text, pos).length;
    before_.insert(before_.end(), length, count);
    pos += length;
  }
  before_.push_back(count);
}

std::size_t DocumentPlaces::character(std::size_t byte) const {
  return first_character_ + (before_.empty() ? byte : before_[byte]);
}

Span DocumentPlaces::bytes(Span in_sentence) const {
  return {bytes_.begin + in_sentence.begin, bytes_.begin + in_sentence.end};
}

Span DocumentPlaces::characters(Span in_sentence) const {
  return {character(in_sentence.begin), character(in_sentence.end)};
}

Span DocumentPlaces::sentence_characters() const { return characters(Span{0, num_bytes_}); }

std::vector<Span> DocumentPlaces::bytes(const std::vector<Span>& in_sentence) const {
  std::vector<Span> moved;
  for (const Span& span : in_sentence) moved.push_back(bytes(span));
  return moved;
}

std::vector<Span> DocumentPlaces::characters(const std::vector<Span>& in_sentence) const {
  std::vector<Span> moved;
  for (const Span& span : in_sentence) moved.push_back(characters(span));
  return moved;
}

std::string spans_as_text(const std::vector<Span>& spans, std::string_view separator) {
  std::string text;
  for (const Span& span : spans) {
    if (!text.empty()) text += separator;
    text += fmt::format("{}-{}", span.begin, span.end);
  }
  return text;
}

}  // namespace diffie::output

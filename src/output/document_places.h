// Spans of a sentence as spans of its document, in bytes and in code points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diffie/output.h"

namespace diffie::output {

std::size_t count_code_points(std::string_view text);

class DocumentPlaces {
 public:
  explicit DocumentPlaces(const DocumentSentence& sentence);

  Span bytes(Span in_sentence) const;
  Span characters(Span in_sentence) const;
  Span sentence_bytes() const { return bytes_; }
  Span sentence_characters() const;

  std::vector<Span> bytes(const std::vector<Span>& in_sentence) const;
  std::vector<Span> characters(const std::vector<Span>& in_sentence) const;

 private:
  std::size_t character(std::size_t byte) const;

  Span bytes_;
  std::size_t first_character_;
  std::size_t num_bytes_;
  std::vector<std::uint32_t> before_;  // code points before each byte; none where all are ASCII
};

// "0-4 7-9"
std::string spans_as_text(const std::vector<Span>& spans, std::string_view separator = " ");

}  // namespace diffie::output

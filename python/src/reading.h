// A document on its way: its text, where its sentences are, and what was found in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "diffie/text.h"

namespace diffie::python {

struct Place {
  Span bytes;
  Span characters;  // code points, as Python counts them
};

// Where a piece of a document begins in it.
struct Start {
  std::size_t sentence = 0;
  std::size_t byte = 0;
  std::size_t character = 0;
};

struct Reading {
  std::string text;  // valid UTF-8
  std::vector<Place> sentences;
  std::vector<SentenceResult> results;  // one per sentence, empty before it was read
  Start start = {};                     // of the text in its document

  std::string_view sentence(std::size_t index) const {
    const Span& bytes = sentences[index].bytes;
    return std::string_view(text).substr(bytes.begin, bytes.end - bytes.begin);
  }
};

}  // namespace diffie::python

// One JSON object per sentence.
#pragma once

#include <string>

#include "diffie/output.h"

namespace diffie::output {

// What a line says of where its sentence is from.
struct JsonlSource {
  std::string_view document;
  Span bytes;
  const DocumentSentence* sentence = nullptr;  // its index is told where there is one
  bool document_offsets = false;               // needs `sentence`
};

void append_jsonl(std::string& out, std::string_view sentence, const SentenceResult& result,
                  const JsonlSource* source);

}  // namespace diffie::output

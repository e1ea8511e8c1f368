// Results as text that other programs read. docs/formats.md describes every field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diffie/export.h"
#include "diffie/extractor.h"

namespace diffie {

enum class OutputFormat {
  kJsonl,  // one object per sentence, also where nothing was found
  kTsv,    // one line per extraction: confidence, subject, relation, object, sentence
  kCarb,   // one line per extraction: sentence, confidence, relation, subject, object
};

// Where a sentence stands in the document it was cut from.
struct Source {
  std::string_view document;  // file name as the caller gave it
  Span bytes;
};

// Appends the lines of one sentence, each ended by '\n'. Text that is not UTF-8 is written with
// U+FFFD; spans stay those of the caller's bytes.
DIFFIE_API void append_result(std::string& out, OutputFormat format, std::string_view sentence,
                              const SentenceResult& result,
                              const std::optional<Source>& source = {});

}  // namespace diffie

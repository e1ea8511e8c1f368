// Results as bytes, exactly: what is read is what was written, bit for bit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie::cli {

void append_record(std::string& out, const SentenceResult& result);

// Reads one from the front of `bytes`; nothing where they are no result of a sentence of that size.
std::optional<SentenceResult> take_record(std::string_view& bytes, std::size_t sentence_bytes);

}  // namespace diffie::cli

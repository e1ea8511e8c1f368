// Results as bytes, exactly: what is read is what was written, bit for bit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie::cli {

void append_record(std::string& out, const SentenceResult& result);

// Reads one from the front of `bytes`; nothing where they are no result.
std::optional<SentenceResult> take_record(std::string_view& bytes);

}  // namespace diffie::cli

// Text to pieces: one pass over the bytes, ASCII words straight from the text, all others through
// a buffer of normalised characters.
#pragma once

#include <string_view>

#include "diffie/text.h"
#include "text/vocabulary.h"

namespace diffie::text {

// Appends the pieces of `text`, without [CLS] and [SEP], to `out`.
void encode_text(const Vocabulary& vocabulary, std::string_view text, Encoding& out);

}  // namespace diffie::text

#pragma once

#include <string>
#include <string_view>

namespace diffie::data {

// The same for two spellings of one sentence, as the benchmarks see it: blanks removed, PTB
// brackets undone, ASCII punctuation deleted; case kept.
std::string sentence_identity(std::string_view sentence);

}  // namespace diffie::data

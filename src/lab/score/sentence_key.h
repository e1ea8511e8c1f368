// When two spellings are one sentence: blanks, PTB bracket escapes and ASCII punctuation do not
// count, case does.
#pragma once

#include <string>
#include <string_view>

namespace diffie::score {

std::string sentence_key(std::string_view sentence);

}  // namespace diffie::score

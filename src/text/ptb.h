// Penn Treebank escapes of pre-tokenised text.
#pragma once

#include <string_view>

namespace diffie::text {

// What an escaped word stands for: -LRB- a bracket, -RRB-, -LSB-, -RSB-, -LCB- and -RCB- likewise,
// in any case; `` and '' a double quote. Any other word is returned as it is.
std::string_view undo_ptb_escape(std::string_view word);

}  // namespace diffie::text

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace diffie::cli {

// The one of `names` that `word` is most likely meant to be, by letters put in, left out, changed
// or swapped; empty: it is like none of them.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace diffie::cli

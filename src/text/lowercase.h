#pragma once

#include <string>
#include <string_view>

namespace diffie::text {

// Lower case of each code point on its own, without locale or context; bytes that are not UTF-8
// stay.
std::string lowercase(std::string_view text);

}  // namespace diffie::text

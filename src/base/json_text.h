#pragma once

#include <string>
#include <string_view>

namespace diffie::base {

// Appends `text` as a JSON string with its quotes. Control characters are escaped, other
// characters stay as they are; every maximal ill-formed UTF-8 sequence becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace diffie::base

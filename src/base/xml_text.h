#pragma once

#include <string>
#include <string_view>

namespace diffie::base {

// Text for an XML element or attribute; control characters, which XML cannot hold, become blanks.
std::string xml_text(std::string_view text);

}  // namespace diffie::base

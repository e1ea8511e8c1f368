#pragma once

#include <string>
#include <string_view>

namespace diffie::output {

// Text for XML and HTML, in elements and in quoted attributes. Characters that XML 1.0 has no way
// to write, those that HTML calls an error, and bytes that are not UTF-8 are U+FFFD.
void append_xml_text(std::string& out, std::string_view text);

}  // namespace diffie::output

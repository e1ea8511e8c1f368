// What a client says it would take (RFC 9110, 12.5.1).
#pragma once

#include <string_view>

namespace diffie::server {

// Whether `accept` has a line per sentence (application/x-ndjson) rather than one object (JSON):
// liked better, or named and liked as well.
bool prefers_lines(std::string_view accept);

}  // namespace diffie::server

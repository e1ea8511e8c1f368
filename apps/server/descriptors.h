// How many files and sockets the system lets us have open.
#pragma once

#include <cstddef>

namespace diffie::server {

// Raises what is allowed to so many, or as far as may be (RLIMIT_NOFILE); what is allowed then.
std::size_t allow_descriptors(std::size_t wanted);

}  // namespace diffie::server

#pragma once

#include <string>

namespace diffie::train {

// Revision of the sources this was built from, "unknown" outside a repository.
std::string revision();

}  // namespace diffie::train

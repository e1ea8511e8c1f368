#include "diffie/version.h"

namespace diffie {

const char* version() noexcept { return DIFFIE_VERSION; }

}  // namespace diffie

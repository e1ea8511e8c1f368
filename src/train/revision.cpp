#include "train/revision.h"

namespace diffie::train {

std::string revision() { return DIFFIE_REVISION; }

}  // namespace diffie::train

#pragma once

#include <string>

namespace diffie::cli {

// The benchmark data's directory: $DIFFIE_DATA_DIR, or where the build looked for it.
std::string default_data_dir();

}  // namespace diffie::cli

#include "data_dir.h"

#include <cstdlib>

namespace diffie::cli {

std::string default_data_dir() {
  const char* set = std::getenv("DIFFIE_DATA_DIR");
  return set != nullptr && *set != '\0' ? set : DIFFIE_DATA_DIR;
}

}  // namespace diffie::cli

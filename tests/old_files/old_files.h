#pragma once

#include <filesystem>
#include <string>

#include "temp_dir.h"

namespace diffie::test {

inline const std::filesystem::path kOldFiles = DIFFIE_SOURCE_DIR "/tests/old_files";

// The text with the first `from` in it replaced; empty where there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "";
  return text.replace(at, from.size(), to);
}

}  // namespace diffie::test

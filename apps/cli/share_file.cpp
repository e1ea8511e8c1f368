#include "share_file.h"

namespace diffie::cli {

std::filesystem::path find_share_file(const std::filesystem::path& name) {
  std::error_code ignored;
  const auto program_dir = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  if (!program_dir.empty()) {
    for (const auto& dir :
         {program_dir / "share", program_dir.parent_path() / "share" / "diffie"}) {
      if (std::filesystem::exists(dir / name, ignored)) return dir / name;
    }
  }
  return std::filesystem::path(DIFFIE_SHARE_DIR) / name;
}

}  // namespace diffie::cli

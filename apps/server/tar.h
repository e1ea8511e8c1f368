#pragma once

#include <map>
#include <string>

namespace diffie::server {

// A tar archive (ustar) of plain files by name; names have at most 100 bytes.
std::string tar_archive(const std::map<std::string, std::string, std::less<>>& files);

}  // namespace diffie::server

#pragma once

#include <map>
#include <string>

namespace diffie::server {

// A tar archive (ustar) of plain files by name; one longer than 100 bytes has a header of pax.
std::string tar_archive(const std::map<std::string, std::string, std::less<>>& files);

}  // namespace diffie::server

// The page's files, as they stand in web/, made part of the program when it is built.
#pragma once

#include <span>
#include <string_view>

namespace diffie::server {

struct WebFile {
  std::string_view name;
  std::string_view content_type;
  std::string_view bytes;
};

std::span<const WebFile> web_files();

}  // namespace diffie::server

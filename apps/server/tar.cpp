#include "tar.h"

#include <fmt/format.h>

#include <numeric>

namespace diffie::server {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kMaxName = 100;

// POSIX.1-1988 ustar: fixed fields, numbers in octal, a checksum that takes itself for blanks.
std::string header(std::string_view name, std::size_t size, char type) {
  std::string block(kBlock, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    block.replace(at, text.size(), text);
  };
  put(0, name.substr(0, kMaxName));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");  // the time: the same answer is the same bytes
  put(148, "        ");
  put(156, std::string_view(&type, 1));
  put(257, "ustar");
  put(263, "00");
  const unsigned sum = std::accumulate(
      block.begin(), block.end(), 0U,
      [](unsigned total, char each) { return total + static_cast<unsigned char>(each); });
  put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return block;
}

void append_member(std::string& archive, std::string_view name, std::string_view bytes, char type) {
  archive += header(name, bytes.size(), type);
  archive += bytes;
  archive.resize((archive.size() + kBlock - 1) / kBlock * kBlock, '\0');
}

// POSIX.1-2001: "LENGTH path=NAME\n", whose length counts its own digits.
std::string path_record(std::string_view name) {
  const std::string rest = fmt::format(" path={}\n", name);
  std::size_t size = rest.size();
  while (size != rest.size() + std::to_string(size).size())
    size = rest.size() + std::to_string(size).size();
  return std::to_string(size) + rest;
}

}  // namespace

std::string tar_archive(const std::map<std::string, std::string, std::less<>>& files) {
  std::string archive;
  for (const auto& [name, bytes] : files) {
    if (name.size() > kMaxName) append_member(archive, "longer-name", path_record(name), 'x');
    append_member(archive, name, bytes, '0');
  }
  archive.resize(archive.size() + 2 * kBlock, '\0');
  return archive;
}

}  // namespace diffie::server

#include "tar.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace diffie::server {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

// As POSIX describes it: blocks of 512 bytes, numbers in octal; names of pax before their files.
Files read_tar(const std::string& archive) {
  Files files;
  std::string longer_name;
  for (std::size_t at = 0; at + 512 <= archive.size() && archive[at] != '\0';) {
    const std::string header = archive.substr(at, 512);
    unsigned sum = 0;
    for (std::size_t i = 0; i < 512; ++i)
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(header[i]);
    EXPECT_EQ(std::strtoul(header.substr(148, 8).c_str(), nullptr, 8), sum);
    EXPECT_EQ(header.substr(257, 8), std::string("ustar\0"
                                                 "00",
                                                 8));
    const std::size_t size = std::strtoul(header.substr(124, 12).c_str(), nullptr, 8);
    const std::string bytes = archive.substr(at + 512, size);
    std::string name = header.substr(0, 100);
    name.erase(std::min(name.find('\0'), name.size()));
    if (header[156] == 'x') {
      EXPECT_EQ(std::strtoul(bytes.c_str(), nullptr, 10), bytes.size());
      const std::size_t begin = bytes.find(" path=") + 6;
      longer_name = bytes.substr(begin, bytes.size() - 1 - begin);
    } else {
      files[longer_name.empty() ? name : longer_name] = bytes;
      longer_name.clear();
    }
    at += 512 + (size + 511) / 512 * 512;
  }
  return files;
}

TEST(TarArchive, IsReadBack) {
  Files files = {{"empty", ""},
                 {"a.txt", "text\n"},
                 {"block", std::string(512, 'x')},
                 {"more", std::string(513, '\0')}};
  for (const std::size_t length : {99, 100, 101, 150, 993, 994, 1000})
    files[std::string(length, 'n')] = std::to_string(length);
  const std::string archive = tar_archive(files);
  EXPECT_EQ(archive.size() % 512, 0u);
  EXPECT_EQ(archive.substr(archive.size() - 1024), std::string(1024, '\0'));
  EXPECT_EQ(read_tar(archive), files);
}

TEST(TarArchive, OfNothingIsTwoBlocks) { EXPECT_EQ(tar_archive({}), std::string(1024, '\0')); }

}  // namespace
}  // namespace diffie::server

// Zip archives in memory: stored and deflated entries. No zip64, no encryption.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::lab {

struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint32_t compressed_size = 0;
  std::uint32_t size = 0;
  std::uint32_t header_offset = 0;
};

class ZipReader {
 public:
  // Borrows `bytes`; `where` names them in messages. Throws kCorruptModel, kUnsupported.
  ZipReader(std::span<const std::byte> bytes, std::string where);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry& entry(std::string_view name) const;  // throws kCorruptModel when absent

  // The entry's content, CRC checked. A stored entry is a view of the archive; a deflated one is
  // put into `storage` and is a view of that.
  std::span<const std::byte> read(const ZipEntry& entry, std::vector<std::byte>& storage) const;

 private:
  std::span<const std::byte> bytes_;
  std::string where_;
  std::vector<ZipEntry> entries_;
};

}  // namespace diffie::lab

#include "lab/import/zip_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diffie/error.h"
#include "lab/import/byte_reader.h"
#include "lab/import/inflate.h"
#include "base/printable.h"

namespace diffie::lab {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMaxComment = 0xffff;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint32_t kZip64 = 0xffffffff;

[[noreturn]] void corrupt(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
}

// The end record stands last, before a comment whose length it states.
std::size_t find_end(std::span<const std::byte> bytes, std::string_view where) {
  for (std::size_t back = kEndSize; back <= std::min(bytes.size(), kEndSize + kMaxComment);
       ++back) {
    ByteReader end(bytes.last(back), where);
    if (end.u32() != kEndSignature) continue;
    end.skip(16);
    if (end.u16() == back - kEndSize) return bytes.size() - back;
  }
  corrupt(where, "not a zip archive");
}

ZipEntry read_central(ByteReader& reader) {
  if (reader.u32() != kCentralSignature) reader.fail("zip directory is damaged");
  ZipEntry entry;
  reader.skip(4);  // versions
  const std::uint16_t flags = reader.u16();
  entry.method = reader.u16();
  reader.skip(4);  // time
  entry.crc = reader.u32();
  entry.compressed_size = reader.u32();
  entry.size = reader.u32();
  const std::uint16_t name_size = reader.u16();
  const std::uint16_t extra_size = reader.u16();
  const std::uint16_t comment_size = reader.u16();
  reader.skip(8);  // disk, attributes
  entry.header_offset = reader.u32();
  entry.name = reader.text(name_size);
  reader.skip(extra_size);
  reader.skip(comment_size);
  const bool is_zip64 =
      entry.size == kZip64 || entry.compressed_size == kZip64 || entry.header_offset == kZip64;
  if (is_zip64 || (flags & kEncrypted) != 0 || (entry.method != 0 && entry.method != 8)) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("zip entry '{}' is zip64, encrypted or compressed by method {}",
                            base::printable(entry.name), entry.method));
  }
  if (entry.method == 0 && entry.size != entry.compressed_size) {
    reader.fail(fmt::format("stored zip entry '{}' has {} bytes of {}", base::printable(entry.name),
                            entry.compressed_size, entry.size));
  }
  return entry;
}

}  // namespace

ZipReader::ZipReader(std::span<const std::byte> bytes, std::string where)
    : bytes_(bytes), where_(std::move(where)) {
  ByteReader end(bytes_.subspan(find_end(bytes_, where_)), where_);
  end.skip(10);  // signature, disks, entries of this disk
  const std::uint16_t count = end.u16();
  const std::uint32_t size = end.u32();
  const std::uint32_t offset = end.u32();
  ByteReader reader(checked_subspan(bytes_, offset, size, where_, "zip directory"), where_);
  std::set<std::string_view> names;
  for (std::uint16_t i = 0; i < count; ++i) entries_.push_back(read_central(reader));
  if (!reader.empty()) corrupt(where_, fmt::format("zip directory holds more than {}", count));
  for (const ZipEntry& entry : entries_) {
    if (!names.insert(entry.name).second) {
      corrupt(where_, fmt::format("two zip entries are named '{}'", base::printable(entry.name)));
    }
  }
}

const ZipEntry& ZipReader::entry(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const ZipEntry& entry) { return entry.name == name; });
  if (found == entries_.end()) corrupt(where_, fmt::format("holds no '{}'", name));
  return *found;
}

std::span<const std::byte> ZipReader::read(const ZipEntry& entry,
                                           std::vector<std::byte>& storage) const {
  const std::string where = fmt::format("{}: {}", where_, base::printable(entry.name));
  ByteReader local(bytes_, where);
  local.skip(entry.header_offset);
  if (local.u32() != kLocalSignature) corrupt(where, "zip entry is damaged");
  local.skip(22);
  const std::uint16_t name_size = local.u16();
  const std::uint16_t extra_size = local.u16();
  local.skip(name_size);
  local.skip(extra_size);
  std::span<const std::byte> content = local.bytes(entry.compressed_size);
  if (entry.method != 0) {
    storage = inflate_raw(content, entry.size, where);
    content = storage;
  }
  if (crc32_of(content) != entry.crc) corrupt(where, "CRC-32 is wrong");
  return content;
}

}  // namespace diffie::lab

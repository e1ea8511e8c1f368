#include "lab/import/tar_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "diffie/error.h"
#include "lab/import/byte_reader.h"
#include "base/printable.h"

namespace diffie::lab {
namespace {

constexpr std::size_t kBlock = 512;

// Fields of the ustar header: where they lie and how long they are.
struct Field {
  std::size_t offset, size;
};
constexpr Field kName = {0, 100}, kSize = {124, 12}, kChecksum = {148, 8}, kType = {156, 1};
constexpr Field kMagic = {257, 5}, kPrefix = {345, 155};

std::string_view field(std::string_view header, Field where) {
  const std::string_view text = header.substr(where.offset, where.size);
  return text.substr(0, text.find('\0'));
}

// Octal digits with blanks around them; at most 12, so no overflow.
std::optional<std::uint64_t> octal(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '7') return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(digit - '0');
  }
  return value;
}

// The sum of all bytes, those of the checksum itself counted as blanks.
std::uint64_t checksum_of(std::string_view header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool in_checksum = i >= kChecksum.offset && i < kChecksum.offset + kChecksum.size;
    sum += in_checksum ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

}  // namespace

std::vector<TarEntry> read_tar(std::span<const std::byte> bytes, std::string_view where) {
  ByteReader reader(bytes, where);
  std::vector<TarEntry> entries;
  while (!reader.empty()) {
    const std::size_t start = reader.position();
    const std::string_view header = reader.text(kBlock);
    if (header.find_first_not_of('\0') == std::string_view::npos) return entries;
    const auto checksum = octal(field(header, kChecksum));
    const auto size = octal(field(header, kSize));
    if (!checksum || *checksum != checksum_of(header) || !size) {
      reader.fail(fmt::format("tar header at byte {} is damaged", start));
    }
    const std::span<const std::byte> content = reader.bytes(*size);
    reader.skip(std::min<std::uint64_t>(reader.remaining(), (kBlock - *size % kBlock) % kBlock));
    const char type = header[kType.offset];
    if (type != '0' && type != '\0') continue;
    std::string name(field(header, kName));
    const std::string_view prefix = field(header, kPrefix);
    if (field(header, kMagic) == "ustar" && !prefix.empty()) {
      name = fmt::format("{}/{}", prefix, name);
    }
    entries.push_back({std::move(name), content});
  }
  reader.fail("tar archive has no end");
}

std::span<const std::byte> tar_file(const std::vector<TarEntry>& entries, std::string_view name,
                                    std::string_view where) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const TarEntry& entry) { return entry.name == name; });
  if (found == entries.end()) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("{}: holds no '{}'", where, name));
  }
  return found->bytes;
}

}  // namespace diffie::lab

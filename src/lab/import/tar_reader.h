#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::lab {

struct TarEntry {
  std::string name;
  std::span<const std::byte> bytes;  // of the archive
};

// The regular files of a tar archive in memory; everything else in it is passed over. Borrows
// `bytes`. Throws kCorruptModel for damage.
std::vector<TarEntry> read_tar(std::span<const std::byte> bytes, std::string_view where);

// The one entry with this name; throws kCorruptModel when it is absent.
std::span<const std::byte> tar_file(const std::vector<TarEntry>& entries, std::string_view name,
                                    std::string_view where);

}  // namespace diffie::lab

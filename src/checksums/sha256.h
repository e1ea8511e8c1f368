// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace diffie::checksums {

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  // The digest as 64 lower-case hexadecimal digits. The object is spent afterwards.
  std::string finish();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};  // the first num_bytes_ % 64 of it
  std::uint64_t num_bytes_ = 0;
};

std::string sha256(std::span<const std::byte> bytes);
std::string sha256_of_file(const std::filesystem::path& path);  // throws kNotFound

}  // namespace diffie::checksums

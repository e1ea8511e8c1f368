// The heart of SHA-256: whole blocks of 64 bytes into the eight words of the state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace diffie::checksums {

using Sha256State = std::array<std::uint32_t, 8>;
using Sha256Blocks = void (*)(Sha256State& state, const std::byte* data, std::size_t blocks);

extern const std::array<std::uint32_t, 64> kSha256Rounds;

void sha256_blocks_portable(Sha256State& state, const std::byte* data, std::size_t blocks);

// With the SHA instructions of x86-64, about six times as fast; null where the machine has none.
Sha256Blocks sha256_blocks_x86();

}  // namespace diffie::checksums

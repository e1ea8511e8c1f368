// Variables of a TensorFlow checkpoint ("tensor bundle"): an index, which is a sorted string table
// from names to places, and one data file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::lab {

struct BundleTensor {
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;  // fp32, little-endian, of the data file
};

// All tensors by name. The CRC-32C of every index block and every tensor is checked. Throws
// kCorruptModel, kUnsupported (compressed blocks, several data files, other types than float).
std::map<std::string, BundleTensor> read_tf_bundle(std::span<const std::byte> index,
                                                   std::span<const std::byte> data,
                                                   std::string_view where);

}  // namespace diffie::lab

#include "lab/import/tf_bundle.h"

#include <fmt/format.h>

#include <algorithm>

#include "diffie/error.h"
#include "lab/import/byte_reader.h"
#include "base/checked_size.h"
#include "base/crc32c.h"
#include "base/printable.h"

namespace diffie::lab {
namespace {

constexpr std::size_t kFooterSize = 48;
constexpr std::uint64_t kTableMagic = 0xdb4775248b80fb57;
constexpr std::uint64_t kFloat = 1;  // DT_FLOAT
constexpr std::size_t kMaxKeyBytes = 4096;
constexpr std::size_t kMaxRank = 8;

[[noreturn]] void corrupt(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
}

[[noreturn]] void unsupported(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kUnsupported, fmt::format("{}: {}", where, problem));
}

struct Handle {  // of a block: its place without the trailer
  std::uint64_t offset = 0, size = 0;
};

Handle read_handle(ByteReader& reader) {
  Handle handle;
  handle.offset = reader.varint();
  handle.size = reader.varint();
  return handle;
}

// A block is followed by one byte of compression type and the masked CRC of both.
std::span<const std::byte> read_block(std::span<const std::byte> index, Handle handle,
                                      std::string_view where) {
  const auto block = checked_subspan(index, handle.offset, handle.size, where, "table block");
  ByteReader trailer(index.subspan(handle.offset + handle.size), where);
  const auto type = std::to_integer<int>(trailer.bytes(1)[0]);
  if (trailer.u32() != base::masked_crc32c(index.subspan(handle.offset, handle.size + 1))) {
    corrupt(where, fmt::format("CRC of the table block at {} is wrong", handle.offset));
  }
  if (type != 0) unsupported(where, "table block is compressed");
  return block;
}

// Calls visit(key, value) for every record. A key shares a prefix with the one before it; at the
// end stand the restart points (a count and as many offsets), which a reader of all does not need.
template <typename Visit>
void for_each_record(std::span<const std::byte> block, std::string_view where, Visit visit) {
  if (block.size() < 4) corrupt(where, "table block is too short");
  const std::uint64_t num_restarts = ByteReader(block.last(4), where).u32();
  if (num_restarts > (block.size() - 4) / 4) corrupt(where, "table block is damaged");
  ByteReader reader(block.first(block.size() - 4 - 4 * num_restarts), where);
  std::string key;
  while (!reader.empty()) {
    const std::uint64_t shared = reader.varint();
    const std::uint64_t added = reader.varint();
    const std::uint64_t value_size = reader.varint();
    if (shared > key.size() || added > kMaxKeyBytes - std::min(shared, kMaxKeyBytes)) {
      corrupt(where, "table key is damaged");
    }
    key.resize(shared);
    key += reader.text(added);
    visit(key, reader.bytes(value_size));
  }
}

// One field of a protocol buffer message.
struct ProtoField {
  std::uint64_t number = 0;
  std::uint64_t value = 0;           // varint and fixed types
  std::span<const std::byte> bytes;  // length-delimited type
};

ProtoField read_field(ByteReader& reader) {
  const std::uint64_t tag = reader.varint();
  ProtoField field;
  field.number = tag >> 3;
  switch (tag & 7) {
    case 0:
      field.value = reader.varint();
      return field;
    case 1:
      field.value = reader.u64();
      return field;
    case 2:
      field.bytes = reader.bytes(reader.varint());
      return field;
    case 5:
      field.value = reader.u32();
      return field;
    default:
      reader.fail(fmt::format("protocol buffer wire type {}", tag & 7));
  }
}

// TensorShapeProto: field 2, once per axis, is Dim with field 1 = size.
std::vector<std::uint64_t> read_shape(std::span<const std::byte> bytes, std::string_view where) {
  std::vector<std::uint64_t> shape;
  for (ByteReader reader(bytes, where); !reader.empty();) {
    const ProtoField field = read_field(reader);
    if (field.number != 2) continue;
    if (shape.size() == kMaxRank) reader.fail(fmt::format("more than {} axes", kMaxRank));
    shape.push_back(0);
    for (ByteReader dim(field.bytes, where); !dim.empty();) {
      const ProtoField size = read_field(dim);
      if (size.number == 1) shape.back() = size.value;
    }
  }
  return shape;
}

// BundleEntryProto: 1 type, 2 shape, 3 data file, 4 offset, 5 size, 6 masked CRC-32C, 7 slices.
BundleTensor read_entry(std::span<const std::byte> value, std::span<const std::byte> data,
                        const std::string& where) {
  std::uint64_t type = 0, shard = 0, offset = 0, size = 0, crc = 0;
  bool sliced = false;
  BundleTensor tensor;
  for (ByteReader reader(value, where); !reader.empty();) {
    const ProtoField field = read_field(reader);
    if (field.number == 1) type = field.value;
    if (field.number == 2) tensor.shape = read_shape(field.bytes, where);
    if (field.number == 3) shard = field.value;
    if (field.number == 4) offset = field.value;
    if (field.number == 5) size = field.value;
    if (field.number == 6) crc = field.value;
    if (field.number == 7) sliced = true;
  }
  if (type != kFloat || shard != 0 || sliced) {
    unsupported(where, fmt::format("type {}, data file {}{}; wanted whole floats in file 0", type,
                                   shard, sliced ? ", slices" : ""));
  }
  tensor.bytes = checked_subspan(data, offset, size, where, "tensor");
  if (base::checked_size(tensor.shape, sizeof(float)) != size) {
    corrupt(where,
            fmt::format("{} bytes do not hold F32 [{}]", size, fmt::join(tensor.shape, ", ")));
  }
  if (base::masked_crc32c(tensor.bytes) != crc) corrupt(where, "CRC-32C is wrong");
  return tensor;
}

// BundleHeaderProto: 1 number of data files, 2 endianness (0 little).
void check_header(std::span<const std::byte> value, std::string_view where) {
  for (ByteReader reader(value, where); !reader.empty();) {
    const ProtoField field = read_field(reader);
    if ((field.number == 1 && field.value != 1) || (field.number == 2 && field.value != 0)) {
      unsupported(where, "several data files or big-endian numbers");
    }
  }
}

}  // namespace

std::map<std::string, BundleTensor> read_tf_bundle(std::span<const std::byte> index,
                                                   std::span<const std::byte> data,
                                                   std::string_view where) {
  if (index.size() < kFooterSize) corrupt(where, "checkpoint index is too short");
  ByteReader footer(index.last(kFooterSize), where);
  read_handle(footer);  // of a block about blocks, unused
  const Handle index_handle = read_handle(footer);
  if (ByteReader(index.last(8), where).u64() != kTableMagic) {
    corrupt(where, "not a checkpoint index: wrong magic number");
  }
  std::map<std::string, BundleTensor> tensors;
  const auto add = [&](const std::string& key, std::span<const std::byte> value) {
    if (key.empty()) return check_header(value, where);
    const std::string place = fmt::format("{}: {}", where, base::printable(key));
    if (!tensors.emplace(key, read_entry(value, data, place)).second) corrupt(place, "twice");
  };
  std::uint64_t reached = 0;
  const auto add_block = [&](const std::string&, std::span<const std::byte> value) {
    ByteReader reader(value, where);
    const Handle handle = read_handle(reader);
    // In order, so that a small index cannot name one block a million times.
    if (handle.offset < reached) corrupt(where, "table blocks are out of order");
    for_each_record(read_block(index, handle, where), where, add);
    reached = handle.offset + handle.size;
  };
  for_each_record(read_block(index, index_handle, where), where, add_block);
  return tensors;
}

}  // namespace diffie::lab

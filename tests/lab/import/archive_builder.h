// Archives in memory, valid unless a test breaks a field.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.h"

namespace diffie::test {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

// window_bits: -15 raw deflate, 31 gzip.
inline std::string deflated(std::string_view text, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipBuilder {
  struct Entry {
    std::string name;
    std::string content;
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::optional<std::uint32_t> crc{}, size{}, compressed_size{}, header_offset{};
  };
  std::vector<Entry> entries;
  std::optional<std::uint16_t> count;
  std::optional<std::uint32_t> directory_size, directory_offset;
  std::string comment;

  std::string bytes() const {
    std::string out, directory;
    for (const Entry& entry : entries) {
      const std::string stored = entry.method == 8 ? deflated(entry.content, -15) : entry.content;
      const auto crc = entry.crc.value_or(static_cast<std::uint32_t>(
          crc32_z(0, reinterpret_cast<const Bytef*>(entry.content.data()), entry.content.size())));
      const std::string common =
          little_endian(entry.flags, 2) + little_endian(entry.method, 2) + little_endian(0, 4) +
          little_endian(crc, 4) +
          little_endian(entry.compressed_size.value_or(static_cast<std::uint32_t>(stored.size())),
                        4) +
          little_endian(entry.size.value_or(static_cast<std::uint32_t>(entry.content.size())), 4) +
          little_endian(entry.name.size(), 2);
      directory +=
          "PK\x01\x02" + little_endian(0x14, 4) + common + little_endian(3, 2) +
          little_endian(1, 2) + little_endian(0, 8) +
          little_endian(entry.header_offset.value_or(static_cast<std::uint32_t>(out.size())), 4) +
          entry.name + "xyzc";
      out += "PK\x03\x04" + little_endian(0x14, 2) + common + little_endian(2, 2) + entry.name +
             "xx" + stored;
    }
    const auto number = count.value_or(static_cast<std::uint16_t>(entries.size()));
    const auto offset = directory_offset.value_or(static_cast<std::uint32_t>(out.size()));
    return out + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(number, 2) +
           little_endian(number, 2) +
           little_endian(directory_size.value_or(static_cast<std::uint32_t>(directory.size())), 4) +
           little_endian(offset, 4) + little_endian(comment.size(), 2) + comment;
  }
};

struct TarBuilder {
  struct Entry {
    std::string name;
    std::string content;
    char type = '0';
    std::string prefix{};
    std::optional<std::string> size{}, checksum{};  // as the digits stand in the header
  };
  std::vector<Entry> entries;
  bool with_end = true;

  std::string bytes() const {
    std::string out;
    for (const Entry& entry : entries) {
      std::string header(512, '\0');
      header.replace(0, entry.name.size(), entry.name);
      const std::string size = entry.size.value_or(fmt::format("{:011o}", entry.content.size()));
      header.replace(124, size.size(), size);
      header.replace(148, 8, "        ");
      header[156] = entry.type;
      header.replace(257, 5, "ustar");
      header.replace(345, entry.prefix.size(), entry.prefix);
      unsigned sum = 0;
      for (const char c : header) sum += static_cast<unsigned char>(c);
      const std::string checksum = entry.checksum.value_or(fmt::format("{:06o}", sum));
      header.replace(148, checksum.size() + 1, checksum + '\0');
      out += header + entry.content + std::string((512 - entry.content.size() % 512) % 512, '\0');
    }
    return out + std::string(with_end ? 1024 : 0, '\0');
  }
};

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

// A TensorFlow checkpoint: index() and data.
struct BundleBuilder {
  struct Entry {
    std::vector<std::uint64_t> shape;
    std::uint64_t type = 1, shard = 0, offset = 0, size = 0;
    std::uint32_t crc = 0;
    bool sliced = false;
  };
  std::map<std::string, Entry> entries;
  std::string data;
  std::string header = "\x08\x01";  // one data file
  std::size_t records_per_block = 3;
  char compression = 0;
  std::uint32_t crc_error = 0;  // xored into the CRC of every block
  std::uint64_t magic = 0xdb4775248b80fb57;
  bool repeat_blocks = false;

  void add(const std::string& name, std::vector<std::uint64_t> shape,
           std::span<const float> values) {
    const std::string text(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    entries[name] = {std::move(shape), 1,           0,
                     data.size(),      text.size(), base::masked_crc32c(bytes_of(text))};
    data += text;
  }

  static std::string message(const Entry& entry) {
    std::string shape;
    for (const std::uint64_t dim : entry.shape) {
      const std::string inner = "\x08" + varint(dim);
      shape += "\x12" + varint(inner.size()) + inner;
    }
    return "\x08" + varint(entry.type) + "\x12" + varint(shape.size()) + shape + "\x18" +
           varint(entry.shard) + "\x20" + varint(entry.offset) + "\x28" + varint(entry.size) +
           "\x35" + little_endian(entry.crc, 4) + (entry.sliced ? std::string("\x3a\x00", 2) : "");
  }

  // Appends a block with its trailer; returns its handle.
  std::string append(std::string& file,
                     const std::vector<std::pair<std::string, std::string>>& records) const {
    std::string block, last;
    for (const auto& [key, value] : records) {
      std::size_t shared = 0;
      while (shared < std::min(key.size(), last.size()) && key[shared] == last[shared]) ++shared;
      block += varint(shared) + varint(key.size() - shared) + varint(value.size()) +
               key.substr(shared) + value;
      last = key;
    }
    block += little_endian(0, 4) + little_endian(1, 4);  // one restart point
    const std::string handle = varint(file.size()) + varint(block.size());
    block += compression;
    file += block + little_endian(base::masked_crc32c(bytes_of(block)) ^ crc_error, 4);
    return handle;
  }

  std::string index() const {
    std::string file;
    std::vector<std::pair<std::string, std::string>> blocks, records = {{"", header}};
    const auto flush = [&] {
      if (records.empty()) return;
      const std::string last = records.back().first;
      blocks.emplace_back(last, append(file, records));
      if (repeat_blocks) blocks.push_back(blocks.back());
      records.clear();
    };
    for (const auto& [name, entry] : entries) {
      records.emplace_back(name, message(entry));
      if (records.size() >= records_per_block) flush();
    }
    flush();
    const std::string meta = append(file, {});
    std::string footer = meta + append(file, blocks);
    footer.resize(40);
    return file + footer + little_endian(magic, 8);
  }
};

}  // namespace diffie::test

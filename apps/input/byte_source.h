// The bytes of a file or of standard input, unpacked on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace diffie::cli {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // At most `max` bytes, those that are there; waits for one only. 0: the end. Throws kBadInput.
  virtual std::size_t read(char* to, std::size_t max) = 0;
  // Whether read() has something to work on without waiting.
  virtual bool ready() const = 0;
  // Of the file, as it is packed.
  virtual std::uint64_t bytes_read() const = 0;
};

// "-": standard input. What begins like gzip or Zstandard is unpacked, whatever its name. Throws
// kNotFound for what cannot be opened, kUnsupported for a kind that this build does not unpack,
// kBadInput for Parquet and Arrow files.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// Appends what one read() gives; the number of bytes, 0: the end.
std::size_t append_block(ByteSource& source, std::string& to);

}  // namespace diffie::cli

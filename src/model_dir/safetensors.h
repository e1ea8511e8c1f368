// safetensors: 8-byte little-endian header length, a JSON header, raw tensor bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/byte_range.h"
#include "files/regular_file.h"

namespace diffie::model_dir {

enum class DType { kF32, kF16, kBF16, kI8, kU8, kI32, kI64 };
std::size_t size_of(DType dtype);
std::string_view name_of(DType dtype);  // "F32", "F16", "BF16", "I8", ...

struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::uint64_t> shape;
  files::ByteRange bytes;  // valid while the file object lives

  std::uint64_t num_elements() const;
};

// Everything in the header is checked before use: lengths, overflow, overlap, holes, duplicate
// names, depth. Throws kNotFound, kCorruptModel. The file stays open, and what a tensor holds is
// read when it is asked for: processes share the system's cache of it, and one that changes or
// shrinks meanwhile is an Error then, or other numbers, never the end of the process.
class SafetensorsFile {
 public:
  static SafetensorsFile open(const std::filesystem::path& path);
  static SafetensorsFile from_bytes(std::span<const std::byte> bytes,
                                    const std::string& name);  // borrowed

  const std::vector<TensorView>& tensors() const { return tensors_; }  // in file order
  const TensorView* find(std::string_view name) const;                 // nullptr when absent
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  SafetensorsFile(const files::ByteRange& bytes, std::string_view where);

  std::unique_ptr<const files::RegularFile> file_;  // null: the bytes are somebody else's
  std::vector<TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

// Values as fp32, whatever the stored type. An I8 tensor X needs its scales: F32 tensor X +
// ".scale", one per row (first axis): value = int8 * scale[row].
void to_f32(const TensorView& tensor, const TensorView* scale, std::span<float> out);

// The same for one row (index along the first axis) of a matrix.
void row_to_f32(const TensorView& tensor, const TensorView* scale, std::size_t row,
                std::span<float> out);

// Conversions used by writer and reader (round to nearest even).
std::uint16_t f32_to_f16(float value);
float f16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_bf16(float value);
float bf16_to_f32(std::uint16_t bits);

}  // namespace diffie::model_dir

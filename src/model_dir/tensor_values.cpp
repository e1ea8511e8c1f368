// Stored values to fp32. Files of others need not be aligned, so every value is copied out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/printable.h"
#include "diffie/error.h"
#include "model_dir/safetensors.h"

namespace diffie::model_dir {
namespace {

[[noreturn]] void corrupt(const TensorView& tensor, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel,
              fmt::format("tensor '{}' {}", base::printable(tensor.name), problem));
}

// As many values as `out` has.
template <typename Convert>
void convert_halves(const files::ByteRange& bytes, std::span<float> out, Convert convert) {
  float* next = out.data();
  bytes.for_each_block([&](std::span<const std::byte> block) {
    for (std::size_t i = 0; i < block.size(); i += 2) {
      std::uint16_t bits;
      std::memcpy(&bits, block.data() + i, 2);
      *next++ = convert(bits);
    }
  });
}

// Everything but int8.
void convert(const TensorView& tensor, const files::ByteRange& bytes, std::span<float> out) {
  switch (tensor.dtype) {
    case DType::kF32:
      return bytes.copy_to(std::as_writable_bytes(out));
    case DType::kF16:
      return convert_halves(bytes, out, f16_to_f32);
    case DType::kBF16:
      return convert_halves(bytes, out, bf16_to_f32);
    default:
      corrupt(tensor, fmt::format("is {}, wanted F32, F16, BF16 or I8", name_of(tensor.dtype)));
  }
}

std::uint64_t num_rows(const TensorView& tensor) {
  return tensor.shape.empty() ? 1 : tensor.shape[0];
}

void check_scale(const TensorView& tensor, const TensorView* scale) {
  if (scale == nullptr) corrupt(tensor, "is int8 and has no scales");
  const std::uint64_t rows = num_rows(tensor);
  if (scale->dtype == DType::kF32 && scale->num_elements() == rows) return;
  corrupt(tensor, fmt::format("has {} rows, its scales are {} [{}]", rows, name_of(scale->dtype),
                              fmt::join(scale->shape, ", ")));
}

void convert_int8(const files::ByteRange& bytes, float scale, std::span<float> out) {
  std::array<std::byte, 1024> some;  // a row of our models: read in one go
  for (std::size_t first = 0; first < out.size(); first += some.size()) {
    const std::size_t count = std::min(some.size(), out.size() - first);
    bytes.part(first, count).copy_to(std::span(some).first(count));
    for (std::size_t i = 0; i < count; ++i)
      out[first + i] = static_cast<float>(std::to_integer<std::int8_t>(some[i])) * scale;
  }
}

void check_room(const TensorView& tensor, std::uint64_t wanted, std::size_t room) {
  if (room == wanted) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("tensor '{}' has {} values, there is room for {}",
                          base::printable(tensor.name), wanted, room));
}

}  // namespace

void to_f32(const TensorView& tensor, const TensorView* scale, std::span<float> out) {
  check_room(tensor, tensor.num_elements(), out.size());
  if (tensor.dtype != DType::kI8) return convert(tensor, tensor.bytes, out);
  check_scale(tensor, scale);
  std::vector<float> scales(num_rows(tensor));
  scale->bytes.copy_to(std::as_writable_bytes(std::span(scales)));
  const std::size_t row_size = scales.empty() ? 0 : out.size() / scales.size();
  for (std::size_t row = 0; row < scales.size(); ++row) {
    convert_int8(tensor.bytes.part(row * row_size, row_size), scales[row],
                 out.subspan(row * row_size, row_size));
  }
}

void row_to_f32(const TensorView& tensor, const TensorView* scale, std::size_t row,
                std::span<float> out) {
  const std::uint64_t rows = num_rows(tensor);
  if (row >= rows) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("tensor '{}' has {} rows, none is {}",
                                                         base::printable(tensor.name), rows, row));
  }
  check_room(tensor, tensor.num_elements() / rows, out.size());
  const std::size_t row_bytes = tensor.bytes.size() / rows;
  const files::ByteRange bytes = tensor.bytes.part(row * row_bytes, row_bytes);
  if (tensor.dtype != DType::kI8) return convert(tensor, bytes, out);
  check_scale(tensor, scale);
  float row_scale;
  scale->bytes.part(4 * row, 4).copy_to(std::as_writable_bytes(std::span(&row_scale, 1)));
  convert_int8(bytes, row_scale, out);
}

}  // namespace diffie::model_dir

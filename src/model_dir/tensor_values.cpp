// Stored values to fp32. Files of others need not be aligned, so every value is copied out.
#include <fmt/format.h>

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

template <typename Convert>
void convert_halves(std::span<const std::byte> bytes, std::span<float> out, Convert convert) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, 2);
    out[i] = convert(bits);
  }
}

// Everything but int8.
void convert(const TensorView& tensor, std::span<const std::byte> bytes, std::span<float> out) {
  switch (tensor.dtype) {
    case DType::kF32:
      if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
      return;
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

void convert_int8_row(const TensorView& tensor, const TensorView& scale, std::size_t row,
                      std::span<float> out) {
  float row_scale;
  std::memcpy(&row_scale, scale.bytes.data() + 4 * row, 4);
  const std::byte* values = tensor.bytes.data() + row * out.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>(std::to_integer<std::int8_t>(values[i])) * row_scale;
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
  const std::uint64_t rows = num_rows(tensor);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t row_size = out.size() / rows;
    convert_int8_row(tensor, *scale, row, out.subspan(row * row_size, row_size));
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
  if (tensor.dtype == DType::kI8) {
    check_scale(tensor, scale);
    return convert_int8_row(tensor, *scale, row, out);
  }
  const std::size_t row_bytes = tensor.bytes.size() / rows;
  convert(tensor, tensor.bytes.subspan(row * row_bytes, row_bytes), out);
}

}  // namespace diffie::model_dir

// Stored values to fp32. Files of others need not be aligned, so every value is copied out.
#include <fmt/format.h>

#include <cstring>

#include "diffie/error.h"
#include "io/printable.h"
#include "io/safetensors.h"

namespace diffie::io {
namespace {

[[noreturn]] void corrupt(const TensorView& tensor, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel,
              fmt::format("tensor '{}' {}", printable(tensor.name), problem));
}

template <typename Convert>
void convert_halves(std::span<const std::byte> bytes, std::span<float> out, Convert convert) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, 2);
    out[i] = convert(bits);
  }
}

void convert_int8(const TensorView& tensor, const TensorView* scale, std::span<float> out) {
  if (scale == nullptr) corrupt(tensor, "is int8 and has no scales");
  const std::uint64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0];
  if (scale->dtype != DType::kF32 || scale->num_elements() != rows) {
    corrupt(tensor, fmt::format("has {} rows, its scales are {} [{}]", rows, name_of(scale->dtype),
                                fmt::join(scale->shape, ", ")));
  }
  if (rows == 0) return;
  const std::size_t row_size = out.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    float row_scale;
    std::memcpy(&row_scale, scale->bytes.data() + 4 * row, 4);
    for (std::size_t i = row * row_size; i < (row + 1) * row_size; ++i) {
      out[i] = static_cast<float>(std::to_integer<std::int8_t>(tensor.bytes[i])) * row_scale;
    }
  }
}

}  // namespace

void to_f32(const TensorView& tensor, const TensorView* scale, std::span<float> out) {
  if (out.size() != tensor.num_elements()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("tensor '{}' has {} values, there is room for {}",
                            printable(tensor.name), tensor.num_elements(), out.size()));
  }
  switch (tensor.dtype) {
    case DType::kF32:
      if (!out.empty()) std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
      return;
    case DType::kF16:
      return convert_halves(tensor.bytes, out, f16_to_f32);
    case DType::kBF16:
      return convert_halves(tensor.bytes, out, bf16_to_f32);
    case DType::kI8:
      return convert_int8(tensor, scale, out);
    case DType::kU8:
    case DType::kI32:
    case DType::kI64:
      break;
  }
  corrupt(tensor, fmt::format("is {}, wanted F32, F16, BF16 or I8", name_of(tensor.dtype)));
}

}  // namespace diffie::io

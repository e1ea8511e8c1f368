#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/printable.h"
#include "diffie/error.h"
#include "model_dir/model_dir.h"

namespace diffie::model_dir {
namespace {

bool is_weight_type(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF16 || dtype == DType::kBF16;
}

// Of numbers without their sign: as bits they rise as the numbers do, infinity and what is no
// number behind all others.
template <typename Bits>
Bits largest_magnitude(const files::ByteRange& bytes) {
  constexpr auto kNoSign = static_cast<Bits>(std::numeric_limits<Bits>::max() >> 1);
  Bits largest = 0;
  bytes.for_each_block([&](std::span<const std::byte> block) {
    for (std::size_t i = 0; i + sizeof(Bits) <= block.size(); i += sizeof(Bits)) {
      Bits bits;
      std::memcpy(&bits, block.data() + i, sizeof(Bits));
      largest = std::max(largest, static_cast<Bits>(bits & kNoSign));
    }
  });
  return largest;
}

// How a type writes 1024 and infinity.
template <typename Bits>
const char* magnitude_problem(const files::ByteRange& bytes, Bits most, Bits infinity) {
  const Bits largest = largest_magnitude<Bits>(bytes);
  if (largest >= infinity) return "holds values that are not finite";
  return largest > most ? "holds values beyond 1024" : nullptr;
}

const char* magnitude_problem(const TensorView& tensor) {
  switch (tensor.dtype) {
    case DType::kF32:
      return magnitude_problem<std::uint32_t>(tensor.bytes, 0x44800000u, 0x7f800000u);
    case DType::kF16:
      return magnitude_problem<std::uint16_t>(tensor.bytes, 0x6400u, 0x7c00u);
    case DType::kBF16:
      return magnitude_problem<std::uint16_t>(tensor.bytes, 0x4480u, 0x7f80u);
    default:
      return nullptr;
  }
}

}  // namespace

std::string tensor_problem(const TensorSpec& spec, const FindTensor& find) {
  const TensorView* tensor = find(spec.name);
  if (tensor == nullptr) return fmt::format("tensor '{}' is missing", spec.name);
  if (tensor->shape != spec.shape) {
    return fmt::format("tensor '{}' is [{}], wanted [{}]", spec.name,
                       fmt::join(tensor->shape, ", "), fmt::join(spec.shape, ", "));
  }
  if (is_weight_type(tensor->dtype)) return "";
  if (tensor->dtype != DType::kI8 || spec.shape.size() != 2) {
    return fmt::format("tensor '{}' is {}, wanted F32, F16, BF16{}", spec.name,
                       name_of(tensor->dtype), spec.shape.size() == 2 ? " or I8" : "");
  }
  const TensorView* scale = find(spec.name + ".scale");
  if (scale == nullptr) return fmt::format("tensor '{}' is I8 and has no .scale", spec.name);
  const std::vector<std::uint64_t> rows = {spec.shape[0]};
  if (scale->dtype != DType::kF32 || scale->shape != rows) {
    return fmt::format("tensor '{}.scale' is {} [{}], wanted F32 [{}]", spec.name,
                       name_of(scale->dtype), fmt::join(scale->shape, ", "), spec.shape[0]);
  }
  return "";
}

std::string values_problem(const TensorView& tensor) {
  const char* const problem = magnitude_problem(tensor);
  if (problem == nullptr) return "";
  return fmt::format("tensor '{}' {}", base::printable(tensor.name), problem);
}

void check_values(const TensorView& tensor, std::span<const float> values) {
  // int8 numbers reach 128 times their scale, which is a tensor of its own.
  const float most = tensor.dtype == DType::kI8 ? 128 * 1024.0f : 1024.0f;
  std::size_t beyond = 0;
  for (const float value : values) beyond += !(std::fabs(value) <= most);
  if (beyond == 0) return;
  throw Error(ErrorCode::kCorruptModel,
              fmt::format("tensor '{}' holds {} values beyond {}, or none: its file was changed "
                          "while it is used",
                          base::printable(tensor.name), beyond, most));
}

}  // namespace diffie::model_dir

#include "lab/models/quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "diffie/error.h"

namespace diffie::lab {
namespace {

std::vector<std::uint16_t> to_halves(std::span<const float> values,
                                     std::uint16_t (*convert)(float)) {
  std::vector<std::uint16_t> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), convert);
  return halves;
}

}  // namespace

QuantizedRows quantize_rows(std::span<const float> values, std::size_t rows) {
  QuantizedRows result;
  result.values.resize(values.size());
  result.scales.resize(rows);
  const std::size_t cols = rows == 0 ? 0 : values.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const float> line = values.subspan(row * cols, cols);
    float largest = 0;
    for (const float value : line) {
      if (!std::isfinite(value)) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("row {} holds {}, int8 needs finite values", row, value));
      }
      largest = std::max(largest, std::fabs(value));
    }
    float scale = largest / 127.0f;
    if (std::isinf(scale * 127.0f)) scale = std::nextafter(scale, 0.0f);  // rounded up from the top
    result.scales[row] = scale;
    if (scale == 0) continue;  // zeros, or values too small for a scale
    for (std::size_t col = 0; col < cols; ++col) {
      const float level = std::clamp(std::nearbyint(line[col] / scale), -127.0f, 127.0f);
      result.values[row * cols + col] = static_cast<std::int8_t>(level);
    }
  }
  return result;
}

bool stays_f32(const model_dir::TensorSpec& spec) {
  constexpr std::array<std::string_view, 5> kSmall = {"denoiser.tag.weight", "denoiser.time.weight",
                                                      "denoiser.head.weight", "judge.tag.weight",
                                                      "judge.head.weight"};
  return spec.shape.size() != 2 ||
         std::find(kSmall.begin(), kSmall.end(), spec.name) != kSmall.end();
}

model_dir::DType dtype_of(WeightType type) {
  switch (type) {
    case WeightType::kF16:
      return model_dir::DType::kF16;
    case WeightType::kBF16:
      return model_dir::DType::kBF16;
    case WeightType::kI8:
      return model_dir::DType::kI8;
    case WeightType::kF32:
      break;
  }
  return model_dir::DType::kF32;
}

void TensorStore::keep(std::string name, model_dir::DType dtype, std::vector<std::uint64_t> shape,
                       std::span<const std::byte> bytes) {
  const auto& buffer = buffers_.emplace_back(bytes.begin(), bytes.end());
  views_.push_back({std::move(name), dtype, std::move(shape), std::span<const std::byte>(buffer)});
}

void TensorStore::add(const model_dir::TensorSpec& spec, std::span<const float> values,
                      WeightType type) {
  const model_dir::DType dtype = stays_f32(spec) ? model_dir::DType::kF32 : dtype_of(type);
  if (dtype == model_dir::DType::kF16 || dtype == model_dir::DType::kBF16) {
    const auto halves = to_halves(
        values, dtype == model_dir::DType::kF16 ? model_dir::f32_to_f16 : model_dir::f32_to_bf16);
    keep(spec.name, dtype, spec.shape, std::as_bytes(std::span(halves)));
  } else if (dtype == model_dir::DType::kI8) {
    const QuantizedRows rows = quantize_rows(values, spec.shape[0]);
    keep(spec.name, dtype, spec.shape, std::as_bytes(std::span(rows.values)));
    keep(spec.name + ".scale", model_dir::DType::kF32, {spec.shape[0]},
         std::as_bytes(std::span(rows.scales)));
  } else {
    keep(spec.name, model_dir::DType::kF32, spec.shape, std::as_bytes(values));
  }
}

}  // namespace diffie::lab

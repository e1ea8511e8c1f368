#include "model/layers.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace diffie::model {

namespace {

// Values of tensors of one shape, one after another.
std::vector<float> stack_floats(const model_dir::ModelDir& dir,
                                const std::vector<std::string>& names, const std::string& suffix,
                                std::initializer_list<std::int64_t> shape) {
  std::vector<float> all;
  for (const std::string& name : names) {
    const std::vector<float> values = dir.floats(name + suffix, shape);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

bool all_int8(const model_dir::ModelDir& dir, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return dir.tensor(name + ".weight").dtype == model_dir::DType::kI8;
  });
}

// The shapes were checked when the directory was opened.
ops::PackedInt8 pack_int8(const model_dir::ModelDir& dir, const std::vector<std::string>& names,
                          std::size_t n, std::size_t k) {
  std::vector<std::int8_t> weights(names.size() * n * k);
  for (std::size_t i = 0; i < names.size(); ++i) {
    dir.tensor(names[i] + ".weight")
        .bytes.copy_to(std::as_writable_bytes(std::span(weights).subspan(i * n * k, n * k)));
  }
  const std::vector<float> scales =
      stack_floats(dir, names, ".weight.scale", {static_cast<std::int64_t>(n)});
  return ops::PackedInt8(weights, scales, scales.size(), k, ops::cpu_kernels().int8_order);
}

}  // namespace

Linear Linear::load(const model_dir::ModelDir& dir, const std::string& name, std::size_t n,
                    std::size_t k, Precision precision) {
  return load_stacked(dir, {name}, n, k, precision);
}

Linear Linear::load_stacked(const model_dir::ModelDir& dir, const std::vector<std::string>& names,
                            std::size_t n, std::size_t k, Precision precision) {
  const auto rows = static_cast<std::int64_t>(n);
  Linear linear;
  linear.bias_ = stack_floats(dir, names, ".bias", {rows});
  if (precision == Precision::kInt8 && all_int8(dir, names)) {
    linear.int8_weight_ = pack_int8(dir, names, n, k);
  } else {
    linear.weight_ =
        ops::PackedMatrix(stack_floats(dir, names, ".weight", {rows, static_cast<std::int64_t>(k)}),
                          linear.bias_.size(), k);
  }
  return linear;
}

void Linear::apply(std::span<const float> x, std::size_t rows, std::span<float> y,
                   Workspace& workspace, ops::Epilogue epilogue,
                   std::span<const float> residual) const {
  if (int8_weight_.n() == 0) return ops::gemm(x, rows, weight_, bias_, y, epilogue, residual);
  const std::size_t count = ops::gemm_int8_scratch(int8_weight_);
  ops::gemm_int8(x, rows, int8_weight_, bias_, y, epilogue, residual,
                 {workspace.floats(kLinearSlot, count), count});
}

Norm Norm::load(const model_dir::ModelDir& dir, const std::string& name, std::size_t columns,
                double eps) {
  const auto size = static_cast<std::int64_t>(columns);
  return {dir.floats(name + ".weight", {size}), dir.floats(name + ".bias", {size}),
          static_cast<float>(eps)};
}

}  // namespace diffie::model

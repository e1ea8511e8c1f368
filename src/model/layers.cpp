#include "model/layers.h"

#include <cstdint>

namespace diffie::model {

Linear Linear::load(const io::ModelDir& dir, const std::string& name, std::size_t n,
                    std::size_t k) {
  return load_stacked(dir, {name}, n, k);
}

Linear Linear::load_stacked(const io::ModelDir& dir, std::initializer_list<std::string> names,
                            std::size_t n, std::size_t k) {
  std::vector<float> weight;
  std::vector<float> bias;
  for (const std::string& name : names) {
    const std::vector<float> w =
        dir.floats(name + ".weight", {static_cast<std::int64_t>(n), static_cast<std::int64_t>(k)});
    const std::vector<float> b = dir.floats(name + ".bias", {static_cast<std::int64_t>(n)});
    weight.insert(weight.end(), w.begin(), w.end());
    bias.insert(bias.end(), b.begin(), b.end());
  }
  return {ops::PackedMatrix(weight, bias.size(), k), bias};
}

Norm Norm::load(const io::ModelDir& dir, const std::string& name, std::size_t columns, double eps) {
  const auto size = static_cast<std::int64_t>(columns);
  return {dir.floats(name + ".weight", {size}), dir.floats(name + ".bias", {size}),
          static_cast<float>(eps)};
}

}  // namespace diffie::model

#include "lab/models/random_weights.h"

#include <cmath>

#include "base/checked_size.h"

namespace diffie::lab {
namespace {

// SplitMix64: a 64-bit counter through a mixing function.
class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // The sum of twelve uniform 16-bit integers, centred: variance 1, within +-6.
  double nearly_normal() {
    std::int64_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      const std::uint64_t bits = next();
      for (int shift = 0; shift < 64; shift += 16) {
        sum += static_cast<std::int64_t>(bits >> shift & 0xffff);
      }
    }
    return static_cast<double>(sum - 12 * 65535 / 2) / 65536.0;
  }

 private:
  std::uint64_t state_;
};

// FNV-1a: a tensor's numbers do not depend on which others the model has.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return value;
}

}  // namespace

std::vector<float> random_weights(const model_dir::TensorSpec& spec, std::uint64_t seed) {
  std::vector<float> values(base::checked_size(spec.shape).value());
  if (spec.shape.size() == 1) {
    if (spec.name.ends_with(".weight")) values.assign(values.size(), 1.0f);
    return values;
  }
  const auto fan = static_cast<double>(spec.shape[0] + spec.shape[1]);
  const double deviation = spec.name.starts_with("bert.") ? 0.02 : std::sqrt(2.0 / fan);
  Random random(Random(seed ^ hash(spec.name)).next());
  for (float& value : values) value = static_cast<float>(random.nearly_normal() * deviation);
  return values;
}

}  // namespace diffie::lab

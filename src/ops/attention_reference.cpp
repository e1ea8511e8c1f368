#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

namespace {

// One query against a row's keys and values; q, k, v point at the head's first value of a token.
void attend(const float* q, const float* k, const float* v, std::size_t stride, std::size_t length,
            std::size_t head_dim, float scale, float* out) {
  std::vector<double> p(length);
  for (std::size_t j = 0; j < length; ++j) {
    for (std::size_t c = 0; c < head_dim; ++c)
      p[j] += static_cast<double>(q[c]) * k[j * stride + c];
    p[j] *= scale;
  }
  const double largest = *std::max_element(p.begin(), p.end());
  double sum = 0;
  for (double& score : p) sum += score = std::exp(score - largest);
  for (std::size_t c = 0; c < head_dim; ++c) {
    double value = 0;
    for (std::size_t j = 0; j < length; ++j) value += p[j] / sum * v[j * stride + c];
    out[c] = static_cast<float>(value);
  }
}

}  // namespace

void attention_reference(const AttentionCall& call) {
  const std::size_t d = call.heads * call.head_dim;
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t begin = call.offsets[row] - call.offsets[0];
    const std::size_t length = call.offsets[row + 1] - call.offsets[row];
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t head = 0; head < call.heads; ++head) {
        const float* q = call.qkv + (begin + i) * 3 * d + head * call.head_dim;
        const float* k = call.qkv + begin * 3 * d + d + head * call.head_dim;
        attend(q, k, k + d, 3 * d, length, call.head_dim, call.scale,
               call.out + (begin + i) * d + head * call.head_dim);
      }
    }
  }
}

}  // namespace diffie::ops

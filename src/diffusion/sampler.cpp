#include "diffusion/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/assert.h"
#include "diffie/error.h"
#include "diffusion/posterior.h"
#include "diffusion/random.h"
#include "diffusion/softmax4.h"

namespace diffie::diffusion {
namespace {

// P(y_u <= k | y_t, y_0) for k = 0..2, as [y_t][k][y_0]: three dot products with the weights of
// y_0 give the thresholds that one uniform number is compared with.
using CumulativeTable =
    std::array<std::array<std::array<double, kNumTags>, kNumTags - 1>, kNumTags>;

struct Jump {
  std::int32_t from = 0;
  CumulativeTable cumulative{};  // uniform kernel
  MaskJump mask;                 // absorbing kernel
};

CumulativeTable accumulate(const PosteriorTable& posterior) {
  CumulativeTable cumulative{};
  for (int y_t = 0; y_t < kNumTags; ++y_t)
    for (int y_0 = 0; y_0 < kNumTags; ++y_0) {
      double below = 0;
      for (int k = 0; k + 1 < kNumTags; ++k) {
        below += posterior[y_t][y_0][k];
        cumulative[y_t][k][y_0] = below;
      }
    }
  return cumulative;
}

// round(T i / steps) for i = steps..1, halves up. T / steps >= 1, so no two are equal and none is
// 0.
std::vector<std::int32_t> time_grid(std::int64_t trained, std::int64_t steps) {
  std::vector<std::int32_t> times;
  for (std::int64_t i = steps; i >= 1; --i)
    times.push_back(static_cast<std::int32_t>((2 * trained * i + steps) / (2 * steps)));
  return times;
}

void check(const Schedule& schedule, const SamplerOptions& options) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, "sampler: " + what);
  };
  if (options.steps < 1 || options.steps > schedule.steps())
    refuse(fmt::format("steps is {}, the model was trained with {}: wanted 1..{}", options.steps,
                       schedule.steps(), schedule.steps()));
  if (!(options.temperature > 0 && options.temperature <= 10))
    refuse(fmt::format("temperature is {}, wanted a number in (0, 10]", options.temperature));
  if (!(options.remask >= 0 && options.remask <= 1))
    refuse(fmt::format("remask is {}, wanted a number in [0, 1]", options.remask));
  if (options.remask > 0 && schedule.kernel() != io::KernelKind::kAbsorbing)
    refuse(fmt::format("remask is {}, but a uniform kernel has no mask: wanted 0", options.remask));
}

// Weights w of y_0 and the jump's table: a tag y_u with probability proportional to
// sum_{y_0} w[y_0] q(y_u | y_t, y_0). Rounding keeps the thresholds in order, and a tag of
// probability 0 has an empty interval. Non-finite logits end in tag 0.
std::uint8_t draw_uniform_kernel(const CumulativeTable& cumulative, std::uint8_t state,
                                 const double* w, double uniform) {
  const double threshold = uniform * (w[0] + w[1] + w[2] + w[3]);
  const auto& rows = cumulative[state];
  int tag = 0;
  for (int k = 0; k + 1 < kNumTags; ++k) {
    const auto& c = rows[k];
    tag += threshold >= w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * c[3];
  }
  return static_cast<std::uint8_t>(tag);
}

// A masked position: tag k with probability unmask * w[k] / sum, else the mask (4) again.
std::uint8_t draw_unmask(double unmask, const double* w, double uniform) {
  const double two = w[0] + w[1];
  const double three = two + w[2];
  const double all = three + w[3];
  const double threshold = uniform * all;
  return static_cast<std::uint8_t>((threshold >= unmask * w[0]) + (threshold >= unmask * two) +
                                   (threshold >= unmask * three) + (threshold >= unmask * all));
}

}  // namespace

class Sampler::Impl {
 public:
  Impl(const io::DiffusionConfig& diffusion, const SamplerOptions& options) : schedule_(diffusion) {
    check(schedule_, options);
    // Bounded: below this every distribution is an argmax, and 0 * infinity would be NaN.
    inverse_temperature_ = std::min(1 / options.temperature, 1e30);
    times_ = time_grid(schedule_.steps(), options.steps);
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const std::int32_t to = i + 1 < times_.size() ? times_[i + 1] : 0;
      Jump jump;
      jump.from = times_[i];
      if (absorbing())
        jump.mask = mask_jump(schedule_, times_[i], to, options.remask);
      else
        jump.cumulative = accumulate(posterior_table(schedule_, times_[i], to));
      jumps_.push_back(jump);
    }
  }

  const std::vector<std::int32_t>& times() const { return times_; }

  void sample(Predictor& predictor, std::uint64_t key, std::uint64_t first_trajectory,
              std::size_t rows, std::size_t length, std::span<std::uint8_t> tags) const {
    DIFFIE_ASSERT(length == 0 ? tags.empty()
                              : tags.size() % length == 0 && tags.size() / length == rows);
    if (tags.empty()) return;
    start(key, first_trajectory, length, tags);
    std::vector<float> logits(tags.size() * kNumTags);
    for (const Jump& jump : jumps_) {
      predictor.predict(tags, rows, length, jump.from, logits);
      for (std::size_t row = 0; row < rows; ++row)
        step_row(jump, key, first_trajectory + row, logits.data() + row * length * kNumTags,
                 tags.subspan(row * length, length));
    }
  }

 private:
  bool absorbing() const { return schedule_.kernel() == io::KernelKind::kAbsorbing; }

  void start(std::uint64_t key, std::uint64_t first_trajectory, std::size_t length,
             std::span<std::uint8_t> tags) const {
    if (absorbing()) {
      std::fill(tags.begin(), tags.end(), kMask);
      return;
    }
    for (std::size_t begin = 0; begin < tags.size(); begin += length) {
      const std::uint64_t trajectory = first_trajectory + begin / length;
      for_each_word(key, trajectory, 0, length, [&](std::size_t position, std::uint32_t word) {
        tags[begin + position] = static_cast<std::uint8_t>(word >> 30);
      });
    }
  }

  void step_row(const Jump& jump, std::uint64_t key, std::uint64_t trajectory, const float* logits,
                std::span<std::uint8_t> row) const {
    const auto step = static_cast<std::uint32_t>(jump.from);
    const bool masks = absorbing();
    for_each_word(key, trajectory, step, row.size(), [&](std::size_t position, std::uint32_t word) {
      std::uint8_t& state = row[position];
      const double uniform = to_uniform(word);
      if (masks && state != kMask) {
        if (uniform < jump.mask.remask) state = kMask;
        return;
      }
      double weights[kNumTags];
      softmax_weights(logits + position * kNumTags, inverse_temperature_, weights);
      state = masks ? draw_unmask(jump.mask.unmask, weights, uniform)
                    : draw_uniform_kernel(jump.cumulative, state, weights, uniform);
    });
  }

  template <typename Visit>
  static void for_each_word(std::uint64_t key, std::uint64_t trajectory, std::uint32_t step,
                            std::size_t length, Visit&& visit) {
    for (std::size_t begin = 0; begin < length; begin += kPositionsPerBlock) {
      const PhiloxBlock words =
          random_words(key, Stream::kReverse, trajectory, step, begin / kPositionsPerBlock);
      const std::size_t lanes = std::min(kPositionsPerBlock, length - begin);
      for (std::size_t lane = 0; lane < lanes; ++lane) visit(begin + lane, words[lane]);
    }
  }

  Schedule schedule_;
  double inverse_temperature_ = 1;
  std::vector<std::int32_t> times_;
  std::vector<Jump> jumps_;
};

Sampler::Sampler(const io::DiffusionConfig& diffusion, const SamplerOptions& options)
    : impl_(std::make_unique<const Impl>(diffusion, options)) {}
Sampler::~Sampler() = default;

std::span<const std::int32_t> Sampler::times() const { return impl_->times(); }

void Sampler::sample(Predictor& predictor, std::uint64_t key, std::uint64_t first_trajectory,
                     std::size_t rows, std::size_t length, std::span<std::uint8_t> tags) const {
  impl_->sample(predictor, key, first_trajectory, rows, length, tags);
}

}  // namespace diffie::diffusion

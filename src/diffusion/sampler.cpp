#include "diffusion/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/assert.h"
#include "diffie/error.h"
#include "diffusion/posterior.h"
#include "diffusion/row_noise.h"
#include "diffusion/softmax4.h"

namespace diffie::diffusion {
namespace {

// P(y_u <= k | y_t, y_0) for k = 0..2, as [y_t][k][y_0]: three dot products with the weights of
// y_0 give the thresholds that one uniform number is compared with.
using CumulativeTable =
    std::array<std::array<std::array<double, kNumTags>, kNumTags - 1>, kNumTags>;

struct Jump {
  std::int32_t from = 0;
  std::uint64_t shared = 1;        // neighbouring trajectories that are one row after this jump
  std::uint32_t log_siblings = 0;  // log2 of the rows that were one before it
  double inverse_temperature = 1;
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

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, "sampler: " + what);
}

void check_temperature(std::string_view name, double temperature) {
  if (!(temperature > 0 && temperature <= 10))
    refuse(fmt::format("{} is {}, wanted a number in (0, 10]", name, temperature));
}

void check_times(const std::vector<std::int32_t>& times, std::int32_t steps, std::int32_t trained) {
  if (times.empty()) return;
  if (times.size() != static_cast<std::size_t>(steps))
    refuse(fmt::format("{} times for {} steps", times.size(), steps));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::int32_t most = i == 0 ? trained : times[i - 1] - 1;
    if (times[i] < 1 || times[i] > most)
      refuse(fmt::format("time {} is {}, wanted 1..{}: falling, from at most {}", i + 1, times[i],
                         most, trained));
  }
}

void check_shared(const std::vector<std::int32_t>& shared, std::int32_t steps) {
  if (shared.empty()) return;
  if (shared.size() != static_cast<std::size_t>(steps))
    refuse(fmt::format("{} numbers of shared rows for {} steps", shared.size(), steps));
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (shared[i] < 1) refuse(fmt::format("shared rows are {}, wanted at least 1", shared[i]));
    if (i > 0 && shared[i - 1] % shared[i] != 0)
      refuse(fmt::format("shared rows {} after {}: the former must divide the latter", shared[i],
                         shared[i - 1]));
  }
}

void check(const Schedule& schedule, const SamplerOptions& options) {
  if (options.steps < 1 || options.steps > schedule.steps())
    refuse(fmt::format("steps is {}, the model was trained with {}: wanted 1..{}", options.steps,
                       schedule.steps(), schedule.steps()));
  check_temperature("temperature", options.temperature);
  if (options.last_temperature) check_temperature("last temperature", *options.last_temperature);
  if (!(options.remask >= 0 && options.remask <= 1))
    refuse(fmt::format("remask is {}, wanted a number in [0, 1]", options.remask));
  if (options.remask > 0 && schedule.kernel() != KernelKind::kAbsorbing)
    refuse(fmt::format("remask is {}, but a uniform kernel has no mask: wanted 0", options.remask));
  check_times(options.times, options.steps, schedule.steps());
  check_shared(options.shared, options.steps);
}

// Strata are halved and halved again: families of another size are treated as strangers.
std::uint32_t log_siblings(std::uint64_t siblings) {
  if (!std::has_single_bit(siblings)) return 0;
  return static_cast<std::uint32_t>(std::bit_width(std::min<std::uint64_t>(siblings, kStrata)) - 1);
}

// Bounded: below this every distribution is an argmax, and 0 * infinity would be NaN.
double bounded_inverse(double temperature) { return std::min(1 / temperature, 1e30); }

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
  Impl(const DiffusionConfig& diffusion, const SamplerOptions& options)
      : schedule_(diffusion), stratified_(options.stratified) {
    check(schedule_, options);
    times_ = options.times.empty() ? time_grid(schedule_.steps(), options.steps) : options.times;
    const auto shared = [&](std::size_t i) -> std::uint64_t {
      return i < options.shared.size() ? static_cast<std::uint64_t>(options.shared[i]) : 1;
    };
    first_shared_ = shared(0);
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const bool last = i + 1 == times_.size();
      const std::int32_t to = last ? 0 : times_[i + 1];
      Jump jump;
      jump.from = times_[i];
      jump.shared = shared(i + 1);
      jump.log_siblings = log_siblings(shared(i) / jump.shared);
      jump.inverse_temperature = bounded_inverse(
          last ? options.last_temperature.value_or(options.temperature) : options.temperature);
      if (absorbing())
        jump.mask = mask_jump(schedule_, times_[i], to, options.remask);
      else
        jump.cumulative = accumulate(posterior_table(schedule_, times_[i], to));
      jumps_.push_back(jump);
    }
  }

  const std::vector<std::int32_t>& times() const { return times_; }

  std::size_t rows_computed(std::size_t trajectories) const {
    std::size_t rows = (trajectories + first_shared_ - 1) / first_shared_;
    for (std::size_t i = 0; i + 1 < jumps_.size(); ++i)
      rows += (trajectories + jumps_[i].shared - 1) / jumps_[i].shared;
    return rows;
  }

  std::size_t family() const { return jumps_.size() > 1 ? jumps_.front().shared : first_shared_; }

  void start(std::uint64_t key, std::uint64_t first_trajectory, std::size_t length,
             std::span<std::uint8_t> tags) const {
    if (absorbing()) {
      std::fill(tags.begin(), tags.end(), kMask);
      return;
    }
    const std::size_t rows = tags.size() / length;
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint8_t* states = tags.data() + row * length;
      if (copy_shared(first_shared_, first_trajectory, row, length, tags)) continue;
      for_each_uniform(source(key, first_trajectory + row, first_shared_, 0, 0), length,
                       [&](std::size_t position, double uniform) {
                         states[position] = static_cast<std::uint8_t>(uniform * kNumTags);
                       });
    }
  }

  void jump(std::size_t time_index, std::uint64_t key, std::uint64_t first_trajectory,
            std::size_t length, std::span<const float> logits,
            std::span<const std::uint32_t> slot_of_row, std::span<std::uint8_t> tags) const {
    const Jump& jump = jumps_[time_index];
    for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
      if (copy_shared(jump.shared, first_trajectory, row, length, tags)) continue;
      const NoiseSource noise = source(key, first_trajectory + row, jump.shared,
                                       static_cast<std::uint32_t>(jump.from), jump.log_siblings);
      jump_row(jump, noise, logits.data() + slot_of_row[row] * length * kNumTags,
               tags.subspan(row * length, length));
    }
  }

 private:
  bool absorbing() const { return schedule_.kernel() == KernelKind::kAbsorbing; }

  // The first of the trajectories that are one row lends its numbers to all of them.
  NoiseSource source(std::uint64_t key, std::uint64_t trajectory, std::uint64_t shared,
                     std::uint32_t step, std::uint32_t siblings) const {
    const std::uint64_t index = trajectory / shared;
    return {key, index * shared, index, step, stratified_, siblings};
  }

  // True where the row before this one has the same numbers: its states are taken over.
  static bool copy_shared(std::uint64_t shared, std::uint64_t first_trajectory, std::size_t row,
                          std::size_t length, std::span<std::uint8_t> tags) {
    if (row == 0 || (first_trajectory + row) % shared == 0) return false;
    std::copy_n(tags.data() + (row - 1) * length, length, tags.data() + row * length);
    return true;
  }

  void jump_row(const Jump& jump, const NoiseSource& noise, const float* logits,
                std::span<std::uint8_t> row) const {
    const bool masks = absorbing();
    for_each_uniform(noise, row.size(), [&](std::size_t position, double uniform) {
      std::uint8_t& state = row[position];
      if (masks && state != kMask) {
        if (uniform < jump.mask.remask) state = kMask;
        return;
      }
      double weights[kNumTags];
      softmax_weights(logits + position * kNumTags, jump.inverse_temperature, weights);
      state = masks ? draw_unmask(jump.mask.unmask, weights, uniform)
                    : draw_uniform_kernel(jump.cumulative, state, weights, uniform);
    });
  }

  Schedule schedule_;
  bool stratified_;
  std::uint64_t first_shared_ = 1;
  std::vector<std::int32_t> times_;
  std::vector<Jump> jumps_;
};

Sampler::Sampler(const DiffusionConfig& diffusion, const SamplerOptions& options)
    : impl_(std::make_unique<const Impl>(diffusion, options)) {}
Sampler::~Sampler() = default;

std::span<const std::int32_t> Sampler::times() const { return impl_->times(); }

std::size_t Sampler::rows_computed(std::size_t trajectories) const {
  return impl_->rows_computed(trajectories);
}

std::size_t Sampler::family() const { return impl_->family(); }

void Sampler::start(std::uint64_t key, std::uint64_t first_trajectory, std::size_t length,
                    std::span<std::uint8_t> tags) const {
  impl_->start(key, first_trajectory, length, tags);
}

void Sampler::jump(std::size_t time_index, std::uint64_t key, std::uint64_t first_trajectory,
                   std::size_t length, std::span<const float> logits,
                   std::span<const std::uint32_t> slot_of_row, std::span<std::uint8_t> tags) const {
  impl_->jump(time_index, key, first_trajectory, length, logits, slot_of_row, tags);
}

void Sampler::sample(Predictor& predictor, std::uint64_t key, std::uint64_t first_trajectory,
                     std::size_t rows, std::size_t length, std::span<std::uint8_t> tags) const {
  DIFFIE_ASSERT(length == 0 ? tags.empty()
                            : tags.size() % length == 0 && tags.size() / length == rows);
  if (tags.empty()) return;
  start(key, first_trajectory, length, tags);
  std::vector<float> logits(tags.size() * kNumTags);
  std::vector<std::uint32_t> slots(rows);
  std::iota(slots.begin(), slots.end(), 0u);
  for (std::size_t i = 0; i < times().size(); ++i) {
    predictor.predict(tags, rows, length, times()[i], logits);
    jump(i, key, first_trajectory, length, logits, slots, tags);
  }
}

}  // namespace diffie::diffusion

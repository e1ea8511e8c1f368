#include "diffusion/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/assert.h"
#include "base/divide_up.h"
#include "base/field_error.h"
#include "diffusion/schedule.h"

namespace diffie::diffusion {
namespace {

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

[[noreturn]] void refuse(const char* setting, const std::string& what) {
  throw base::FieldError(ErrorCode::kInvalidArgument, setting, "sampler: " + what);
}

void check(const Schedule& schedule, const Settings& settings) {
  settings.validate();
  if (settings.steps > schedule.steps())
    refuse("steps", fmt::format("steps is {}, the model was trained with {}: wanted 1..{}",
                                settings.steps, schedule.steps(), schedule.steps()));
  if (!settings.times.empty() && settings.times.front() > schedule.steps())
    refuse("times", fmt::format("times begin with {}, the model was trained with {} steps",
                                settings.times.front(), schedule.steps()));
  if (settings.remask > 0 && schedule.kernel() != KernelKind::kAbsorbing)
    refuse("remask", fmt::format("remask is {}, but a uniform kernel has no mask: wanted 0",
                                 settings.remask));
}

// Strata are halved and halved again: families of another size are treated as strangers.
std::uint32_t log_siblings(std::uint64_t siblings) {
  if (!std::has_single_bit(siblings)) return 0;
  return static_cast<std::uint32_t>(std::bit_width(std::min<std::uint64_t>(siblings, kStrata)) - 1);
}

// Bounded: below this every distribution is an argmax, and 0 * infinity would be NaN.
double bounded_inverse(double temperature) { return std::min(1 / temperature, 1e30); }

// True where the row before this one has the same numbers: its states are taken over.
bool copy_shared(std::uint64_t shared, std::size_t row, const SampleBlock& block) {
  if (row == 0 || (block.first_trajectory + row) % shared == 0) return false;
  std::copy_n(block.tags.data() + (row - 1) * block.length, block.length,
              block.tags.data() + row * block.length);
  return true;
}

}  // namespace

Sampler::Sampler(const DiffusionConfig& diffusion, const Settings& settings) {
  const Schedule schedule(diffusion);
  check(schedule, settings);
  chain_.law = {schedule.kernel() == KernelKind::kAbsorbing, settings.stratified,
                bounded_inverse(settings.temperature)};
  times_ = settings.times.empty() ? time_grid(schedule.steps(), settings.steps) : settings.times;
  const auto shared = [&](std::size_t i) -> std::uint64_t {
    return i < settings.shared.size() ? static_cast<std::uint64_t>(settings.shared[i]) : 1;
  };
  chain_.first_shared = shared(0);
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const std::int32_t to = i + 1 == times_.size() ? 0 : times_[i + 1];
    Jump jump;
    jump.from = times_[i];
    jump.shared = shared(i + 1);
    jump.log_siblings = log_siblings(shared(i) / jump.shared);
    if (chain_.law.absorbing)
      jump.mask = mask_jump(schedule, times_[i], to, settings.remask);
    else
      jump.cumulative = accumulate(posterior_table(schedule, times_[i], to));
    chain_.jumps.push_back(jump);
  }
}

std::size_t Sampler::rows_computed(std::size_t trajectories) const {
  std::size_t rows = base::divide_up(trajectories, chain_.first_shared);
  for (std::size_t i = 0; i + 1 < chain_.jumps.size(); ++i)
    rows += base::divide_up(trajectories, chain_.jumps[i].shared);
  return rows;
}

void Sampler::sample(std::span<const SampleBlock> blocks, Predictor& predictor,
                     Prediction& prediction) const {
  for (const SampleBlock& block : blocks) {
    DIFFIE_ASSERT(block.length > 0 && block.tags.size() % block.length == 0);
    start(block);
  }
  for (const Jump& each : chain_.jumps) {
    predictor.predict(blocks, each.from, prediction);
    std::size_t first_row = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      jump(each, blocks[i], prediction.logits.data() + prediction.logits_begin[i],
           std::span(prediction.slot_of_row).subspan(first_row, blocks[i].rows()));
      first_row += blocks[i].rows();
    }
  }
}

// The initial noise of the rows.
void Sampler::start(const SampleBlock& block) const {
  const std::uint64_t shared = chain_.first_shared;
  for (std::size_t row = 0; row < block.rows(); ++row) {
    std::uint8_t* states = block.tags.data() + row * block.length;
    if (copy_shared(shared, row, block)) continue;
    for_each_uniform(noise_of(chain_.law, block.key, block.first_trajectory + row, shared, 0, 0),
                     block.length, [&](std::size_t position, double uniform) {
                       states[position] = initial_state(chain_.law, uniform);
                     });
  }
}

void Sampler::jump(const Jump& jump, const SampleBlock& block, const float* logits,
                   std::span<const std::uint32_t> slot_of_row) const {
  for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
    if (copy_shared(jump.shared, row, block)) continue;
    const NoiseSource noise =
        noise_of(chain_.law, block.key, block.first_trajectory + row, jump.shared,
                 static_cast<std::uint32_t>(jump.from), jump.log_siblings);
    jump_row(jump, noise, logits + slot_of_row[row] * block.length * kNumTags,
             block.tags.subspan(row * block.length, block.length));
  }
}

void Sampler::jump_row(const Jump& jump, const NoiseSource& noise, const float* logits,
                       std::span<std::uint8_t> row) const {
  for_each_uniform(noise, row.size(), [&](std::size_t position, double uniform) {
    row[position] =
        next_state(chain_.law, jump, row[position], logits + position * kNumTags, uniform);
  });
}

}  // namespace diffie::diffusion

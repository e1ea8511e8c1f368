#include "train/device_sampler.h"

#include <fmt/format.h>

#include <algorithm>

#include "diffie/error.h"
#include "diffusion/posterior.h"
#include "diffusion/sampler.h"
#include "train/batch_plan.h"

namespace diffie::train {
namespace {

using torch::Tensor;

constexpr std::uint64_t kSampleStream = 3;
constexpr std::int64_t kTags = diffusion::kNumTags;
// Below this every distribution is its likeliest tag, and fp32 has no such number to divide by.
constexpr double kLowestTemperature = 1e-30;

bool is_tagger(const TorchModel& model) { return model.config().objective == Objective::kTagger; }

void check(const TorchModel& model, const Settings& settings) {
  settings.validate();
  const auto wanted = [](bool condition, std::string_view message) {
    if (!condition) {
      throw Error(ErrorCode::kInvalidArgument, fmt::format("device sampler: {}", message));
    }
  };
  wanted(std::ranges::all_of(settings.shared, [](std::int32_t rows) { return rows == 1; }),
         "shared is given, but its rows are drawn independently");
  wanted(!settings.stratified, "stratified is on, but its rows are drawn independently");
  if (!is_tagger(model)) return;
  wanted(settings.times.empty(), "times are given, but a tagger has none");
  wanted(settings.temperature == 1,
         fmt::format("temperature is {}, a tagger takes 1 alone", settings.temperature));
  wanted(settings.remask == 0, fmt::format("remask is {}, a tagger has no mask", settings.remask));
}

// p [n, 4] not necessarily normalised -> index [n] drawn by inversion. Sums written out: the
// GPU's cumsum is not deterministic.
Tensor draw(const Tensor& p) {
  const Tensor one = p.select(1, 0);
  const Tensor two = one + p.select(1, 1);
  const Tensor three = two + p.select(1, 2);
  const Tensor u = at::rand(one.sizes(), p.options()) * (three + p.select(1, 3));
  return u.ge(one).to(torch::kInt64) + u.ge(two) + u.ge(three);
}

// One reverse jump for all places at once: tags [n], p0 [n, 4] = p(y_0).
class Jump {
 public:
  Jump(const diffusion::Schedule& schedule, std::int32_t t, std::int32_t u, double remask,
       torch::Device device) {
    if (schedule.kernel() == diffusion::KernelKind::kAbsorbing) {
      mask_ = diffusion::mask_jump(schedule, t, u, remask);
      return;
    }
    const diffusion::PosteriorTable table = diffusion::posterior_table(schedule, t, u);
    std::vector<float> flat;
    for (const auto& from : table) {
      for (const auto& clean : from) flat.insert(flat.end(), clean.begin(), clean.end());
    }
    table_ = torch::tensor(flat).view({kTags, kTags * kTags}).to(device);
  }

  Tensor operator()(const Tensor& tags, const Tensor& p0) const {
    if (table_.defined()) {
      const Tensor q = table_.index_select(0, tags).view({-1, kTags, kTags});
      return draw((p0.unsqueeze(2) * q).sum(1));
    }
    const Tensor masked = tags.eq(diffusion::kMask);
    const Tensor u = at::rand(tags.sizes(), p0.options());
    const Tensor decided = at::where(masked.logical_and(u < mask_.unmask), draw(p0), tags);
    if (mask_.remask == 0) return decided;
    const Tensor again = masked.logical_not().logical_and(u < mask_.remask);
    return decided.masked_fill(again, diffusion::kMask);
  }

 private:
  Tensor table_;
  diffusion::MaskJump mask_;
};

Tensor sample_diffusion(const TorchModel& model, std::span<const Pieces> sentences,
                        const Settings& settings) {
  const diffusion::Schedule schedule(model.config().diffusion);
  const diffusion::Sampler sampler(model.config().diffusion, settings);
  const TorchModel::Context context = model.context(sentences);
  const std::int64_t count = context.valid.size(0), length = context.valid.size(1);
  const std::int64_t samples = settings.samples, rows = count * samples;
  const std::int64_t hidden = context.projected.size(2);
  const Tensor projected = context.projected.unsqueeze(1)
                               .expand({count, samples, length, hidden})
                               .reshape({rows, length, hidden});
  const Tensor valid =
      context.valid.unsqueeze(1).expand({count, samples, length}).reshape({rows, length});

  const auto integers = valid.options().dtype(torch::kInt64);
  const bool absorbing = schedule.kernel() == diffusion::KernelKind::kAbsorbing;
  Tensor tags = absorbing ? at::full({rows * length}, diffusion::kMask, integers)
                          : at::randint(0, kTags, {rows * length}, integers);
  const double temperature = std::max(settings.temperature, kLowestTemperature);
  const std::span<const std::int32_t> times = sampler.times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::int32_t next = i + 1 < times.size() ? times[i + 1] : 0;
    const Tensor logits = model.denoiser().forward(projected, tags.view({rows, length}),
                                                   at::full({rows}, times[i], integers), valid, {});
    const Tensor p0 = at::softmax(logits.view({-1, kTags}) / temperature, -1);
    tags = Jump(schedule, times[i], next, settings.remask, model.device())(tags, p0);
  }
  return tags.view({count, samples, length}).to(torch::kUInt8);
}

Tensor sample_tagger(const TorchModel& model, std::span<const Pieces> sentences,
                     std::int64_t samples) {
  std::vector<Pieces> repeated;
  for (const Pieces& sentence : sentences) {
    repeated.insert(repeated.end(), static_cast<std::size_t>(samples), sentence);
  }
  const Tensor tags = model.tagger_pass(repeated).argmax(-1).to(torch::kUInt8);
  return tags.view({static_cast<std::int64_t>(sentences.size()), samples, tags.size(1)});
}

std::size_t tokens_at_once(const TorchModel& model) {
  if (!model.device().is_cuda()) return 16384;
  return is_tagger(model) ? 131072 : 655360;
}

}  // namespace

std::vector<std::size_t> group_by_tokens(std::span<const std::size_t> lengths, std::size_t samples,
                                         std::size_t max_tokens) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::size_t tokens = (i + 1 - begin) * samples * ((lengths[i] + 7) / 8 * 8);
    if (i > begin && tokens > max_tokens) {
      ends.push_back(i);
      begin = i;
    }
  }
  if (!lengths.empty()) ends.push_back(lengths.size());
  return ends;
}

std::vector<std::vector<std::uint8_t>> sample_on_device(const TorchModel& model,
                                                        std::span<const Pieces> sentences,
                                                        const Settings& settings) {
  check(model, settings);
  const torch::NoGradGuard no_grad;
  std::vector<std::size_t> order(sentences.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sentences[a].size() < sentences[b].size();
  });
  std::vector<std::size_t> lengths;
  for (const std::size_t i : order) lengths.push_back(sentences[i].size());

  std::vector<std::vector<std::uint8_t>> tags(sentences.size());
  std::size_t begin = 0;
  for (const std::size_t end : group_by_tokens(lengths, static_cast<std::size_t>(settings.samples),
                                               tokens_at_once(model))) {
    std::vector<Pieces> group;
    for (std::size_t i = begin; i < end; ++i) group.push_back(sentences[order[i]]);
    torch::manual_seed(mix_seed(settings.seed, kSampleStream, begin));
    const Tensor drawn = (is_tagger(model) ? sample_tagger(model, group, settings.samples)
                                           : sample_diffusion(model, group, settings))
                             .to(torch::kCPU);
    for (std::size_t i = begin; i < end; ++i) {
      const auto length = static_cast<std::int64_t>(lengths[i]);
      const Tensor rows =
          drawn.select(0, static_cast<std::int64_t>(i - begin)).narrow(1, 0, length).contiguous();
      const std::uint8_t* bytes = rows.data_ptr<std::uint8_t>();
      tags[order[i]].assign(bytes, bytes + rows.numel());
    }
    begin = end;
  }
  return tags;
}

}  // namespace diffie::train

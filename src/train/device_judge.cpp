#include "train/device_judge.h"

#include <algorithm>

namespace diffie::train {
namespace {

constexpr std::int64_t kTokensAtOnce = 400'000;

}  // namespace

void JudgedRows::add(std::size_t sentence, std::span<const std::uint8_t> piece_tags) {
  sentences_.push_back(static_cast<std::int64_t>(sentence));
  tags_.insert(tags_.end(), piece_tags.begin(), piece_tags.end());
  tags_.resize(sentences_.size() * length_, 0);
}

std::vector<model::Judgement> JudgedRows::judge(const TorchModel& model,
                                                const TorchModel::Context& context) {
  const torch::NoGradGuard no_grad;
  const auto rows = static_cast<std::int64_t>(size());
  const auto length = static_cast<std::int64_t>(length_);
  const auto device = context.valid.device();
  std::vector<model::Judgement> judgements;
  for (std::int64_t begin = 0, count = 0; begin < rows; begin += count) {
    count = std::min(rows - begin, std::max<std::int64_t>(1, kTokensAtOnce / length));
    const torch::Tensor sentences =
        torch::from_blob(sentences_.data() + begin, {count}, torch::kInt64).to(device);
    const torch::Tensor tags =
        torch::from_blob(tags_.data() + begin * length, {count, length}, torch::kUInt8)
            .to(device, torch::kInt64);
    const torch::Tensor shares =
        at::sigmoid(model.judge()->forward(context.judged.index_select(0, sentences), tags,
                                           context.valid.index_select(0, sentences), {}))
            .to(torch::kCPU)
            .contiguous();
    for (std::int64_t row = 0; row < count; ++row) {
      const float* share = shares.data_ptr<float>() + 2 * row;
      judgements.push_back({share[0], share[1]});
    }
  }
  return judgements;
}

}  // namespace diffie::train

#include "train/device_data.h"

#include <algorithm>

namespace diffie::train {
namespace {

using torch::Tensor;

template <typename T>
Tensor upload(const std::vector<T>& values, torch::ScalarType type, torch::Device device) {
  const auto size = static_cast<std::int64_t>(values.size());
  const Tensor view =
      torch::from_blob(const_cast<T*>(values.data()), {size}, c10::CppTypeToScalarType<T>::value);
  return view.to(type).clone().to(device);
}

// Places beside the pieces: [CLS] and [SEP], and on a GPU enough to keep the length a multiple
// of 8.
std::int64_t encoder_extra(torch::Device device) { return device.is_cuda() ? 8 : 2; }

struct Gathered {
  Tensor values, valid;
};

// Rows [offsets[row], offsets[row + 1]) of `values`, padded to `length` with 0.
Gathered gather_rows(const Tensor& values, const Tensor& offsets, const Tensor& rows,
                     std::int64_t length) {
  const Tensor begin = offsets.index_select(0, rows).unsqueeze(1);
  const Tensor end = offsets.index_select(0, rows + 1).unsqueeze(1);
  const Tensor index = begin + at::arange(length, rows.options()).unsqueeze(0);
  const Tensor valid = index < end;
  const Tensor safe = index.clamp_max(values.size(0) - 1);
  const Tensor gathered = values.index_select(0, safe.flatten()).view(index.sizes());
  return {gathered * valid, valid};
}

// A number of rows that the GPU sees again soon (StepGraphs records each shape); no slot names the
// rows that are added.
Tensor repeat_last(const Tensor& rows, std::int64_t size) {
  if (rows.size(0) == size) return rows;
  return at::cat({rows, rows.narrow(0, rows.size(0) - 1, 1).expand({size - rows.size(0)})});
}

}  // namespace

std::int64_t padded_length(std::int64_t length, torch::Device device) {
  return device.is_cuda() ? (length + 7) / 8 * 8 : length;
}

DeviceData::DeviceData(const TrainingSet& set, std::int32_t cls_id, std::int32_t sep_id,
                       torch::Device device)
    : device_(device) {
  std::vector<std::int32_t> pieces;
  std::vector<std::int64_t> offsets = {0};
  for (std::size_t sentence = 0; sentence < set.num_sentences(); ++sentence) {
    pieces.push_back(cls_id);
    pieces.insert(pieces.end(), set.piece_ids.begin() + set.sentence_offsets[sentence],
                  set.piece_ids.begin() + set.sentence_offsets[sentence + 1]);
    pieces.push_back(sep_id);
    offsets.push_back(static_cast<std::int64_t>(pieces.size()));
  }
  pieces_ = upload(pieces, torch::kInt64, device);
  sentence_offsets_ = upload(offsets, torch::kInt64, device);
  tags_ = upload(set.tags, torch::kInt64, device);
  instance_offsets_ = upload(set.instance_offsets, torch::kInt64, device);
  instance_weight_ = upload(set.instance_weight, torch::kFloat32, device);
  std::vector<float> judgement = set.instance_judgement;
  judgement.resize(2 * set.num_instances(), -1.0f);
  instance_judgement_ = upload(judgement, torch::kFloat32, device).view({-1, 2});
}

void DeviceData::load_epoch(const BatchPlan& plan) {
  epoch_instances_ = upload(plan.instances, torch::kInt64, device_);
  epoch_sentences_ = upload(plan.sentences, torch::kInt64, device_);
  epoch_slots_ = upload(plan.slots, torch::kInt64, device_);
  batches_ = plan.batches;
}

Batch DeviceData::batch(std::size_t index) const {
  const BatchPlan::Batch& plan = batches_[index];
  const std::int64_t length = padded_length(plan.max_length, device_);
  const Tensor sentences =
      repeat_last(epoch_sentences_.narrow(0, plan.first_sentence, plan.num_sentences),
                  padded_length(plan.num_sentences, device_));
  const Tensor instances = epoch_instances_.narrow(0, plan.first_instance, plan.num_instances);
  const Gathered pieces =
      gather_rows(pieces_, sentence_offsets_, sentences, length + encoder_extra(device_));
  const Gathered tags = gather_rows(tags_, instance_offsets_, instances, length);
  return {pieces.values,
          pieces.valid,
          epoch_slots_.narrow(0, plan.first_instance, plan.num_instances),
          tags.values,
          tags.valid,
          instance_weight_.index_select(0, instances),
          instance_judgement_.index_select(0, instances)};
}

EncoderInput pad_sentences(std::span<const std::span<const std::int32_t>> sentences,
                           std::int32_t cls_id, std::int32_t sep_id, torch::Device device) {
  std::int64_t longest = 1;
  for (const auto& sentence : sentences) {
    longest = std::max(longest, static_cast<std::int64_t>(sentence.size()));
  }
  const auto rows = static_cast<std::int64_t>(sentences.size());
  const std::int64_t length = padded_length(longest, device) + encoder_extra(device);
  Tensor ids = torch::zeros({rows, length}, torch::kInt64);
  Tensor valid = torch::zeros({rows, length}, torch::kBool);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto& sentence = sentences[static_cast<std::size_t>(row)];
    std::int64_t* out = ids.data_ptr<std::int64_t>() + row * length;
    *out++ = cls_id;
    out = std::copy(sentence.begin(), sentence.end(), out);
    *out = sep_id;
    bool* mask = valid.data_ptr<bool>() + row * length;
    std::fill(mask, mask + sentence.size() + 2, true);
  }
  return {ids.to(device), valid.to(device)};
}

Tensor piece_states(const Tensor& states, std::int64_t length) {
  return states.narrow(1, 1, length);
}

}  // namespace diffie::train

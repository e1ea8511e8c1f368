#include "train/device_decoder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "extract/role_letters.h"
#include "train/device_judge.h"

namespace diffie::train {
namespace {

using torch::Tensor;

constexpr std::size_t kSentencesAtOnce = 512;
constexpr std::int64_t kTokensAtOnce = 400'000;  // of rows in one pass

// Block i is sentence i of the context.
class DevicePredictor final : public diffusion::Predictor {
 public:
  DevicePredictor(const TorchDenoiser& denoiser, TorchModel::Context context)
      : denoiser_(denoiser), context_(std::move(context)) {}

  void predict(std::span<const diffusion::SampleBlock> blocks, std::int32_t step,
               diffusion::Prediction& prediction) override {
    lay_out(blocks, prediction);
    const auto rows = static_cast<std::int64_t>(sentence_of_row_.size());
    const std::int64_t length = context_.valid.size(1);
    for (std::int64_t begin = 0, count = 0; begin < rows; begin += count) {
      count = std::min(rows - begin, std::max<std::int64_t>(1, kTokensAtOnce / length));
      const Tensor logits = ask(begin, count, step);
      for (std::int64_t row = 0; row < count; ++row) {
        const auto at = static_cast<std::size_t>(begin + row);
        std::memcpy(prediction.logits.data() + logits_at_[at],
                    logits.data_ptr<float>() + row * length * diffusion::kNumTags,
                    blocks[static_cast<std::size_t>(sentence_of_row_[at])].length *
                        diffusion::kNumTags * sizeof(float));
      }
    }
  }

 private:
  void lay_out(std::span<const diffusion::SampleBlock> blocks, diffusion::Prediction& prediction) {
    const auto padded = static_cast<std::size_t>(context_.valid.size(1));
    sentence_of_row_.clear();
    logits_at_.clear();
    states_.clear();
    prediction.logits_begin.clear();
    prediction.slot_of_row.clear();
    std::size_t size = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      prediction.logits_begin.push_back(size);
      for (std::size_t row = 0; row < blocks[i].rows(); ++row) {
        const auto states = blocks[i].tags.subspan(row * blocks[i].length, blocks[i].length);
        prediction.slot_of_row.push_back(static_cast<std::uint32_t>(row));
        sentence_of_row_.push_back(static_cast<std::int64_t>(i));
        logits_at_.push_back(size);
        states_.insert(states_.end(), states.begin(), states.end());
        states_.resize(states_.size() + padded - blocks[i].length, 0);
        size += blocks[i].length * diffusion::kNumTags;
      }
    }
    prediction.logits.resize(size);
  }

  Tensor ask(std::int64_t begin, std::int64_t count, std::int32_t step) {
    const std::int64_t length = context_.valid.size(1);
    const auto device = context_.valid.device();
    const Tensor sentences =
        torch::from_blob(sentence_of_row_.data() + begin, {count}, torch::kInt64).to(device);
    const Tensor states =
        torch::from_blob(states_.data() + begin * length, {count, length}, torch::kUInt8)
            .to(device, torch::kInt64);
    return denoiser_
        .forward(context_.projected.index_select(0, sentences), states,
                 at::full({count}, step, states.options()),
                 context_.valid.index_select(0, sentences), {})
        .to(torch::kCPU, torch::kFloat32)
        .contiguous();
  }

  const TorchDenoiser& denoiser_;
  TorchModel::Context context_;
  std::vector<std::int64_t> sentence_of_row_;
  std::vector<std::size_t> logits_at_;
  std::vector<std::uint8_t> states_;  // [rows, padded length]
};

// group, pools: of the context's sentences.
void judge_pools(const TorchModel& model, const TorchModel::Context& context,
                 std::span<const diffusion::AnchoredSentence> group,
                 std::span<WordTagPool* const> pools) {
  JudgedRows rows(static_cast<std::size_t>(context.valid.size(1)));
  std::vector<std::uint8_t> piece_tags;
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const WordTagCount& entry : *pools[i]) {
      piece_tags.clear();
      for (std::size_t word = 0; word < entry.tags.size(); ++word) {
        const auto tag = static_cast<std::uint8_t>(extract::role_of(entry.tags[word]));
        piece_tags.insert(piece_tags.end(), group[i].piece_counts[word], tag);
      }
      rows.add(i, piece_tags);
    }
  }
  const std::vector<model::Judgement> judgements = rows.judge(model, context);
  std::size_t next = 0;
  for (WordTagPool* pool : pools) {
    for (WordTagCount& entry : *pool) entry.judgement = judgements[next++];
  }
}

// What is missing to a whole has no triple.
void add_rest(const TextSentence& sentence, WordTagPool& pool) {
  std::uint32_t rest = diffusion::kWeightUnit;
  for (const WordTagCount& entry : pool) rest -= entry.count;
  if (rest == 0) return;
  const auto place = std::find_if(pool.begin(), pool.end(),
                                  [&](const WordTagCount& entry) { return entry.count <= rest; });
  pool.insert(place, {std::string(sentence.words.size(), 'B'), rest});
}

}  // namespace

std::vector<WordTagPool> decode_on_device(const TorchModel& model,
                                          std::span<const TextSentence> sentences,
                                          const Settings& settings) {
  const torch::NoGradGuard no_grad;
  const diffusion::AnchoredDecoder decoder(model.config().diffusion, settings);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (!sentences[i].piece_ids.empty()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sentences[a].piece_ids.size() < sentences[b].piece_ids.size();
  });

  std::vector<WordTagPool> pools(sentences.size());
  diffusion::Prediction prediction;
  for (std::size_t begin = 0; begin < order.size(); begin += kSentencesAtOnce) {
    const std::size_t end = std::min(order.size(), begin + kSentencesAtOnce);
    std::vector<Pieces> pieces;
    std::vector<diffusion::AnchoredSentence> group;
    for (std::size_t i = begin; i < end; ++i) {
      const TextSentence& sentence = sentences[order[i]];
      pieces.push_back(sentence.piece_ids);
      group.push_back({sentence.piece_counts, sentence.num_implied});
    }
    const TorchModel::Context context = model.context(pieces);
    DevicePredictor predictor(model.denoiser(), context);
    const auto decoded = decoder.decode(group, predictor, prediction);
    for (std::size_t i = begin; i < end; ++i) {
      for (const diffusion::WeightedTags& entry : decoded[i - begin]) {
        pools[order[i]].push_back({entry.tags, entry.weight});
      }
    }
    std::vector<WordTagPool*> decoded_pools;
    for (std::size_t i = begin; i < end; ++i) decoded_pools.push_back(&pools[order[i]]);
    if (model.judge() != nullptr) judge_pools(model, context, group, decoded_pools);
    for (std::size_t i = begin; i < end; ++i) add_rest(sentences[order[i]], pools[order[i]]);
  }
  return pools;
}

}  // namespace diffie::train

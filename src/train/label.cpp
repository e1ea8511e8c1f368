#include "train/label.h"

#include <fmt/format.h>

#include <algorithm>

#include "diffie/error.h"
#include "diffie/text.h"
#include "train/backend.h"
#include "train/device_judge.h"
#include "train/export.h"
#include "train/training_set.h"

namespace diffie::train {
namespace {

constexpr std::size_t kSentencesAtOnce = 256;

// Instances by sentence, sentences by length.
class Labeller {
 public:
  Labeller(const TrainingSet& set, std::size_t from_sentence)
      : set_(set), instances_(set.num_sentences()), judgements_(set.num_instances()) {
    for (std::size_t i = 0; i < set.num_instances(); ++i) {
      const auto sentence = static_cast<std::size_t>(set.instance_sentence[i]);
      const bool is_judged = !set.instance_judgement.empty() && set.instance_judgement[2 * i] >= 0;
      if (sentence >= from_sentence && !is_judged) instances_[sentence].push_back(i);
    }
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!instances_[i].empty()) order_.push_back(i);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return set_.pieces(a).size() < set_.pieces(b).size();
    });
  }

  // Adds what one model says.
  void ask(const TorchModel& model) {
    for (std::size_t begin = 0; begin < order_.size(); begin += kSentencesAtOnce) {
      const std::size_t end = std::min(order_.size(), begin + kSentencesAtOnce);
      std::vector<Pieces> pieces;
      for (std::size_t i = begin; i < end; ++i) pieces.push_back(set_.pieces(order_[i]));
      const TorchModel::Context context = model.context(pieces);
      JudgedRows rows(static_cast<std::size_t>(context.valid.size(1)));
      std::vector<std::size_t> asked;
      for (std::size_t i = begin; i < end; ++i) {
        for (const std::size_t instance : instances_[order_[i]]) {
          rows.add(i - begin, set_.instance_tags(instance));
          asked.push_back(instance);
        }
      }
      const std::vector<model::Judgement> said = rows.judge(model, context);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        judgements_[asked[i]].exact += said[i].exact;
        judgements_[asked[i]].lenient += said[i].lenient;
      }
    }
  }

  LabelResult write_into(TrainingSet& set, std::size_t num_models) const {
    set.instance_judgement.resize(2 * set.num_instances(), -1.0f);
    LabelResult result;
    const auto mean = [&](float sum) {
      return std::clamp(sum / static_cast<float>(num_models), 0.0f, 1.0f);
    };
    for (const std::size_t sentence : order_) {
      for (const std::size_t i : instances_[sentence]) {
        set.instance_judgement[2 * i] = mean(judgements_[i].exact);
        set.instance_judgement[2 * i + 1] = mean(judgements_[i].lenient);
        result.mean_exact += set.instance_judgement[2 * i];
        ++result.instances;
      }
    }
    result.mean_exact /= static_cast<double>(std::max<std::size_t>(1, result.instances));
    return result;
  }

 private:
  const TrainingSet& set_;
  std::vector<std::vector<std::size_t>> instances_;  // per sentence, those to judge
  std::vector<model::Judgement> judgements_;         // per instance, sums
  std::vector<std::size_t> order_;
};

}  // namespace

LabelResult label_instances(const LabelOptions& options) {
  prepare_backend(/*deterministic=*/true);
  const torch::Device device = choose_device(options.device);
  TrainingSet set = data::read_training_file(options.data);
  Labeller labeller(set, options.from_sentence);
  for (const std::filesystem::path& dir : options.models) {
    const LoadedModel loaded = load_model(dir);
    if (!has_judge(loaded.config)) {
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: has no judge", dir.string()));
    }
    const Tokenizer tokenizer = Tokenizer::from_vocab_file(dir / "vocab.txt");
    labeller.ask(TorchModel(loaded.config,
                            inference_params(loaded.params, device, device.is_cuda()),
                            tokenizer.cls_id(), tokenizer.sep_id()));
  }
  const LabelResult result = labeller.write_into(set, options.models.size());
  data::write_training_file(options.out, set);
  return result;
}

}  // namespace diffie::train

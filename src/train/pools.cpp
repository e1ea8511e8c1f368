#include "train/pools.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "train/backend.h"
#include "train/batch_plan.h"
#include "train/dev_set.h"
#include "train/device_decoder.h"
#include "train/device_sampler.h"
#include "train/export.h"

namespace diffie::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlock = 4096;  // sentences whose samples are held at once

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double rounded(float share) { return std::round(static_cast<double>(share) * 1e5) / 1e5; }

std::string to_json_line(const TextSentence& sentence, const WordTagPool& pool) {
  nlohmann::ordered_json line;
  line["sentence"] = sentence.text;
  line["words"] = sentence.words;
  if (sentence.num_implied > 0) line["implied"] = sentence.num_implied;
  line["pool"] = nlohmann::ordered_json::array();
  for (const WordTagCount& entry : pool) {
    nlohmann::ordered_json item = {entry.tags, entry.count};
    if (entry.judgement) {
      item.push_back(rounded(entry.judgement->exact));
      item.push_back(rounded(entry.judgement->lenient));
    }
    line["pool"].push_back(std::move(item));
  }
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<WordTagPool> sample_block(const TorchModel& model,
                                      std::span<const TextSentence> sentences,
                                      const Settings& settings) {
  if (is_anchored(model.config())) return decode_on_device(model, sentences, settings);
  std::vector<Pieces> pieces;
  for (const TextSentence& sentence : sentences) pieces.push_back(sentence.piece_ids);
  const auto tags = sample_on_device(model, pieces, settings);
  std::vector<WordTagPool> pools;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    pools.push_back(pool_of_tags(sentences[i], tags[i]));
  }
  return pools;
}

}  // namespace

PoolResult sample_pools(const PoolOptions& options) {
  prepare_backend(/*deterministic=*/true);
  const Clock::time_point start = Clock::now();
  const torch::Device device = choose_device(options.device);
  const LoadedModel loaded = load_model(options.model);
  const Tokenizer tokenizer = Tokenizer::from_vocab_file(options.model / "vocab.txt");
  const TorchModel model(loaded.config,
                         inference_params(loaded.params, device, options.bf16 && device.is_cuda()),
                         tokenizer.cls_id(), tokenizer.sep_id());
  const std::vector<TextSentence> sentences = read_sentences(
      options.sentences, tokenizer,
      static_cast<std::size_t>(loaded.config.encoder.max_positions - 2), loaded.implied_words);
  Settings settings = options.settings;
  settings.steps = options.steps != 0 ? options.steps : loaded.config.diffusion.steps;

  PoolResult result;
  files::AtomicFile out(options.out);
  for (std::size_t begin = 0; begin < sentences.size(); begin += kBlock) {
    const std::size_t end = std::min(sentences.size(), begin + kBlock);
    const Clock::time_point sampling = Clock::now();
    settings.seed = mix_seed(options.settings.seed, 0, begin);
    const std::vector<WordTagPool> pools =
        sample_block(model, std::span(sentences).subspan(begin, end - begin), settings);
    result.sampling_seconds += seconds_since(sampling);
    for (std::size_t i = begin; i < end; ++i) {
      out.write(to_json_line(sentences[i], pools[i - begin]));
    }
  }
  out.commit();
  result.sentences = sentences.size();
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace diffie::train

#include "train/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "checksums/sha256.h"
#include "diffie/error.h"
#include "diffie/text.h"
#include "diffusion/sampler.h"
#include "files/read_file.h"
#include "train/backend.h"
#include "train/batch_plan.h"
#include "train/checkpoint.h"
#include "train/dev_set.h"
#include "train/device_data.h"
#include "train/device_decoder.h"
#include "train/device_sampler.h"
#include "train/export.h"
#include "train/model_card.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/revision.h"
#include "train/step_graph.h"

namespace diffie::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kStepStream = 2;
constexpr std::uint64_t kInitStream = 4;
constexpr std::uint64_t kEvalStream = 5;

ParamSet initial_params(const RunOptions& options, torch::Device device) {
  if (!options.init.empty()) {
    return load_start(options.init, options.config, options.vocab).to(device, torch::kFloat32);
  }
  const auto seed = static_cast<std::uint64_t>(options.config.seed);
  ParamSet params = random_params(options.config, mix_seed(seed, kInitStream, 0));
  if (!options.encoder.empty()) load_encoder(options.encoder, params);
  return params.to(device, torch::kFloat32);
}

std::string sha256_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> hashes;
  for (const fs::path& path : paths) hashes.push_back(checksums::sha256_of_file(path));
  return fmt::format("{}", fmt::join(hashes, " "));
}

TrainingSet read_all(const std::vector<fs::path>& paths) {
  TrainingSet set = data::read_training_file(paths.front());
  for (std::size_t i = 1; i < paths.size(); ++i) {
    data::append(set, data::read_training_file(paths[i]));
  }
  return set;
}

std::string start_name(const RunOptions& options) {
  if (!options.init.empty()) return "start from " + options.init.filename().string();
  return options.encoder.empty() ? "encoder random" : "encoder given";
}

// `out` is empty for a new run and holds a checkpoint for one that goes on.
fs::path prepare_out(const RunOptions& options) {
  const fs::path checkpoint = options.out / "checkpoint.safetensors";
  const bool used = fs::exists(options.out) && !fs::is_empty(options.out);
  if (used && !options.resume) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is not empty; --resume goes on with a run", options.out.string()));
  }
  fs::create_directories(options.out);
  return checkpoint;
}

class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        config_(options.config),
        device_(choose_device(options.device)),
        checkpoint_path_(prepare_out(options)),
        config_text_(to_toml(config_)),
        data_sha256_(sha256_of(options.data)),
        tokenizer_(Tokenizer::from_vocab_file(options.vocab)),
        set_(read_all(options.data)),
        instances_(select_instances(set_, config_)),
        data_(set_, tokenizer_.cls_id(), tokenizer_.sep_id(), device_),
        master_(initial_params(options, device_)),
        optimizer_(config_, master_),
        objective_(config_, device_),
        checkpoint_(checkpoint_path_),
        loss_sum_(torch::zeros({}, torch::TensorOptions().device(device_))) {
    steps_per_epoch_ =
        static_cast<std::int64_t>(batches_per_epoch(set_, instances_, batch_shape()));
    total_ = steps_per_epoch_ * config_.epochs;
    // Batches of whole sentences have too many shapes for recording each.
    if (config_.graphs && !config_.whole_sentences && StepGraphs::available(device_)) {
      graphs_.emplace([this](const Batch& batch) { return forward_backward(batch); });
    }
    if (!options.dev_sentences.empty() && config_.eval.every > 0) {
      const auto longest = static_cast<std::size_t>(config_.encoder.max_positions - 2);
      dev_.emplace(read_sentences(options.dev_sentences, tokenizer_, longest, implied_words(set_)),
                   options.dev_gold, config_.eval.settings);
    }
  }

  RunResult run() {
    std::int64_t step = 0;
    if (options_.resume && fs::exists(checkpoint_path_)) step = resume();
    log_.emplace(options_.out, step > 0 ? std::optional(step) : std::nullopt);
    progress_.emplace(config_.name, total_, options_.quiet);
    progress_->note(fmt::format("{}: {} instances, {} steps, {}, {}, from step {}", config_.name,
                                instances_.size(), total_, describe_device(options_.device),
                                start_name(options_), step));
    started_ = logged_at_ = Clock::now();
    std::int64_t loaded_epoch = -1;
    while (step < total_) {
      const std::int64_t epoch = step / steps_per_epoch_;
      if (epoch != loaded_epoch) load_epoch(loaded_epoch = epoch);
      train_step(step, static_cast<std::size_t>(step % steps_per_epoch_));
      ++step;
      after_step(step);
    }
    checkpoint_.wait();
    return finish();
  }

 private:
  std::int64_t resume() {
    const CheckpointInfo info =
        load_checkpoint(checkpoint_path_, config_text_, data_sha256_, master_, optimizer_);
    seconds_before_ = info.seconds;
    loss_sum_.fill_(info.loss_sum);
    loss_count_ = info.loss_count;
    return info.step;
  }

  void load_epoch(std::int64_t epoch) {
    data_.load_epoch(plan_epoch(set_, instances_, batch_shape(),
                                static_cast<std::uint64_t>(config_.seed),
                                static_cast<std::uint64_t>(epoch)));
  }
  BatchShape batch_shape() const {
    return {config_.batch_size, config_.bucket, config_.whole_sentences};
  }

  // Everything drawn in a step depends on (seed, step) alone, so a resumed run draws the same.
  void train_step(std::int64_t step, std::size_t batch) {
    const Batch data = data_.batch(batch);
    if (graphs_) graphs_->prepare(data);
    torch::manual_seed(mix_seed(static_cast<std::uint64_t>(config_.seed), kStepStream,
                                static_cast<std::uint64_t>(step)));
    loss_sum_.add_(graphs_ ? graphs_->replay(data) : forward_backward(data));
    optimizer_.step(step, total_);
    ++loss_count_;
  }

  torch::Tensor forward_backward(const Batch& batch) {
    const torch::Tensor loss =
        objective_.loss(optimizer_.compute_params(), batch, /*training=*/true);
    loss.backward();
    optimizer_.collect_gradients();
    return loss.detach();
  }

  void after_step(std::int64_t done) {
    const bool epoch_end = done % steps_per_epoch_ == 0;
    if (done % config_.log_every == 0 || done == total_) log_loss(done);
    if (epoch_end && dev_) {
      const std::int64_t epoch = done / steps_per_epoch_;
      if (epoch % config_.eval.every == 0 || done == total_) evaluate(done);
    }
    if (done % config_.checkpoint_every == 0 || done == total_) save(done);
    if (options_.after_step) options_.after_step(done);
  }

  double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
  }
  double epochs(std::int64_t done) const {
    return static_cast<double>(done) / static_cast<double>(steps_per_epoch_);
  }

  void log_loss(std::int64_t done) {
    MetricRow row;
    row.step = done;
    row.epoch = epochs(done);
    row.loss = loss_sum_.item<double>() / static_cast<double>(loss_count_);
    if (!std::isfinite(*row.loss)) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("the loss is {} at step {}: the run diverged", *row.loss, done));
    }
    row.seconds = seconds();
    row.rate = config_.rate * rate_factor(config_, done - 1, total_);
    const std::chrono::duration<double> passed = Clock::now() - logged_at_;
    const double instances_per_step =
        static_cast<double>(instances_.size()) / static_cast<double>(steps_per_epoch_);
    row.instances_per_second =
        static_cast<double>(loss_count_) * instances_per_step / std::max(1e-9, passed.count());
    loss_sum_.zero_();
    loss_count_ = 0;
    logged_at_ = Clock::now();
    log_->add(row);
    progress_->report(row);
  }

  void evaluate(std::int64_t done) {
    MetricRow row;
    row.step = done;
    row.epoch = epochs(done);
    const Clock::time_point begin = Clock::now();
    row.dev = dev_->score(dev_pools());
    eval_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    row.seconds = seconds();
    log_->add(row);
    progress_->report(row);
    logged_at_ = Clock::now();
  }

  std::vector<WordTagPool> dev_pools() const {
    const TorchModel model(
        config_,
        inference_params(optimizer_.export_params(), device_, config_.bf16 && device_.is_cuda()),
        tokenizer_.cls_id(), tokenizer_.sep_id());
    Settings settings = eval_settings(config_);
    settings.seed = mix_seed(static_cast<std::uint64_t>(config_.seed), kEvalStream, 0);
    const std::vector<TextSentence>& sentences = dev_->sentences();
    if (is_anchored(config_)) return decode_on_device(model, sentences, settings);
    if (config_.objective == Objective::kDiffusion && !config_.eval.on_device) {
      return pools_of(sentences, sample_with_engine_sampler(model, sentences, settings));
    }
    std::vector<Pieces> pieces;
    for (const TextSentence& sentence : sentences) pieces.push_back(sentence.piece_ids);
    return pools_of(sentences, sample_on_device(model, pieces, settings));
  }

  static std::vector<WordTagPool> pools_of(const std::vector<TextSentence>& sentences,
                                           const std::vector<std::vector<std::uint8_t>>& tags) {
    std::vector<WordTagPool> pools;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      pools.push_back(pool_of_tags(sentences[i], tags[i]));
    }
    return pools;
  }

  static std::vector<std::vector<std::uint8_t>> sample_with_engine_sampler(
      const TorchModel& model, const std::vector<TextSentence>& sentences,
      const Settings& settings) {
    const diffusion::Sampler sampler(model.config().diffusion, settings);
    diffusion::Prediction prediction;
    std::vector<std::vector<std::uint8_t>> tags(sentences.size());
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const TextSentence& sentence = sentences[i];
      if (sentence.piece_ids.empty()) continue;
      const std::size_t length = sentence.piece_ids.size();
      tags[i].resize(static_cast<std::size_t>(settings.samples) * length);
      const diffusion::SampleBlock block{diffusion::sentence_key(settings.seed, sentence.text), 0,
                                         length, tags[i]};
      sampler.sample({&block, 1}, *model.predictor(sentence.piece_ids), prediction);
    }
    return tags;
  }

  void save(std::int64_t done) {
    const double loss_sum = loss_sum_.item<double>();
    checkpoint_.write(master_, optimizer_,
                      {done, seconds(), loss_sum, loss_count_, config_text_, data_sha256_});
  }

  std::map<std::string, std::string> provenance() const {
    std::map<std::string, std::string> facts = {{"revision", revision()},
                                                {"data_sha256", data_sha256_},
                                                {"seed", std::to_string(config_.seed)},
                                                {"device", describe_device(options_.device)},
                                                {"torch", TORCH_VERSION}};
    if (!options_.init.empty()) {
      facts["init_sha256"] = weights_sha256(options_.init);
    } else {
      facts["encoder_sha256"] =
          options_.encoder.empty() ? "random" : checksums::sha256_of_file(options_.encoder);
    }
    return facts;
  }

  std::int64_t count_parameters() const {
    std::int64_t count = 0;
    for (const torch::Tensor& tensor : master_.tensors()) count += tensor.numel();
    return count;
  }

  RunResult finish() {
    RunResult result;
    result.steps = total_;
    result.seconds = seconds();
    result.eval_seconds = eval_seconds_;
    result.model = options_.out / "model";
    for (const MetricRow& row : log_->rows()) {
      if (row.loss) result.loss = *row.loss;
      if (row.dev) result.dev = row.dev;
    }
    RunFacts facts{instances_.size(),  set_.num_sentences(), total_,
                   count_parameters(), result.seconds,       provenance()};
    ExportContent content;
    content.provenance = facts.provenance;
    content.implied_words = implied_words(set_);
    content.vocab = files::read_text_file(options_.vocab);
    content.card = model_card(config_, facts, log_->rows());
    content.files["train.toml"] = config_text_;
    content.files["metrics.csv"] = files::read_text_file(options_.out / "metrics.csv");
    export_model(result.model, config_, optimizer_.export_params(), content);
    progress_->note(fmt::format("{}: {} steps in {}, model in {}", config_.name, total_,
                                clock_text(result.seconds), result.model.string()));
    return result;
  }

  RunOptions options_;
  TrainConfig config_;
  torch::Device device_;
  fs::path checkpoint_path_;
  std::string config_text_;
  std::string data_sha256_;
  Tokenizer tokenizer_;
  TrainingSet set_;
  std::vector<std::int32_t> instances_;
  DeviceData data_;
  ParamSet master_;
  Optimizer optimizer_;
  ObjectiveFunction objective_;
  std::optional<DevSet> dev_;
  std::optional<StepGraphs> graphs_;
  CheckpointWriter checkpoint_;
  std::optional<MetricLog> log_;
  std::optional<Progress> progress_;
  torch::Tensor loss_sum_;
  std::int64_t loss_count_ = 0;
  std::int64_t steps_per_epoch_ = 0;
  std::int64_t total_ = 0;
  double seconds_before_ = 0;
  double eval_seconds_ = 0;
  Clock::time_point started_, logged_at_;
};

}  // namespace

RunResult run_training(const RunOptions& options) {
  options.config.validate();
  if (!options.init.empty() && !options.encoder.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "init and encoder are both given; a model to start from has an encoder");
  }
  prepare_backend(options.config.deterministic);
  return Run(options).run();
}

}  // namespace diffie::train

// Values of the networks beyond fp16, as its kernels meet them: refused, not answered.
#include <set>

#include "diffie/model.h"
#include "engine/engine.h"
#include "engine/toy_model.h"
#include "expect_error.h"
#include "lab/models/model_dir_write.h"
#include "lab/models/quantize.h"
#include "need_gpu.h"
#include "temp_dir.h"

namespace diffie::cuda {
namespace {

namespace fs = std::filesystem;

// The model with some tensors a thousand times as large: each of their numbers fits fp16, what
// comes of them does not.
void enlarge(const fs::path& from, const std::set<std::string>& names, const fs::path& to) {
  const auto model = model_dir::ModelDir::open(from);
  lab::TensorStore store;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(model.config())) {
    const model_dir::TensorView& tensor = model.tensor(spec.name);
    std::vector<float> values(tensor.num_elements());
    model_dir::to_f32(tensor, nullptr, values);
    const float scale = names.contains(spec.name) ? 1000.0f : 1.0f;
    for (float& value : values) value *= scale;
    store.add(spec, values, WeightType::kF32);
  }
  const std::string vocab = test::read_file(model.vocab_path());
  lab::write_model_dir(to, {model.config(), store.views(), vocab, ""});
}

const std::string kLastNorm = "bert.encoder.layer.1.output.LayerNorm.weight";

class BeyondFp16 : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    NEED_GPU();
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.judge_layers = 1;
    init_model(dir_.path() / "toy", options);
  }
  model_dir::ModelDir larger(const std::string& network) const {
    const fs::path to = dir_.path() / network;
    enlarge(dir_.path() / "toy", {kLastNorm, network + ".context.weight"}, to);
    return model_dir::ModelDir::open(to);
  }

  test::TempDir dir_;
};

// Sentences of ten tokens, each with a row; all that a network says of them.
std::vector<float> ask(const model::Backend& backend, std::size_t sentences, bool judge) {
  constexpr std::uint32_t kTokens = 10;
  std::vector<std::int32_t> ids(sentences * (kTokens + 2));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(1000 + i % 997);
  std::vector<std::uint32_t> offsets = {0}, row_offsets = {0}, begins;
  for (std::uint32_t i = 0; i < sentences; ++i) {
    begins.push_back(offsets.back() + 1);
    offsets.push_back(offsets.back() + kTokens + 2);
    row_offsets.push_back(row_offsets.back() + kTokens);
  }
  std::vector<std::uint8_t> tags(row_offsets.back());
  for (std::size_t i = 0; i < tags.size(); ++i) tags[i] = static_cast<std::uint8_t>(i % 4);
  const auto runner = backend.make_runner(true);
  const auto context = runner->make_context();
  runner->encode(ids, offsets, *context);
  const model::RowBatch rows{row_offsets, begins};
  if (judge) {
    std::vector<model::Judgement> judgements(sentences);
    runner->judge(*context, rows, tags, judgements);
    std::vector<float> numbers;
    for (const model::Judgement& of_row : judgements) {
      numbers.push_back(of_row.exact);
      numbers.push_back(of_row.lenient);
    }
    return numbers;
  }
  std::vector<float> logits(4 * tags.size());
  runner->denoise(*context, rows, tags, 12, logits);
  return logits;
}

// By the network that goes beyond, not by the other one; in bf16 it has an answer.
void expect_refused(const model_dir::ModelDir& model, std::size_t sentences, bool judge) {
  EXPECT_ERROR(ask(*make_backend(model, model::Precision::kFp16), sentences, judge),
               ErrorCode::kUnsupported, "beyond fp16");
  EXPECT_NO_THROW(ask(*make_backend(model, model::Precision::kFp16), sentences, !judge));
  for (const float value : ask(*make_backend(model, model::Precision::kInt8), sentences, judge))
    ASSERT_TRUE(std::isfinite(value));
}

TEST_P(BeyondFp16, IsRefusedByTheDenoiser) {
  expect_refused(larger("denoiser"), GetParam(), false);
}

TEST_P(BeyondFp16, IsRefusedByTheJudge) { expect_refused(larger("judge"), GetParam(), true); }

// As recorded graphs, and as they come.
INSTANTIATE_TEST_SUITE_P(Sentences, BeyondFp16, testing::Values(3, 300));

class BeyondFp16Drawn : public testing::TestWithParam<const char*> {};

TEST_P(BeyondFp16Drawn, IsRefused) {
  NEED_GPU();
  const test::TempDir dir;
  test::init_toy_model(dir.path() / "toy", GetParam());
  enlarge(dir.path() / "toy", {kLastNorm, "denoiser.context.weight"}, dir.path() / "larger");
  const auto model = Model::load((dir.path() / "larger").string());
  const auto sample = [&](model::Precision precision) {
    Settings settings = model->settings();
    settings.samples = 500;
    settings.device = Device::kCuda;
    settings.precision = precision;
    constexpr std::string_view kSentences[] = {"Ada wrote it.", "The Danube rises in Germany ."};
    return engine::Engine(engine::ModelParts::of(*model), settings).sample(kSentences);
  };
  EXPECT_ERROR(sample(model::Precision::kFp16), ErrorCode::kUnsupported, "beyond fp16");
  EXPECT_NO_THROW(sample(model::Precision::kInt8));
}

INSTANTIATE_TEST_SUITE_P(Kernels, BeyondFp16Drawn, testing::Values("uniform", "absorbing"));

}  // namespace
}  // namespace diffie::cuda

// Several GPUs, and full ones. A GPU that stands twice in the list is two to all but the weights.
#include <gmock/gmock.h>

#include <thread>

#include "cuda/memory.h"
#include "diffie/extractor.h"
#include "diffie/model.h"
#include "engine/same_results.h"
#include "engine/toy_model.h"
#include "expect_error.h"
#include "model/dealing_backend.h"
#include "need_gpu.h"
#include "temp_dir.h"

namespace diffie {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string_view> kSentences = {
    "Ada Lovelace wrote the first published computer program for Charles Babbage's engine.",
    "The Danube rises in the Black Forest, flows through ten countries and empties into the sea.",
    "Marie and Pierre Curie discovered polonium and radium in 1898.",
    "One.",
    "Babbage never completed the machine.",
};

// As if the GPU had so much more memory, and no more.
class FullCard {
 public:
  explicit FullCard(std::size_t bytes) { cuda::limit_device_bytes(bytes); }
  ~FullCard() { cuda::limit_device_bytes(0); }
};

class GpuDevices : public testing::Test {
 protected:
  void SetUp() override {
    NEED_GPU();
    model_ = load();
    for (int copy = 0; copy < 400; ++copy)
      many_.insert(many_.end(), kSentences.begin(), kSentences.end());
  }

  static std::shared_ptr<const Model> load() {
    return Model::load(DIFFIE_SOURCE_DIR "/models/small");
  }
  Settings settings(std::vector<std::int32_t> devices, Device device = Device::kCuda) const {
    Settings settings = model_->settings("balanced");
    settings.device = device;
    settings.devices = std::move(devices);
    settings.threads = 2;
    return settings;
  }
  static void expect_same(const std::vector<SentenceResult>& results,
                          const std::vector<SentenceResult>& wanted) {
    ASSERT_EQ(results.size(), wanted.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      SCOPED_TRACE(i);
      ASSERT_FALSE(results[i].error) << results[i].error_message;
      test::expect_same(results[i], wanted[i]);
    }
  }

  void expect_the_same_on_full_cards(const std::filesystem::path& dir) {
    model_ = Model::load(dir);
    const std::size_t before = cuda::device_bytes();
    const Extractor free(model_, settings({0}));
    const std::size_t weights = cuda::device_bytes() - before;
    const std::vector<SentenceResult> wanted = free.extract(many_);
    EXPECT_THAT(free.take_notices(), IsEmpty());
    const std::size_t used = cuda::device_bytes() - before - weights;
    for (const std::size_t part : {3, 8}) {
      SCOPED_TRACE(part);
      const Extractor extractor(Model::load(dir), settings({0, 0}));
      const FullCard full(cuda::device_bytes() + used / part);
      expect_same(extractor.extract(many_), wanted);
      EXPECT_THAT(extractor.take_notices(), ElementsAre(HasSubstr("CUDA: out of memory: ")));
      expect_same(extractor.extract(many_), wanted);
      EXPECT_THAT(extractor.take_notices(), IsEmpty());
    }
  }

  std::shared_ptr<const Model> model_;
  std::vector<std::string_view> many_;
};

TEST_F(GpuDevices, TwoGiveTheSameBitsAsOne) {
  const Extractor one(model_, settings({0})), two(model_, settings({0, 0}));
  EXPECT_EQ(two.settings().devices, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(two.batch_size(), 2 * one.batch_size());
  expect_same(two.extract(many_), one.extract(many_));
  EXPECT_EQ(Extractor(model_, settings({})).settings().devices, (std::vector<std::int32_t>{0}));
}

TEST_F(GpuDevices, WeightsAreThereOnceAGpu) {
  const Extractor one(model_, settings({0}));
  const std::size_t loaded = cuda::device_bytes();
  EXPECT_GT(loaded, 5'000'000u);
  const Extractor three(model_, settings({0, 0, 0}));
  EXPECT_EQ(cuda::device_bytes(), loaded);
}

TEST_F(GpuDevices, WhatWasTakenIsGivenBack) {
  const std::size_t before = cuda::device_bytes();
  {
    const auto model = load();
    const Extractor extractor(model, settings({0, 0}));
    extractor.extract(kSentences);
    EXPECT_GT(cuda::device_bytes(), before);
  }
  EXPECT_EQ(cuda::device_bytes(), before);
}

// Two that have weights of their own, asked at the same time.
TEST_F(GpuDevices, RunnersOfAllBackendsCompute) {
  const auto dir = model_dir::ModelDir::open(DIFFIE_SOURCE_DIR "/models/small");
  const auto a = cuda::make_backend(dir, Precision::kInt8, 0);
  const auto b = cuda::make_backend(dir, Precision::kInt8, 0);
  const model::DealingBackend both({a.get(), b.get()});
  const std::vector<std::int32_t> ids = {101, 2000, 3000, 4000, 102, 101, 2500, 102};
  const std::vector<std::uint32_t> offsets = {0, 5, 8}, row_offsets = {0, 3, 6, 7};
  const std::vector<std::uint32_t> begins = {1, 1, 6};
  const std::vector<std::uint8_t> states = {4, 4, 4, 0, 4, 4, 4};
  std::vector<std::vector<float>> logits(4, std::vector<float>(states.size() * 4));
  {
    std::vector<std::jthread> threads;
    for (std::vector<float>& found : logits) {
      threads.emplace_back([&, runner = both.make_runner(true)] {
        const auto context = runner->make_context();
        for (int turn = 0; turn < 20; ++turn) {
          runner->encode(ids, offsets, *context);
          runner->denoise(*context, {row_offsets, begins}, states, 1, found);
          if (turn == 10) runner->release();  // and goes on
        }
      });
    }
  }
  EXPECT_NE(logits[0], std::vector<float>(states.size() * 4));
  for (const std::vector<float>& found : logits) EXPECT_EQ(found, logits[0]);
}

TEST_F(GpuDevices, NumbersBeyondTheGpusAreRefused) {
  const std::size_t there = cuda::num_gpus();
  for (const Device device : {Device::kCuda, Device::kAuto}) {
    EXPECT_ERROR(Extractor(model_, settings({0, static_cast<std::int32_t>(there)}, device)),
                 ErrorCode::kInvalidArgument,
                 "devices is 0," + std::to_string(there) + ", must be below " +
                     std::to_string(there) + ": there ");
  }
}

TEST_F(GpuDevices, AFullCardMakesGroupsSmallerAndChangesNothingElse) {
  expect_the_same_on_full_cards(DIFFIE_SOURCE_DIR "/models/small");
}

TEST_F(GpuDevices, SoItDoesWhereRowsAreDrawnOnIt) {
  const test::TempDir temp;
  test::init_toy_model(temp.path() / "toy", "uniform");
  expect_the_same_on_full_cards(temp.path() / "toy");
}

TEST_F(GpuDevices, WithoutAnyMemoryEachSentenceSaysSo) {
  const Extractor extractor(model_, settings({0}));
  {
    const FullCard full(cuda::device_bytes());
    for (const SentenceResult& result : extractor.extract(kSentences)) {
      EXPECT_EQ(result.error, ErrorCode::kExhausted);
      EXPECT_THAT(result.error_message, HasSubstr(" MB wanted, "));
    }
  }
  EXPECT_THAT(extractor.take_notices(), IsEmpty());
  expect_same(extractor.extract(kSentences), Extractor(model_, settings({0})).extract(kSentences));
}

TEST_F(GpuDevices, WhereTheWeightsDoNotFitAutoTakesTheCpu) {
  const std::size_t before = cuda::device_bytes();
  const FullCard full(before + 1'000'000);
  const Extractor extractor(model_, settings({0, 0}, Device::kAuto));
  EXPECT_EQ(extractor.settings().device, Device::kCpu);
  EXPECT_THAT(extractor.settings().devices, IsEmpty());
  EXPECT_THAT(extractor.take_notices(),
              ElementsAre(HasSubstr("on the CPU: CUDA: out of memory: ")));
  EXPECT_ERROR(Extractor(model_, settings({0})), ErrorCode::kExhausted,
               "device is cuda: CUDA: out of memory: ");
  EXPECT_EQ(cuda::device_bytes(), before);
}

}  // namespace
}  // namespace diffie

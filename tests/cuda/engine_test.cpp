// The engine on the GPU: the promises that it makes on the CPU.
#include <fmt/format.h>

#include <set>

#include "diffie/extractor.h"
#include "diffie/model.h"
#include "engine/same_results.h"
#include "need_gpu.h"

namespace diffie {
namespace {

const std::vector<std::string_view> kSentences = {
    "Ada Lovelace wrote the first published computer program for Charles Babbage's engine.",
    "The Danube rises in the Black Forest, flows through ten countries and empties into the sea.",
    "",
    "Marie and Pierre Curie discovered polonium and radium in 1898.",
    "One.",
    "He served as the first Prime Minister of Australia and became a founding justice of the "
    "court.",
    "Babbage never completed the machine.",
};

class GpuEngine : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    NEED_GPU();
    model_ = Model::load(std::string(DIFFIE_SOURCE_DIR "/models/") + GetParam());
  }
  Settings settings(Device device, std::int32_t threads = 2) const {
    Settings settings = model_->settings("balanced");
    settings.device = device;
    settings.threads = threads;
    return settings;
  }

  std::shared_ptr<const Model> model_;
};

TEST_P(GpuEngine, ASentenceDoesNotKnowItsCompany) {
  const Extractor extractor(model_, settings(Device::kCuda));
  std::vector<SentenceResult> alone;
  for (const std::string_view& sentence : kSentences) {
    alone.push_back(extractor.extract({&sentence, 1}).front());
  }
  std::vector<std::string_view> many;
  for (int copy = 0; copy < 200; ++copy)
    many.insert(many.end(), kSentences.begin(), kSentences.end());
  for (const std::int32_t threads : {1, 4}) {
    const auto together = Extractor(model_, settings(Device::kCuda, threads)).extract(many);
    for (std::size_t i = 0; i < many.size(); ++i) {
      SCOPED_TRACE(i);
      ASSERT_FALSE(together[i].error) << together[i].error_message;
      test::expect_same(together[i], alone[i % kSentences.size()]);
    }
  }
}

TEST_P(GpuEngine, FindsWhatTheCpuFinds) {
  const auto on_cpu = Extractor(model_, settings(Device::kCpu)).extract(kSentences);
  const auto on_gpu = Extractor(model_, settings(Device::kCuda)).extract(kSentences);
  std::size_t equal = 0, total = 0;
  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    std::set<std::string> found;
    for (const Extraction& e : on_gpu[i].extractions)
      found.insert(fmt::format("{} | {} | {}", e.subject, e.relation, e.object));
    for (const Extraction& e : on_cpu[i].extractions)
      equal += found.count(fmt::format("{} | {} | {}", e.subject, e.relation, e.object));
    total += std::max(found.size(), on_cpu[i].extractions.size());
  }
  EXPECT_GT(total, 5u);
  EXPECT_GE(static_cast<double>(equal), 0.85 * static_cast<double>(total)) << total;
}

TEST_P(GpuEngine, AutoTakesTheGpu) {
  EXPECT_EQ(Extractor(model_, settings(Device::kAuto)).settings().device, Device::kCuda);
}

INSTANTIATE_TEST_SUITE_P(Models, GpuEngine, testing::Values("small", "base"));

}  // namespace
}  // namespace diffie

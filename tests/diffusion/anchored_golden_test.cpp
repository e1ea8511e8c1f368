// Sentences and weights made by scripts/golden/make_anchored_golden.py, which shares no code with
// ours.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "diffusion/anchored_decoder.h"

namespace diffie::diffusion {
namespace {

using nlohmann::json;

std::uint64_t mix(std::uint64_t value, std::uint64_t more) {
  value = (value ^ more) * 0x9E3779B97F4A7C15;
  return value ^ value >> 29;
}

// Facts with weights, blurred by a hash, as the script has them.
class BlurredFacts final : public RowPredictor {
 public:
  explicit BlurredFacts(const json& golden) : golden_(golden) {}
  std::size_t rows_asked() const { return rows_asked_; }

 protected:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    rows_asked_ += rows;
    for (std::size_t row = 0; row < rows; ++row) {
      answer(states.subspan(row * length, length), step,
             logits.subspan(row * length * kNumTags, length * kNumTags));
    }
  }

 private:
  void answer(std::span<const std::uint8_t> states, std::int32_t stage,
              std::span<float> logits) const {
    std::uint64_t hash = mix(golden_["seed"], static_cast<std::uint64_t>(stage));
    for (const std::uint8_t state : states) hash = mix(hash, state);
    std::vector<std::uint64_t> sums(logits.size(), 0);
    for (const json& fact : golden_["facts"]) add(fact[0], fact[1], states, sums);
    const std::uint64_t blur = golden_["blur"];
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::uint64_t noise = mix(mix(hash, i / kNumTags), i % kNumTags) % blur;
      logits[i] = static_cast<float>(std::log(static_cast<double>(1 + sums[i] + noise)));
    }
  }

  static void add(std::uint64_t weight, const std::string& tags,
                  std::span<const std::uint8_t> states, std::vector<std::uint64_t>& sums) {
    std::size_t wrong = 0;
    for (std::size_t piece = 0; piece < tags.size(); ++piece) {
      wrong += states[piece] != kMask && states[piece] != tags[piece] - '0';
    }
    weight *= wrong < 4 ? 4096U >> 4 * wrong : 0;
    for (std::size_t piece = 0; piece < tags.size(); ++piece) {
      sums[piece * kNumTags + static_cast<std::size_t>(tags[piece] - '0')] += weight;
    }
  }

  const json& golden_;
  std::size_t rows_asked_ = 0;
};

TEST(AnchoredGolden, AgreesWithTheScript) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/diffusion/anchored_golden.json");
  ASSERT_TRUE(file);
  const json cases = json::parse(file);
  ASSERT_GE(cases.size(), 50u);
  for (std::size_t index = 0; index < cases.size(); ++index) {
    SCOPED_TRACE(index);
    const json& golden = cases[index];
    Settings settings;
    settings.theta = golden["theta"];
    settings.branch = golden["branch"];
    settings.refine = golden["refine"];
    const AnchoredDecoder decoder({.kernel = KernelKind::kAnchored}, settings);
    const std::vector<std::uint32_t> pieces = golden["pieces"];
    const AnchoredSentence sentence{pieces, golden["implied"]};
    BlurredFacts facts(golden);
    Prediction prediction;
    const auto found = decoder.decode({&sentence, 1}, facts, prediction).front();
    EXPECT_EQ(facts.rows_asked(), golden["rows"].get<std::size_t>());
    std::size_t expected = 0;
    for (const auto& [tags, weight] : golden["weights"].items()) {
      expected += weight.get<double>() * kWeightUnit >= 2;
    }
    EXPECT_GE(found.size(), expected);
    for (const WeightedTags& entry : found) {
      SCOPED_TRACE(entry.tags);
      ASSERT_TRUE(golden["weights"].contains(entry.tags));
      EXPECT_NEAR(entry.weight, golden["weights"][entry.tags].get<double>() * kWeightUnit, 2);
    }
  }
}

}  // namespace
}  // namespace diffie::diffusion

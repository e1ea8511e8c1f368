#include "diffusion/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace diffie::diffusion {
namespace {

using testing::ElementsAre;

// Each logit says which row of which call it is of.
class Numbered final : public RowPredictor {
 protected:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    ASSERT_EQ(states.size(), rows * length);
    ASSERT_EQ(logits.size(), rows * length * kNumTags);
    ++calls_;
    for (std::size_t i = 0; i < logits.size(); ++i)
      logits[i] = static_cast<float>(100 * step + 10 * calls_ + static_cast<int>(i / length / 4));
  }

 private:
  int calls_ = 0;
};

TEST(RowPredictor, LaysTheBlocksOutOneAfterTheOther) {
  std::vector<std::uint8_t> first(2 * 3), second(3 * 1);
  const std::vector<SampleBlock> blocks = {{0, 0, 3, first}, {0, 0, 1, second}};
  Numbered predictor;
  Prediction prediction;
  for (const int step : {1, 2}) {  // what is there is used again
    predictor.predict(blocks, step, prediction);
    EXPECT_THAT(prediction.logits_begin, ElementsAre(0, 24));
    EXPECT_THAT(prediction.slot_of_row, ElementsAre(0, 1, 0, 1, 2));
    ASSERT_EQ(prediction.logits.size(), 24u + 12);
    const float call = static_cast<float>(100 * step + 10 * (2 * step - 1));
    EXPECT_EQ(prediction.logits[0], call);
    EXPECT_EQ(prediction.logits[12], call + 1);
    EXPECT_EQ(prediction.logits[24], call + 10);
    EXPECT_EQ(prediction.logits[35], call + 12);
  }
}

}  // namespace
}  // namespace diffie::diffusion

#include "model/denoiser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "expect_error.h"
#include "golden.h"

namespace diffie::model {
namespace {

constexpr std::size_t kContext = 69;  // tokens

class DenoiserTest : public testing::Test {
 protected:
  DenoiserTest() : projected(kContext * 16) {
    const auto hidden = golden.values<float>("hidden");
    denoiser.project_context(hidden, kContext, projected, workspace);
  }

  std::vector<float> run(const std::vector<std::uint32_t>& offsets,
                         const std::vector<std::uint32_t>& begins,
                         std::span<const std::uint8_t> states, std::int32_t step = 5) {
    std::vector<float> logits(states.size() * 4);
    denoiser.forward(projected, {offsets, begins}, states, step, logits, workspace);
    return logits;
  }

  Golden golden{"uniform"};
  Denoiser denoiser{golden.dir};
  Workspace workspace;
  std::vector<float> projected;
};

// More tokens than a group holds, empty rows among them.
TEST_F(DenoiserTest, RowIsTheSameBitsInAnyBatch) {
  std::mt19937 generator(4);
  std::vector<std::uint8_t> states;
  std::vector<std::uint32_t> offsets = {0}, begins;
  while (states.size() < 900) {
    const auto length = static_cast<std::uint32_t>(generator() % 40);
    for (std::uint32_t i = 0; i < length; ++i) {
      states.push_back(static_cast<std::uint8_t>(generator() % 4));
    }
    begins.push_back(static_cast<std::uint32_t>(generator() % (kContext - length + 1)));
    offsets.push_back(static_cast<std::uint32_t>(states.size()));
  }
  const std::vector<float> together = run(offsets, begins, states);
  for (std::size_t row = 0; row < begins.size(); ++row) {
    const std::uint32_t length = offsets[row + 1] - offsets[row];
    const std::vector<float> alone =
        run({0, length}, {begins[row]}, std::span(states).subspan(offsets[row], length));
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + offsets[row] * 4))
        << "row " << row;
  }
}

// Many rows of one sentence share what depends on token and state alone; the rows before, between
// and behind them do not.
TEST_F(DenoiserTest, RowsOfOneSentenceAreTheSameBitsAsAlone) {
  std::mt19937 generator(5);
  std::vector<std::uint8_t> states;
  std::vector<std::uint32_t> offsets = {0}, begins;
  const auto add_rows = [&](std::size_t count, std::uint32_t begin, std::uint32_t length) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::uint32_t i = 0; i < length; ++i) {
        states.push_back(static_cast<std::uint8_t>(generator() % 4));
      }
      begins.push_back(begin);
      offsets.push_back(static_cast<std::uint32_t>(states.size()));
    }
  };
  add_rows(2, 0, 9);
  add_rows(40, 5, 23);
  add_rows(3, 5, 22);
  add_rows(9, 28, 1);
  add_rows(12, 7, 0);
  add_rows(8, 29, 40);
  add_rows(7, 29, 39);
  const std::vector<float> together = run(offsets, begins, states);
  for (std::size_t row = 0; row < begins.size(); ++row) {
    const std::uint32_t length = offsets[row + 1] - offsets[row];
    const std::vector<float> alone =
        run({0, length}, {begins[row]}, std::span(states).subspan(offsets[row], length));
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + offsets[row] * 4))
        << "row " << row;
  }
}

TEST_F(DenoiserTest, ProjectionOfATokenIsTheSameBitsInAnyBatch) {
  const auto hidden = golden.values<float>("hidden");
  for (std::size_t token = 0; token < kContext; ++token) {
    std::vector<float> alone(16);
    denoiser.project_context(std::span(hidden).subspan(token * 32, 32), 1, alone, workspace);
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), projected.begin() + token * 16));
  }
}

TEST_F(DenoiserTest, StepAndStatesMatter) {
  const std::vector<std::uint8_t> states = {0, 1, 2, 3, 0};
  const std::vector<float> logits = run({0, 5}, {0}, states);
  EXPECT_NE(run({0, 5}, {0}, states, 6), logits);
  EXPECT_NE(run({0, 5}, {1}, states), logits);
  EXPECT_NE(run({0, 5}, {0}, std::vector<std::uint8_t>{0, 1, 2, 3, 1}), logits);
}

TEST_F(DenoiserTest, NoRowsIsNothing) {
  EXPECT_TRUE(run({0}, {}, {}).empty());
  EXPECT_TRUE(run({0, 0}, {3}, {}).empty());
}

TEST_F(DenoiserTest, RefusesWhatDoesNotFitTheModel) {
  const auto code = ErrorCode::kInvalidArgument;
  const std::vector<std::uint8_t> states = {0, 1};
  EXPECT_ERROR(run({0, 2}, {0}, states, 0), code, "step 0, wanted 1 to 16");
  EXPECT_ERROR(run({0, 2}, {0}, states, 17), code, "step 17");
  EXPECT_ERROR(run({0, 1}, {0}, std::vector<std::uint8_t>{4}), code, "state 4, wanted 0 to 3");
  EXPECT_ERROR(run({0, 2}, {68}, states), code, "row 0 reaches token 70 of a context of 69");
  EXPECT_ERROR(run({0, 2}, {0xffffffffu}, states), code, "row 0 reaches");
  EXPECT_ERROR(run({0, 3, 2}, {0, 0}, states), code, "row 1 ends before it begins");
  EXPECT_ERROR(run({0, 1}, {0}, states), code, "row offsets");
  EXPECT_ERROR(run({0, 2}, {}, states), code, "row offsets");
  EXPECT_ERROR(run({}, {}, {}), code, "row offsets");
  std::vector<float> small(15);
  EXPECT_ERROR(denoiser.project_context(projected, 1, small, workspace), code, "do not fit");
}

TEST(AbsorbingDenoiser, KnowsTheMask) {
  const Golden golden("absorbing");
  const Denoiser denoiser(golden.dir);
  Workspace workspace;
  std::vector<float> projected(2 * 16), logits(8);
  const std::vector<std::uint32_t> offsets = {0, 2}, begins = {0};
  denoiser.forward(projected, {offsets, begins}, std::vector<std::uint8_t>{4, 4}, 1, logits,
                   workspace);
  EXPECT_TRUE(std::equal(logits.begin(), logits.begin() + 4, logits.begin() + 4));
  EXPECT_ERROR(denoiser.forward(projected, {offsets, begins}, std::vector<std::uint8_t>{4, 5}, 1,
                                logits, workspace),
               ErrorCode::kInvalidArgument, "state 5, wanted 0 to 4");
}

}  // namespace
}  // namespace diffie::model

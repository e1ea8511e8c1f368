#include "model/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "expect_error.h"
#include "golden.h"

namespace diffie::model {
namespace {

class EncoderTest : public testing::Test {
 protected:
  std::vector<float> run(std::span<const std::int32_t> ids,
                         const std::vector<std::uint32_t>& offsets) {
    std::vector<float> out(ids.size() * 32);
    encoder.forward(ids, offsets, out, workspace);
    return out;
  }

  Golden golden{"uniform"};
  BertEncoder encoder{golden.dir};
  Workspace workspace;
};

// More tokens than a group holds, so that sentences move between groups too.
TEST_F(EncoderTest, SentenceIsTheSameBitsInAnyBatch) {
  std::mt19937 generator(3);
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets = {0};
  while (ids.size() < 1200) {
    const std::size_t length = 1 + generator() % 48;
    for (std::size_t i = 0; i < length; ++i) {
      ids.push_back(static_cast<std::int32_t>(generator() % 50));
    }
    offsets.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  const std::vector<float> together = run(ids, offsets);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::uint32_t length = offsets[row + 1] - offsets[row];
    const std::vector<float> alone = run(std::span(ids).subspan(offsets[row], length), {0, length});
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + offsets[row] * 32))
        << "sentence " << row;
  }
}

TEST_F(EncoderTest, NoSentencesIsNothing) { EXPECT_TRUE(run({}, {0}).empty()); }

TEST_F(EncoderTest, RefusesWhatDoesNotFitTheModel) {
  const auto code = ErrorCode::kInvalidArgument;
  EXPECT_ERROR(run(std::vector{1, 50}, {0, 2}), code, "piece id 50, wanted 0 to 49");
  EXPECT_ERROR(run(std::vector{-1}, {0, 1}), code, "piece id -1");
  EXPECT_ERROR(run(std::vector<std::int32_t>(49, 1), {0, 49}), code,
               "sentence 0 has 49 pieces, wanted 1 to 48");
  EXPECT_ERROR(run(std::vector{1, 2}, {0, 2, 2}), code, "sentence 1 has 0 pieces");
  EXPECT_ERROR(run(std::vector{1, 2}, {0, 3, 2}), code, "sentence 1 has -1 pieces");
  EXPECT_ERROR(run(std::vector{1, 2}, {0, 1}), code, "row offsets");
  EXPECT_ERROR(run(std::vector{1, 2}, {}), code, "row offsets");
  std::vector<float> small(31);
  EXPECT_ERROR(encoder.forward(std::vector{1}, std::vector<std::uint32_t>{0, 1}, small, workspace),
               code, "room for 31 values");
}

}  // namespace
}  // namespace diffie::model

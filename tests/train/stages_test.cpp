#include "train/stages.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "diffusion/anchored_decoder.h"

namespace diffie::train {
namespace {

using torch::Tensor;
namespace stage = diffusion::stage;

constexpr std::int64_t kMaskState = 4;

Tensor rows_of(const std::vector<std::int64_t>& tags, std::int64_t rows) {
  return torch::tensor(tags, torch::kInt64).unsqueeze(0).repeat({rows, 1});
}

Tensor masked(const Tensor& y0, std::int32_t at) {
  return mask_by_stage(y0, torch::full({y0.size(0)}, at, torch::kInt64));
}

// Of each row, how many places with the tag are told.
Tensor told(const Tensor& noisy, std::int64_t tag) { return noisy.eq(tag).sum(1); }

struct Telling {
  const char* name;
  std::int32_t at;
  std::array<std::int64_t, 4> places;  // B, S, R, O
};

class Stage : public testing::TestWithParam<Telling> {};

// Two words of the subject, three of the relation, four of the object, three of none.
TEST_P(Stage, TellsItsPlacesAndNothingElse) {
  const Tensor y0 = rows_of({0, 1, 1, 2, 0, 2, 2, 3, 3, 3, 0, 3}, 300);
  torch::manual_seed(1);
  const Tensor noisy = masked(y0, GetParam().at);
  EXPECT_TRUE(noisy.eq(y0).logical_or(noisy.eq(kMaskState)).all().item<bool>());
  for (std::int64_t tag = 0; tag < 4; ++tag) {
    const std::int64_t places = GetParam().places[static_cast<std::size_t>(tag)];
    EXPECT_TRUE(told(noisy, tag).eq(places).all().item<bool>()) << "tag " << tag;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Stage,
    testing::Values(Telling{"nothing", stage::kNothing, {0, 0, 0, 0}},
                    Telling{"one_of_relation", stage::kOneOfRelation, {0, 0, 1, 0}},
                    Telling{"two_of_relation", stage::kTwoOfRelation, {0, 0, 2, 0}},
                    Telling{"relation", stage::kRelation, {0, 0, 3, 0}},
                    Telling{"one_of_subject", stage::kOneOfSubject, {0, 1, 3, 0}},
                    Telling{"subject", stage::kSubject, {0, 2, 3, 0}},
                    Telling{"one_of_object", stage::kOneOfObject, {0, 2, 3, 1}},
                    Telling{"object", stage::kObject, {0, 0, 3, 4}}),
    [](const auto& test) { return test.param.name; });

TEST(Stages, RandomOnesKeepEveryTagAlike) {
  const Tensor y0 = rows_of({0, 1, 2, 3}, 20'000);
  torch::manual_seed(2);
  for (std::int32_t at = 1; at <= stage::kRandomLast; ++at) {
    const Tensor noisy = masked(y0, at);
    EXPECT_TRUE(noisy.eq(y0).logical_or(noisy.eq(kMaskState)).all().item<bool>());
    for (std::int64_t place = 0; place < 4; ++place) {
      const double kept =
          noisy.select(1, place).eq(place).to(torch::kFloat64).mean().item<double>();
      EXPECT_NEAR(kept, 1 - at / 7.0, 0.015) << "stage " << at << ", place " << place;
    }
  }
}

// A third of the time each of three, alone and as one of two.
TEST(Stages, AnyPlaceOfARoleMayBeTheOneThatIsTold) {
  torch::manual_seed(3);
  for (const auto& [at, tag, share] :
       {std::tuple(stage::kOneOfRelation, 2, 1 / 3.0),
        std::tuple(stage::kTwoOfRelation, 2, 2 / 3.0), std::tuple(stage::kOneOfSubject, 1, 1 / 3.0),
        std::tuple(stage::kOneOfObject, 3, 1 / 3.0)}) {
    const Tensor y0 = rows_of({tag, 0, tag, tag}, 9000);
    const Tensor kept = masked(y0, at).eq(tag).to(torch::kFloat64).mean(0);
    for (const std::int64_t place : {0, 2, 3}) {
      EXPECT_NEAR(kept[place].item<double>(), share, 0.02) << "stage " << at;
    }
  }
}

TEST(Stages, TellNothingOfARoleThatIsNotThereAndOneWordWhereThereIsOne) {
  torch::manual_seed(4);
  const Tensor background = rows_of({0, 0, 0}, 50);
  for (const std::int32_t at : {stage::kOneOfRelation, stage::kTwoOfRelation, stage::kRelation,
                                stage::kOneOfSubject, stage::kSubject, stage::kOneOfObject}) {
    EXPECT_TRUE(masked(background, at).eq(kMaskState).all().item<bool>()) << "stage " << at;
  }
  const Tensor one = masked(rows_of({0, 2, 0}, 50), stage::kTwoOfRelation);
  EXPECT_TRUE(told(one, 2).eq(1).all().item<bool>());
  EXPECT_TRUE(one.ne(0).all().item<bool>());
}

TEST(Stages, RowsHaveStagesOfTheirOwn) {
  const Tensor y0 = rows_of({1, 2, 3}, 3);
  const Tensor noisy = mask_by_stage(
      y0, torch::tensor({stage::kNothing, stage::kRelation, stage::kSubject}, torch::kInt64));
  EXPECT_TRUE(noisy.equal(torch::tensor({4, 4, 4, 4, 2, 4, 1, 2, 4}, torch::kInt64).view({3, 3})));
}

// One in sixteen each; the first two questions of decoding have the share of 13 and 14 as well,
// which are no stages.
TEST(Stages, AreDrawnAsOftenAsSaid) {
  torch::manual_seed(5);
  const Tensor drawn = draw_stages(160'000, torch::TensorOptions().dtype(torch::kInt64));
  for (std::int32_t at = 0; at <= stage::kLast + 1; ++at) {
    const bool is_first = at == stage::kNothing || at == stage::kOneOfRelation;
    const bool is_none = at < 1 || at == 13 || at == 14 || at > stage::kLast;
    const std::int64_t wanted = is_none ? 0 : is_first ? 20'000 : 10'000;
    const auto found = drawn.eq(at).sum().item<std::int64_t>();
    EXPECT_LE(std::abs(found - wanted), is_none ? 0 : 600) << "stage " << at;
  }
}

}  // namespace
}  // namespace diffie::train

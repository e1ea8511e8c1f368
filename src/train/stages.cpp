#include "train/stages.h"

#include "diffusion/anchored_decoder.h"

namespace diffie::train {
namespace {

using torch::Tensor;
namespace stage = diffusion::stage;

// Of the places of each row where `is` holds, the one with the largest score.
Tensor pick_one(const Tensor& is, const Tensor& score) {
  const Tensor best = at::where(is, score, at::full_like(score, -1.0)).argmax(1, true);
  return at::arange(is.size(1), best.options()).unsqueeze(0).eq(best).logical_and(is);
}

}  // namespace

Tensor draw_stages(std::int64_t rows, const torch::TensorOptions& options) {
  const Tensor drawn = at::randint(1, stage::kLast + 1, {rows}, options);
  // 13 and 14 are no stages.
  const Tensor again = at::where(drawn.eq(13), at::full_like(drawn, stage::kOneOfRelation), drawn);
  return at::where(drawn.eq(14), at::full_like(drawn, stage::kNothing), again);
}

Tensor mask_by_stage(const Tensor& y0, const Tensor& stages) {
  const Tensor t = stages.unsqueeze(1);
  const Tensor subject = y0.eq(1), relation = y0.eq(2), object = y0.eq(3);
  const Tensor score = at::rand(y0.sizes(), y0.options().dtype(torch::kFloat32));
  const Tensor one_r = pick_one(relation, score);
  const Tensor two_r = one_r.logical_or(pick_one(relation.logical_and(one_r.logical_not()), score));
  const Tensor share = 1.0 - t.to(score.scalar_type()) / (stage::kRandomLast + 1.0);

  const auto told = [&](std::int32_t first, std::int32_t last, const Tensor& places) {
    return t.ge(first).logical_and(t.le(last)).logical_and(places);
  };
  Tensor kept = told(1, stage::kRandomLast, score < share);
  const auto tell = [&](std::int32_t first, std::int32_t last, const Tensor& places) {
    kept = kept.logical_or(told(first, last, places));
  };
  tell(stage::kTwoOfRelation, stage::kTwoOfRelation, two_r);
  tell(stage::kOneOfRelation, stage::kOneOfRelation, one_r);
  tell(stage::kObject, stage::kRelation, relation);
  tell(stage::kObject, stage::kObject, object);
  tell(stage::kOneOfObject, stage::kOneOfObject, pick_one(object, score));
  tell(stage::kOneOfObject, stage::kSubject, subject);
  tell(stage::kOneOfSubject, stage::kOneOfSubject, pick_one(subject, score));
  return at::where(kept, y0, at::full_like(y0, diffusion::kMask));
}

}  // namespace diffie::train

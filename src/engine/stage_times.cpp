#include "diffie/stage_times.h"

#include "engine/stage_clock.h"
#include "model_dir/model_dir.h"

namespace diffie {
namespace {

template <typename Combine>
void combine_fields(StageTimes& a, const StageTimes& b, Combine combine) {
  combine(a.tokenize_s, b.tokenize_s);
  combine(a.encode_s, b.encode_s);
  combine(a.denoise_s, b.denoise_s);
  combine(a.draw_s, b.draw_s);
  combine(a.judge_s, b.judge_s);
  combine(a.select_s, b.select_s);
  combine(a.wall_s, b.wall_s);
  combine(a.sentences, b.sentences);
  combine(a.pieces, b.pieces);
  combine(a.rows, b.rows);
  combine(a.rows_computed, b.rows_computed);
  combine(a.row_pieces, b.row_pieces);
  combine(a.judged, b.judged);
  combine(a.encode_flop, b.encode_flop);
  combine(a.denoise_flop, b.denoise_flop);
  combine(a.judge_flop, b.judge_flop);
}

// Attention and two products of width `inner` in `layers` layers, per row of `length` tokens.
double layers_flop(double layers, double hidden, double inner, double length) {
  const double products = 2 * length * (4 * hidden * hidden + 2 * hidden * inner);
  const double attention = 4 * length * length * hidden;
  return layers * (products + attention);
}

}  // namespace

StageTimes& StageTimes::operator+=(const StageTimes& other) {
  combine_fields(*this, other, [](auto& a, auto b) { a += b; });
  return *this;
}

StageTimes& StageTimes::operator-=(const StageTimes& other) {
  combine_fields(*this, other, [](auto& a, auto b) { a -= b; });
  return *this;
}

namespace engine {

double encoder_flop(const model_dir::ModelConfig& config, std::size_t pieces) {
  const auto length = static_cast<double>(pieces);
  return layers_flop(config.encoder.layers, config.encoder.hidden, config.encoder.intermediate,
                     length + 2) +
         2 * length * config.encoder.hidden * config.denoiser.hidden;
}

double denoiser_flop(const model_dir::ModelConfig& config, std::size_t pieces) {
  const auto length = static_cast<double>(pieces);
  return layers_flop(config.denoiser.layers, config.denoiser.hidden, 4.0 * config.denoiser.hidden,
                     length) +
         2 * length * config.denoiser.hidden * config.num_tags();
}

double judge_flop(const model_dir::ModelConfig& config, std::size_t pieces) {
  const model_dir::DenoiserConfig& judge = *config.judge;
  const double hidden = judge.hidden;
  return layers_flop(judge.layers, hidden, 4 * hidden, static_cast<double>(pieces)) +
         2 * hidden * (config.num_tags() * hidden + model_dir::kNumJudgements);
}

}  // namespace engine
}  // namespace diffie

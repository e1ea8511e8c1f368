#include "model/cpu_backend.h"

#include <vector>

#include "base/assert.h"

namespace diffie::model {
namespace {

struct CpuContext final : Context {
  std::vector<float> for_denoiser;  // [tokens, denoiser hidden]
  std::vector<float> for_judge;     // [tokens, judge hidden]
};

const CpuContext& of(const Context& context) { return static_cast<const CpuContext&>(context); }

class CpuRunner final : public Runner {
 public:
  // judge: null where it is not asked for.
  CpuRunner(const BertEncoder& encoder, const Denoiser& denoiser, const Judge* judge)
      : encoder_(encoder), denoiser_(denoiser), judge_(judge) {}

  std::unique_ptr<Context> make_context() const override { return std::make_unique<CpuContext>(); }

  void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
              Context& context) override {
    auto& result = static_cast<CpuContext&>(context);
    const std::size_t tokens = ids.size();
    hidden_.resize(tokens * static_cast<std::size_t>(encoder_.config().hidden));
    encoder_.forward(ids, row_offsets, hidden_, workspace_);
    result.for_denoiser.resize(tokens * static_cast<std::size_t>(denoiser_.hidden()));
    denoiser_.project_context(hidden_, tokens, result.for_denoiser, workspace_);
    if (judge_ == nullptr) return;
    result.for_judge.resize(tokens * judge_->hidden());
    judge_->project_context(hidden_, tokens, result.for_judge, workspace_);
  }

  void denoise(const Context& context, const RowBatch& rows, std::span<const std::uint8_t> states,
               std::int32_t step, std::span<float> logits) override {
    denoiser_.forward(of(context).for_denoiser, rows, states, step, logits, workspace_);
  }

  void judge(const Context& context, const RowBatch& rows, std::span<const std::uint8_t> tags,
             std::span<Judgement> judgements) override {
    DIFFIE_ASSERT(judge_ != nullptr);
    judge_->forward(of(context).for_judge, rows, tags, judgements, workspace_);
  }

  void release() override {
    workspace_ = {};
    hidden_ = {};
  }

 private:
  const BertEncoder& encoder_;
  const Denoiser& denoiser_;
  const Judge* judge_;
  Workspace workspace_;
  std::vector<float> hidden_;  // [tokens, encoder hidden]
};

}  // namespace

CpuBackend::CpuBackend(const model_dir::ModelDir& dir, Precision precision)
    : encoder_(dir, precision), denoiser_(dir, precision) {
  if (dir.config().judge) judge_.emplace(dir, precision);
}

std::unique_ptr<Runner> CpuBackend::make_runner(bool judges) const {
  DIFFIE_ASSERT(!judges || judge_);
  return std::make_unique<CpuRunner>(encoder_, denoiser_, judges ? &*judge_ : nullptr);
}

}  // namespace diffie::model

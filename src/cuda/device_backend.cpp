#include "cuda/device_backend.h"

#include <utility>

#include "base/assert.h"
#include "cuda/device.h"

namespace diffie::cuda {
namespace {

struct DeviceContext final : model::Context {
  DeviceContext(int on_gpu, const model::Runner& of, std::unique_ptr<model::Context> context)
      : gpu(on_gpu), owner(of), inner(std::move(context)) {}
  ~DeviceContext() override {
    free_aside(gpu, [this] { inner.reset(); });
  }

  const int gpu;
  const model::Runner& owner;  // only looked at
  std::unique_ptr<model::Context> inner;
};

class DeviceRunner final : public model::Runner {
 public:
  DeviceRunner(int gpu, std::unique_ptr<model::Runner> inner)
      : gpu_(gpu), inner_(std::move(inner)) {}
  ~DeviceRunner() override {
    free_aside(gpu_, [this] { inner_.reset(); });
  }

  std::unique_ptr<model::Context> make_context() const override {
    return std::make_unique<DeviceContext>(gpu_, *this, inner_->make_context());
  }

  void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
              model::Context& context) override {
    use(gpu_);
    inner_->encode(ids, row_offsets, *own(context).inner);
  }

  void denoise(const model::Context& context, const model::RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step,
               std::span<float> logits) override {
    use(gpu_);
    inner_->denoise(*own(context).inner, rows, states, step, logits);
  }

  bool draws() const override { return inner_->draws(); }
  std::vector<model::DrawnRows> draw(const model::Context& context, const diffusion::Chain& chain,
                                     std::span<const model::DrawBlock> blocks,
                                     const model::BeforeStep& before_step) override {
    use(gpu_);
    return inner_->draw(*own(context).inner, chain, blocks, before_step);
  }

  void judge(const model::Context& context, const model::RowBatch& rows,
             std::span<const std::uint8_t> tags, std::span<model::Judgement> judgements) override {
    use(gpu_);
    inner_->judge(*own(context).inner, rows, tags, judgements);
  }

  void release() override {
    use(gpu_);
    inner_->release();
  }

  void record_into(base::TimedRow& row) override {
    aside(gpu_, [&] { inner_->record_into(row); });
  }

 private:
  // Another runner's context may be on another GPU.
  const DeviceContext& own(const model::Context& context) const {
    const auto& ours = static_cast<const DeviceContext&>(context);
    DIFFIE_ASSERT(&ours.owner == this);
    return ours;
  }

  const int gpu_;
  std::unique_ptr<model::Runner> inner_;
};

}  // namespace

DeviceBackend::DeviceBackend(int gpu, const Make& make) : gpu_(gpu) {
  aside(gpu_, [&] {
    check_code();
    inner_ = make();
  });
}

DeviceBackend::~DeviceBackend() {
  free_aside(gpu_, [this] { inner_.reset(); });
}

std::unique_ptr<model::Runner> DeviceBackend::make_runner(bool judges) const {
  std::unique_ptr<model::Runner> runner;
  aside(gpu_, [&] { runner = inner_->make_runner(judges); });
  return std::make_unique<DeviceRunner>(gpu_, std::move(runner));
}

}  // namespace diffie::cuda

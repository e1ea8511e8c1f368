#include "diffie/extractor.h"

#include "engine/engine.h"

namespace diffie {

class Extractor::Impl {
 public:
  Impl(std::shared_ptr<const Model> model, const Settings& settings)
      : model_(std::move(model)),
        engine(engine::ModelParts::of(engine::checked(model_)), settings) {}

 private:
  const std::shared_ptr<const Model> model_;  // outlives the engine

 public:
  engine::Engine engine;
};

Extractor::Extractor(std::shared_ptr<const Model> model)
    : Extractor(model, engine::checked(model).settings()) {}
Extractor::Extractor(std::shared_ptr<const Model> model, const Settings& settings)
    : impl_(std::make_unique<Impl>(std::move(model), settings)) {}
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;
Extractor::~Extractor() = default;

std::vector<SentenceResult> Extractor::extract(std::span<const std::string_view> sentences,
                                               const std::stop_token& stop) const {
  return impl_->engine.extract(sentences, stop);
}

SentenceResult Extractor::extract(std::string_view sentence, const std::stop_token& stop) const {
  return std::move(impl_->engine.extract({&sentence, 1}, stop).front());
}

const Settings& Extractor::settings() const { return impl_->engine.settings(); }

std::size_t Extractor::batch_size() const { return impl_->engine.batch_size(); }

std::vector<std::string> Extractor::take_notices() const { return impl_->engine.take_notices(); }

void Extractor::release_memory() const { impl_->engine.release(); }

StageTimes Extractor::stage_times() const { return impl_->engine.stage_times(); }

}  // namespace diffie

#include "model/dealing_backend.h"

#include <utility>

#include "base/assert.h"

namespace diffie::model {

DealingBackend::DealingBackend(std::vector<const Backend*> backends)
    : backends_(std::move(backends)) {
  DIFFIE_ASSERT(!backends_.empty());
}

std::unique_ptr<Runner> DealingBackend::make_runner(bool judges) const {
  return backends_[dealt_++ % backends_.size()]->make_runner(judges);
}

}  // namespace diffie::model

#pragma once

#include <atomic>
#include <vector>

#include "model/backend.h"

namespace diffie::model {

// Several backends as one: its runners are theirs, dealt out in turn.
class DealingBackend final : public Backend {
 public:
  // At least one, none null, all of one kind; one that stands twice gets twice its share. They must
  // outlive this.
  explicit DealingBackend(std::vector<const Backend*> backends);

  std::unique_ptr<Runner> make_runner(bool judges) const override;
  bool waits() const override { return backends_.front()->waits(); }

 private:
  std::vector<const Backend*> backends_;
  mutable std::atomic<std::size_t> dealt_ = 0;
};

}  // namespace diffie::model

#include "engine/memory_limit.h"

#include <utility>

namespace diffie::engine {

void Gate::lock_shared() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !closed_; });
  ++inside_;
}

void Gate::unlock_shared() {
  {
    const std::lock_guard lock(mutex_);
    --inside_;
    if (!closed_) return;
  }
  changed_.notify_all();
}

void Gate::lock() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !closed_; });
  closed_ = true;
  changed_.wait(lock, [&] { return inside_ == 0; });
}

bool Gate::try_lock() {
  const std::lock_guard lock(mutex_);
  if (closed_ || inside_ > 0) return false;
  closed_ = true;
  return true;
}

void Gate::unlock() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = false;
  }
  changed_.notify_all();
}

bool GroupLimit::lower(std::size_t tokens) {
  std::size_t before = tokens_;
  while (tokens < before && !tokens_.compare_exchange_weak(before, tokens)) {
  }
  return before == kNone;
}

void Notices::add(std::string notice) {
  const std::lock_guard lock(mutex_);
  notices_.push_back(std::move(notice));
}

std::vector<std::string> Notices::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace diffie::engine

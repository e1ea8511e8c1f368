#pragma once

#include <cstdint>
#include <string>

namespace diffie::cli {

// One of several parts of the input: every count-th document, or line.
class Shard {
 public:
  Shard() = default;
  Shard(std::uint64_t index, std::uint64_t count) : index_(index), count_(count) {}

  std::string name() const { return std::to_string(index_ + 1) + "/" + std::to_string(count_); }

  // Whether the next one is in this part; to be asked once for each, in order.
  bool takes_next() { return next_++ % count_ == index_; }

 private:
  std::uint64_t index_ = 0;  // from 0
  std::uint64_t count_ = 1;
  std::uint64_t next_ = 0;
};

}  // namespace diffie::cli

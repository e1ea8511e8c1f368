#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace diffie::cli {

// One line on stderr, drawn over itself a few times a second; silent where stderr is no terminal or
// standard output is one (results and bar would tear each other up).
class Progress {
 public:
  Progress();
  ~Progress();  // wipes the line

  void update(std::uint64_t sentences, std::uint64_t bytes_done,
              std::optional<std::uint64_t> bytes_total);

 private:
  bool active_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace diffie::cli

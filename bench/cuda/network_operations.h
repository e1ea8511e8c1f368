// The operations of each network on the GPU, at its sizes, with the arithmetic and the bytes that
// they cannot do without.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda/linear.h"
#include "device_timing.h"
#include "model_dir/model_config.h"

namespace diffie::cuda {

// Calls the operation on one of its copies.
using Call = std::function<void(std::size_t copy)>;

struct Place {
  const Stream& stream;
  cublasLtHandle_t handle;
  RandomData& data;
};

// One kernel, or one product with what its epilogue does.
struct Operation {
  std::string name;
  std::string shape;
  std::size_t calls = 1;  // in a pass through the network
  double flop = 0;
  double bytes = 0;  // every operand read once, every result written once
  std::function<Call(const Place& place, std::size_t copies)> make;
};

// Rows of different lengths, laid end to end.
struct Rows {
  std::vector<std::uint32_t> offsets;

  // Lengths are evenly spread over 0.4 to 1.6 times the mean.
  static Rows of(std::size_t tokens, std::size_t mean_length);

  std::size_t tokens() const { return offsets.back(); }
  std::size_t count() const { return offsets.size() - 1; }
};

struct NetworkOperations {
  std::size_t tokens = 0;
  double mean_length = 0;
  std::vector<Operation> all;
};

struct RowNetworkShape {
  model_dir::DenoiserConfig config;
  bool judges = false;
};

NetworkOperations encoder_operations(const model_dir::ModelConfig& config, const Rows& rows);
NetworkOperations row_operations(const RowNetworkShape& shape, const Rows& rows);

}  // namespace diffie::cuda

// How near each operation of the CUDA backend comes to what the GPU can do, at the sizes of a
// model:
//   cuda_ops_bench MODEL... [--out DIR]
// MODEL: a model directory, or `paper` for bert-base with a 6 x 512 denoiser. Encoder at 9,216
// tokens, denoiser and judge at 8,192 and 32,768. In bf16, on random numbers; calls take turns with
// copies of weights and activations that together do not fit into the second-level cache. Time is
// the median over CUDA graphs of calls, in CUDA events. Prints a table for each network and writes
// DIR/roofline.json.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ceilings.h"
#include "cuda/device.h"
#include "diffie/error.h"
#include "model_dir/model_dir.h"
#include "network_operations.h"

namespace {

using namespace diffie;
using namespace diffie::cuda;
using nlohmann::ordered_json;

constexpr std::size_t kEncoderTokens = 9216;  // of 256 sentences
constexpr std::size_t kRowTokens[] = {8192, 32768};

struct Measured {
  Operation operation;
  double us = 0;

  // Of all calls in the network.
  double total_us() const { return us * static_cast<double>(operation.calls); }
};

std::string row(std::string_view name, std::string_view shape, double calls, double us, double flop,
                double bytes, double roof_us, double sheet_us) {
  return fmt::format(
      "{:<22} {:>11} {:>3.0f} {:>9.1f} {:>9.3f} {:>8.2f} {:>8.1f} {:>7.0f} {:>9.1f} {:>7.1f} "
      "{:>7.1f}\n",
      name, shape, calls, us, flop * 1e-9, bytes * 1e-6, flop / us * 1e-6, bytes / us * 1e-3,
      roof_us, 100 * roof_us / us, 100 * sheet_us / us);
}

ordered_json json_of(const Measured& measured, const Ceilings& ceilings) {
  const Operation& operation = measured.operation;
  const double roof_us = ceilings.least_us(operation.flop, operation.bytes);
  return {
      {"operation", operation.name},
      {"shape", operation.shape},
      {"calls", operation.calls},
      {"us", measured.us},
      {"flop", operation.flop},
      {"bytes", operation.bytes},
      {"tflop_per_s", operation.flop / measured.us * 1e-6},
      {"gb_per_s", operation.bytes / measured.us * 1e-3},
      {"bound", operation.flop / ceilings.flop_per_s > operation.bytes / ceilings.bytes_per_s
                    ? "arithmetic"
                    : "memory"},
      {"roof_us", roof_us},
      {"share_of_roof", roof_us / measured.us},
      {"share_of_data_sheet", kDataSheet.least_us(operation.flop, operation.bytes) / measured.us}};
}

// The table of one network, and what is kept of it.
ordered_json report(const std::string& title, std::span<const Measured> all,
                    const Ceilings& ceilings) {
  fmt::print("\n{}\n{:<22} {:>11} {:>3} {:>9} {:>9} {:>8} {:>8} {:>7} {:>9} {:>7} {:>7}\n", title,
             "operation", "size", "x", "us", "GFLOP", "MB", "TFLOP/s", "GB/s", "roof us", "% roof",
             "% sheet");
  ordered_json kept = ordered_json::array();
  double us = 0, flop = 0, bytes = 0, roof_us = 0, sheet_us = 0;
  for (const Measured& measured : all) {
    const Operation& operation = measured.operation;
    const double roof = ceilings.least_us(operation.flop, operation.bytes);
    const double sheet = kDataSheet.least_us(operation.flop, operation.bytes);
    const auto calls = static_cast<double>(operation.calls);
    fmt::print("{}", row(operation.name, operation.shape, calls, measured.us, operation.flop,
                         operation.bytes, roof, sheet));
    kept.push_back(json_of(measured, ceilings));
    us += measured.total_us();
    flop += calls * operation.flop;
    bytes += calls * operation.bytes;
    roof_us += calls * roof;
    sheet_us += calls * sheet;
  }
  fmt::print("{}", row("all of them", "", 1, us, flop, bytes, roof_us, sheet_us));
  return {{"title", title},
          {"operations", kept},
          {"us", us},
          {"tflop_per_s", flop / us * 1e-6},
          {"share_of_roof", roof_us / us},
          {"share_of_data_sheet", sheet_us / us}};
}

class Bench {
 public:
  Bench() : ceilings_(measure_ceilings(stream_, data_)) {
    fmt::print("at most: {:.0f} TFLOP/s, {:.0f} GB/s (data sheet of an H200: {:.0f}, {:.0f})\n",
               ceilings_.flop_per_s * 1e-12, ceilings_.bytes_per_s * 1e-9,
               kDataSheet.flop_per_s * 1e-12, kDataSheet.bytes_per_s * 1e-9);
  }

  void model(const model_dir::ModelConfig& config) {
    network(config.name + ", encoder", encoder_operations(config, Rows::of(kEncoderTokens, 36)));
    for (const std::size_t tokens : kRowTokens) {
      const RowNetworkShape denoiser{config.denoiser, false};
      network(config.name + ", denoiser", row_operations(denoiser, Rows::of(tokens, 30)));
    }
    if (!config.judge) return;
    for (const std::size_t tokens : kRowTokens) {
      const RowNetworkShape judge{*config.judge, true};
      network(config.name + ", judge", row_operations(judge, Rows::of(tokens, 30)));
    }
  }

  ordered_json result() const {
    cudaDeviceProp properties{};
    DIFFIE_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    return {{"gpu", properties.name},
            {"tflop_per_s", ceilings_.flop_per_s * 1e-12},
            {"gb_per_s", ceilings_.bytes_per_s * 1e-9},
            {"networks", networks_}};
  }

 private:
  void network(const std::string& name, const NetworkOperations& operations) {
    std::vector<Measured> all;
    for (const Operation& operation : operations.all) {
      const std::size_t copies = copies_beyond_cache(operation.bytes);
      const Call call = operation.make({stream_, handle_.get(), data_}, copies);
      all.push_back({operation, median_us(stream_, copies, call)});
    }
    const std::string title = fmt::format("{}, {} tokens in rows of {:.1f}", name,
                                          operations.tokens, operations.mean_length);
    networks_.push_back(report(title, all, ceilings_));
  }

  Stream stream_;
  RandomData data_;
  Handle handle_ = make_handle();
  Ceilings ceilings_;
  ordered_json networks_ = ordered_json::array();
};

int run(std::span<char*> arguments) {
  std::vector<std::string> models;
  std::filesystem::path out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string argument = arguments[i];
    if (argument == "--out" && i + 1 < arguments.size()) {
      out = arguments[++i];
    } else {
      models.push_back(argument);
    }
  }
  if (models.empty() || models.front().starts_with("-")) {
    fmt::print(stderr, "cuda_ops_bench MODEL... [--out DIR]\n");
    return 2;
  }
  if (!capability().has_bf16())
    throw Error(ErrorCode::kUnsupported, "the GPU, or the code for it, has no bf16");
  Bench bench;
  for (const std::string& model : models) {
    model_dir::ModelConfig config;  // of the paper's size
    config.name = model;
    if (model != "paper") config = model_dir::ModelDir::open(model).config();
    bench.model(config);
  }
  if (out.empty()) return 0;
  std::filesystem::create_directories(out);
  std::ofstream(out / "roofline.json") << bench.result().dump(1) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  } catch (const Error& error) {
    fmt::print(stderr, "cuda_ops_bench: {}\n", error.what());
    return 1;
  }
}

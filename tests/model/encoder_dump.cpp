// encoder_dump ENCODER_DIR IDS OUT [REPEAT]: runs an imported encoder over sentences for
// scripts/encoder/encoder_parity.py. IDS has one sentence per line, piece ids with [CLS] and [SEP];
// OUT becomes a safetensors file with `hidden` [pieces, hidden]. Prints wall and CPU time of the
// fastest of REPEAT runs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <limits>
#include <sstream>

#include "imported_encoder.h"
#include "model/encoder.h"
#include "ops/cpu_kernels.h"
#include "temp_dir.h"

namespace diffie::model {
namespace {

struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets = {0};
};

Batch read_ids(const char* path) {
  std::ifstream file(path);
  Batch batch;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    for (std::int32_t id = 0; words >> id;) batch.ids.push_back(id);
    batch.offsets.push_back(static_cast<std::uint32_t>(batch.ids.size()));
  }
  return batch;
}

void run(const char* encoder_dir, const char* ids, const char* out, int repeat) {
  const test::TempDir work;
  const BertEncoder encoder(open_imported_encoder(encoder_dir, work.path()));
  const Batch batch = read_ids(ids);
  const auto width = static_cast<std::size_t>(encoder.config().hidden);
  std::vector<float> hidden(batch.ids.size() * width);
  Workspace workspace;
  double best_ms = std::numeric_limits<double>::infinity(), best_cpu_ms = best_ms;
  for (int i = 0; i < repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu_begin = std::clock();
    encoder.forward(batch.ids, batch.offsets, hidden, workspace);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best_ms = std::min(best_ms, took.count());
    const auto ticks = static_cast<double>(std::clock() - cpu_begin);
    best_cpu_ms = std::min(best_cpu_ms, ticks * 1000 / CLOCKS_PER_SEC);
  }
  const std::vector<model_dir::TensorView> tensors = {{"hidden",
                                                       model_dir::DType::kF32,
                                                       {batch.ids.size(), width},
                                                       std::as_bytes(std::span(hidden))}};
  lab::write_safetensors(out, tensors);
  const auto sentences = static_cast<double>(batch.offsets.size() - 1);
  fmt::print(
      "{} sentences, {} pieces, {} kernels, 1 thread: {:.2f} ms ({:.2f} ms of CPU) per sentence\n",
      sentences, batch.ids.size(), ops::cpu_kernels().name, best_ms / sentences,
      best_cpu_ms / sentences);
}

}  // namespace
}  // namespace diffie::model

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: encoder_dump ENCODER_DIR IDS OUT [REPEAT]\n");
    return 2;
  }
  try {
    diffie::model::run(argv[1], argv[2], argv[3], argc > 4 ? std::atoi(argv[4]) : 1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "encoder_dump: {}\n", error.what());
    return 1;
  }
}

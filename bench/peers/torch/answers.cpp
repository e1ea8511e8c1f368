// What diffie's networks say in fp32 on the CPU, for the PyTorch programs beside this to be checked
// against:
//   peer_answers MODEL > answers.json
// Sentences of random pieces, three rows about each: the denoiser's logits and the judge's two
// numbers.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "model/cpu_backend.h"
#include "model_dir/model_dir.h"

namespace {

using namespace diffie;
using nlohmann::json;

constexpr std::int32_t kStep = 12;
constexpr std::size_t kRows = 3;

json answers(const model_dir::ModelDir& dir, const model::Backend& backend, std::uint32_t length,
             std::mt19937& generator) {
  const auto below = [&](std::int32_t end) {
    return static_cast<std::int32_t>(generator() % static_cast<std::uint32_t>(end));
  };
  std::vector<std::int32_t> ids;
  for (std::uint32_t i = 0; i < length + 2; ++i) {
    ids.push_back(below(dir.config().encoder.vocab_size));
  }
  std::vector<std::uint8_t> states, tags;
  std::vector<std::uint32_t> offsets = {0};
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::uint32_t i = 0; i < length; ++i) {
      states.push_back(static_cast<std::uint8_t>(below(dir.config().num_states())));
      tags.push_back(static_cast<std::uint8_t>(below(dir.config().num_tags())));
    }
    offsets.push_back(static_cast<std::uint32_t>(states.size()));
  }
  const std::vector<std::uint32_t> begins(kRows, 1);  // after [CLS]
  const std::vector<std::uint32_t> sentence = {0, length + 2};
  const bool judges = dir.config().judge.has_value();
  const auto runner = backend.make_runner(judges);
  const auto context = runner->make_context();
  runner->encode(ids, sentence, *context);
  std::vector<float> logits(states.size() * 4);
  runner->denoise(*context, {offsets, begins}, states, kStep, logits);
  json found = {{"ids", ids},       {"rows", kRows}, {"step", kStep},
                {"states", states}, {"tags", tags},  {"logits", logits}};
  if (!judges) return found;
  std::vector<model::Judgement> judgements(kRows);
  runner->judge(*context, {offsets, begins}, tags, judgements);
  for (const model::Judgement& judgement : judgements) {
    found["judgements"].push_back({judgement.exact, judgement.lenient});
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "peer_answers MODEL\n");
    return 2;
  }
  const model_dir::ModelDir dir = model_dir::ModelDir::open(argv[1]);
  const model::CpuBackend backend(dir, model::Precision::kFp32);
  std::mt19937 generator(1);
  json all;
  for (const std::uint32_t length : {1, 9, 36, 65})
    all.push_back(answers(dir, backend, length, generator));
  std::cout << all << '\n';
}

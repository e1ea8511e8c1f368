#include "sweep_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "diffie/error.h"
#include "diffie/lab/sample_tags.h"
#include "files/atomic_file.h"
#include "input.h"
#include "messages.h"
#include "progress.h"

namespace diffie::cli {
namespace {

std::filesystem::path kept_path(const SamplingArguments& arguments, std::int32_t steps) {
  std::filesystem::path path = arguments.keep;
  if (arguments.steps.size() > 1) {
    path.replace_filename(
        fmt::format("{}-steps{}{}", path.stem().string(), steps, path.extension().string()));
  }
  return path;
}

void keep(const std::filesystem::path& path, const std::vector<TagPool>& pools) {
  std::string text;
  files::AtomicFile file(path);
  for (const TagPool& pool : pools) {
    text.clear();
    append_tag_pool(text, pool);
    file.write(text);
  }
  file.commit();
}

std::vector<TagPool> sample(const TagSampler& sampler, const std::string& sentences,
                            Diagnostics& diagnostics) {
  InputOptions input;
  input.files = {sentences};
  input.mode = InputMode::kLines;
  InputReader reader(std::move(input), diagnostics);
  Progress progress;
  std::vector<TagPool> pools;
  std::uint64_t text_bytes = 0;
  while (true) {
    const std::vector<InputStep> batch = reader.next(32);
    if (batch.empty()) break;
    std::vector<std::string_view> texts;
    for (const InputStep& step : batch) {
      text_bytes += step.text_bytes();
      if (step.kind == InputStep::Kind::kSentence) texts.push_back(step.text);
    }
    for (TagPool& pool : sampler.sample(texts)) pools.push_back(std::move(pool));
    progress.update(pools.size(), reader.bytes_done(text_bytes), reader.bytes_total());
  }
  if (std::all_of(pools.begin(), pools.end(),
                  [](const TagPool& pool) { return pool.words.size() == pool.num_implied; })) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: no sentences to sample for", sentences));
  }
  return pools;
}

}  // namespace

std::vector<std::filesystem::path> kept_paths(const SamplingArguments& arguments) {
  if (arguments.keep.empty()) return {};
  if (arguments.steps.empty()) return {arguments.keep};
  std::vector<std::filesystem::path> paths;
  for (const std::int32_t steps : arguments.steps) paths.push_back(kept_path(arguments, steps));
  return paths;
}

std::vector<SweepPool> sample_pools(const SamplingArguments& arguments, Diagnostics& diagnostics) {
  const auto model = Model::load(find_model(arguments.model));
  if (!model->trained()) {
    tell(fmt::format("model '{}' is untrained: its triples mean nothing", model->name()));
  }
  Settings settings = model->settings(arguments.preset);
  settings.samples = arguments.samples;
  settings.judged = arguments.judged.value_or(settings.judged);
  settings.seed = arguments.seed;
  settings.threads = arguments.threads;
  settings.pretokenized = true;
  std::vector<std::int32_t> all_steps = arguments.steps;
  if (all_steps.empty()) all_steps.push_back(settings.steps);
  std::vector<SweepPool> pools;
  for (const std::int32_t steps : all_steps) {
    if (steps != settings.steps) {  // those of the preset are for its own number of steps
      settings.times.clear();
      settings.shared.clear();
    }
    settings.steps = steps;
    const TagSampler sampler(model, settings);
    SweepPool pool{fmt::format("steps={}", steps),
                   fmt::format("{}, {} steps", model->name(), steps),
                   sample(sampler, arguments.sentences, diagnostics)};
    if (!arguments.keep.empty()) keep(kept_path(arguments, steps), pool.sentences);
    pools.push_back(std::move(pool));
  }
  return pools;
}

}  // namespace diffie::cli

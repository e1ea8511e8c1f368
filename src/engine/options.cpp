#include "engine/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>
#include <vector>

#include "diffie/error.h"

namespace diffie {
namespace {

[[noreturn]] void refuse(std::string_view field, const std::string& value,
                         const std::string& wanted) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is {}, must be {}", field, value, wanted));
}

void check_range(std::string_view field, const std::optional<std::int32_t>& value, std::int32_t low,
                 std::int32_t high) {
  if (value && (*value < low || *value > high)) {
    refuse(field, fmt::format("{}", *value), fmt::format("from {} to {}", low, high));
  }
}

// low < value <= high, or low <= value where `closed`; NaN is refused.
void check_real(std::string_view field, const std::optional<double>& value, double low, double high,
                bool closed) {
  if (!value) return;
  const bool above = closed ? *value >= low : *value > low;
  if (!above || !(*value <= high)) {
    refuse(field, fmt::format("{}", *value),
           fmt::format("{} {} and at most {}", closed ? "at least" : "above", low, high));
  }
}

template <std::size_t N>
void check_name(std::string_view field, const std::optional<std::string>& value,
                const std::array<std::string_view, N>& allowed) {
  if (value && std::find(allowed.begin(), allowed.end(), *value) == allowed.end()) {
    refuse(field, fmt::format("'{}'", *value), fmt::format("one of {}", fmt::join(allowed, ", ")));
  }
}

}  // namespace

void ExtractorOptions::validate() const {
  constexpr std::array<std::string_view, 3> kRules = {"longest", "relation-runs", "all-runs"};
  constexpr std::array<std::string_view, 2> kPrecisions = {"int8", "fp32"};
  constexpr std::array<std::string_view, 4> kSelectors = {"lenient", "frequency", "coverage",
                                                          "learned"};
  check_range("samples", samples, 1, 65536);
  check_range("steps", steps, 1, 4096);
  check_range("top-k", top_k, 1, 1024);
  check_real("tau", tau, 0, 1, false);
  check_real("temperature", temperature, 0, 10, false);
  check_real("min-confidence", min_confidence, 0, 1, true);
  check_name("rule", rule, kRules);
  check_name("selector", selector, kSelectors);
  check_name("precision", precision, kPrecisions);
  check_range("threads", threads, 0, 1024);
}

namespace engine {

ExtractorOptions resolve_options(ExtractorOptions options, const model_dir::ModelConfig& config) {
  options.validate();
  if (options.preset.empty()) options.preset = config.default_preset;
  const auto found = config.presets.find(options.preset);
  if (found == config.presets.end()) {
    std::vector<std::string> names;
    for (const auto& [name, preset] : config.presets) names.push_back(name);
    refuse("preset", fmt::format("'{}'", options.preset),
           fmt::format("one of {} (model '{}')", fmt::join(names, ", "), config.name));
  }
  const model_dir::PresetConfig& preset = found->second;
  if (!options.samples) options.samples = preset.samples;
  if (!options.steps) options.steps = preset.steps;
  if (!options.top_k) options.top_k = preset.top_k;
  if (!options.tau) options.tau = preset.tau;
  if (!options.rule) options.rule = preset.rule;
  if (!options.selector) options.selector = preset.selector;
  if (!options.temperature) options.temperature = preset.temperature;
  if (!options.min_confidence) options.min_confidence = preset.min_confidence;
  // The preset that reproduces the paper rounds nothing.
  if (!options.precision) options.precision = options.preset == "paper" ? "fp32" : "int8";
  if (options.threads == 0) {
    options.threads = static_cast<std::int32_t>(std::max(1U, std::thread::hardware_concurrency()));
  }
  check_range(fmt::format("steps (model '{}')", config.name), options.steps, 1,
              config.diffusion.steps);
  return options;
}

}  // namespace engine
}  // namespace diffie

#include "eval_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text_table.h"

namespace diffie::cli {
namespace {

using nlohmann::ordered_json;

std::string cell(const Figures& figures) {
  return fmt::format("{:.2f} / {:.2f}", figures.f1 * 100, figures.auc * 100);
}

void append_presets(std::string& out, const Evaluation& evaluation) {
  std::vector<Cells> lines = {{"preset", "n", "steps", "part", "sentences", "carb F1 / AUC",
                               "carb_1_1 F1 / AUC", "sent/s"}};
  for (const EvaluatedPreset& preset : evaluation.presets) {
    for (std::size_t i = 0; i < kDevParts.size(); ++i) {
      const Quality& quality = preset.parts[i];
      const bool first = i == 0;
      lines.push_back({first ? preset.name : "", first ? std::to_string(preset.samples) : "",
                       first ? std::to_string(preset.steps) : "", to_string(kDevParts[i]),
                       std::to_string(quality.sentences), cell(quality.carb),
                       cell(quality.carb_1_1),
                       first ? fmt::format("{:.1f}", preset.sentences_per_s) : ""});
    }
  }
  append_table(out, lines, 1);
}

ordered_json to_json(const Quality& quality) {
  return {{"sentences", quality.sentences},
          {"carb_f1", quality.carb.f1},
          {"carb_auc", quality.carb.auc},
          {"carb_1_1_f1", quality.carb_1_1.f1},
          {"carb_1_1_auc", quality.carb_1_1.auc}};
}

std::string dumped(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

// As people write them down: per cent, two digits.
ordered_json rounded(const Quality& quality) {
  ordered_json value = to_json(quality);
  for (auto& [key, number] : value.items()) {
    if (key != "sentences") number = std::stod(fmt::format("{:.2f}", number.get<double>() * 100));
  }
  return value;
}

}  // namespace

std::string eval_table(const Evaluation& evaluation) {
  std::string out = fmt::format("CaRB dev, model {}, {} threads, {}\n", evaluation.model,
                                evaluation.threads, evaluation.kernels);
  append_presets(out, evaluation);
  return out;
}

std::string eval_json(const Evaluation& evaluation) {
  ordered_json value = {{"model", evaluation.model},
                        {"threads", evaluation.threads},
                        {"kernels", evaluation.kernels},
                        {"presets", ordered_json::array()}};
  for (const EvaluatedPreset& preset : evaluation.presets) {
    ordered_json entry = {{"preset", preset.name},
                          {"samples", preset.samples},
                          {"steps", preset.steps},
                          {"sentences_per_s", preset.sentences_per_s}};
    for (std::size_t i = 0; i < kDevParts.size(); ++i) {
      entry["parts"][to_string(kDevParts[i])] = to_json(preset.parts[i]);
    }
    value["presets"].push_back(std::move(entry));
  }
  return dumped(value);
}

std::string measured_json(const Evaluation& evaluation) {
  ordered_json value = {{"benchmark", "CaRB dev"},
                        {"kernels", evaluation.kernels},
                        {"presets", ordered_json::object()}};
  for (const EvaluatedPreset& preset : evaluation.presets) {
    ordered_json& entry = value["presets"][preset.name];
    for (std::size_t i = 0; i < kDevParts.size(); ++i) {
      entry[to_string(kDevParts[i])] = rounded(preset.parts[i]);
    }
    entry["check"] = rounded(preset.check);
  }
  return dumped(value);
}

}  // namespace diffie::cli

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

std::string percent(double share) { return fmt::format("{:.2f}", share * 100); }

void append_parts(std::vector<Cells>& lines, const EvaluatedPreset& preset,
                  const EvaluatedList& list, bool everything) {
  for (std::size_t i = 0; i < kDevParts.size(); ++i) {
    const Quality& quality = list.parts[i];
    const bool first = i == 0;
    lines.push_back(
        {first ? preset.name + (everything ? ", all" : "") : "",
         first ? std::to_string(preset.samples) : "", first ? std::to_string(preset.steps) : "",
         to_string(kDevParts[i]), std::to_string(quality.sentences), cell(quality.carb),
         cell(quality.carb_1_1), percent(quality.strict_f1), fmt::format("{:.2f}", quality.triples),
         percent(quality.holes), first ? fmt::format("{:.1f}", preset.sentences_per_s) : ""});
  }
}

void append_presets(std::string& out, const Evaluation& evaluation) {
  std::vector<Cells> lines = {{"preset", "n", "steps", "part", "sentences", "carb F1 / AUC",
                               "carb_1_1 F1 / AUC", "strict F1", "triples", "holes %", "sent/s"}};
  for (const EvaluatedPreset& preset : evaluation.presets) {
    append_parts(lines, preset, preset.own, false);
    if (preset.everything) append_parts(lines, preset, *preset.everything, true);
  }
  append_table(out, lines, 1);
}

void append_benchie(std::string& out, const Evaluation& evaluation) {
  std::vector<Cells> lines = {
      {"preset", "sentences", "own list from", "F1", "all: best from", "F1"}};
  for (const EvaluatedPreset& preset : evaluation.presets) {
    if (!preset.benchie) continue;
    const BenchieFigures& figures = *preset.benchie;
    lines.push_back({preset.name, std::to_string(figures.sentences),
                     fmt::format("{:.2f}", preset.min_confidence), percent(figures.f1),
                     fmt::format("{:.2f}", figures.best_threshold), percent(figures.best_f1)});
  }
  if (lines.size() == 1) return;
  out += "\nBenchIE, sentences 1 to 60\n";
  append_table(out, lines, 1);
}

ordered_json to_json(const Quality& quality) {
  return {{"sentences", quality.sentences},       {"carb_f1", quality.carb.f1},
          {"carb_auc", quality.carb.auc},         {"carb_1_1_f1", quality.carb_1_1.f1},
          {"carb_1_1_auc", quality.carb_1_1.auc}, {"strict_f1", quality.strict_f1},
          {"triples", quality.triples},           {"holes", quality.holes}};
}

ordered_json to_json(const EvaluatedList& list) {
  ordered_json value;
  for (std::size_t i = 0; i < kDevParts.size(); ++i)
    value[to_string(kDevParts[i])] = to_json(list.parts[i]);
  return value;
}

ordered_json to_json(const BenchieFigures& figures) {
  return {{"sentences", figures.sentences},
          {"f1", figures.f1},
          {"best_f1", figures.best_f1},
          {"best_threshold", figures.best_threshold}};
}

std::string dumped(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

// As people write them down: two digits, shares in per cent.
ordered_json rounded(ordered_json value) {
  for (auto& [key, number] : value.items()) {
    if (key == "sentences") continue;
    const bool share = key != "triples" && key != "best_threshold";
    number = std::stod(fmt::format("{:.2f}", number.get<double>() * (share ? 100 : 1)));
  }
  return value;
}

}  // namespace

std::string eval_table(const Evaluation& evaluation) {
  std::string out = fmt::format("CaRB dev, model {}, {} threads, {}\n", evaluation.model,
                                evaluation.threads, evaluation.kernels);
  append_presets(out, evaluation);
  append_benchie(out, evaluation);
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
    entry["min_confidence"] = preset.min_confidence;
    entry["parts"] = to_json(preset.own);
    if (preset.everything) entry["all_triples"] = to_json(*preset.everything);
    if (preset.benchie) entry["benchie"] = to_json(*preset.benchie);
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
      entry[to_string(kDevParts[i])] = rounded(to_json(preset.own.parts[i]));
    }
    entry["check"] = rounded(to_json(preset.check));
    if (preset.benchie) entry["benchie"] = rounded(to_json(*preset.benchie));
  }
  return dumped(value);
}

}  // namespace diffie::cli

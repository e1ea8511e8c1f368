#include "train/model_card.h"

#include <fmt/format.h>

#include <optional>

#include "settings/fields.h"

namespace diffie::train {
namespace {

std::string kind(const TrainConfig& config) {
  if (config.objective == Objective::kTagger) return "MC-dropout tagger (control; not diffusion)";
  switch (config.diffusion.kernel) {
    case diffusion::KernelKind::kAnchored:
      return "masked diffusion, anchored decoding";
    case diffusion::KernelKind::kAbsorbing:
      return "absorbing discrete diffusion (MDLM)";
    case diffusion::KernelKind::kUniform:
      break;
  }
  return "uniform discrete diffusion (D3PM)";
}

std::string architecture(const TrainConfig& config) {
  std::string text = fmt::format("- Encoder: BERT, {} layers of {}, {} heads; vocabulary {}.\n",
                                 config.encoder.layers, config.encoder.hidden, config.encoder.heads,
                                 config.encoder.vocab_size);
  if (config.objective == Objective::kTagger) return text + "- Head: one linear layer.\n";
  text += fmt::format("- Denoiser: {} layers of {}, {} heads; {} steps.\n", config.denoiser.layers,
                      config.denoiser.hidden, config.denoiser.heads, config.diffusion.steps);
  if (!has_judge(config)) return text;
  return text + fmt::format("- Judge: {} layers of {}, {} heads.\n", config.judge.layers,
                            config.judge.hidden, config.judge.heads);
}

std::string dev_table(const TrainConfig& config, std::span<const MetricRow> rows) {
  std::string table;
  for (const MetricRow& row : rows) {
    if (!row.dev) continue;
    table += fmt::format("| {:.0f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", row.epoch,
                         100 * row.dev->precision, 100 * row.dev->recall, 100 * row.dev->f1,
                         100 * row.dev->auc);
  }
  if (table.empty()) return "No evaluation was made during the run.\n";
  const Settings settings = eval_settings(config);
  return fmt::format(
             "CaRB (`carb`) on the development set during the run: n = {}, k = {}, steps = {}, "
             "rule `{}`, selector `{}`, tau = {}.\n\n"
             "| epoch | P | R | F1 | AUC |\n|---|---|---|---|---|\n",
             settings.samples, settings.top_k, settings.steps, settings::name_of(settings.rule),
             settings::name_of(settings.selector), settings.tau) +
         table;
}

}  // namespace

std::string model_card(const TrainConfig& config, const RunFacts& facts,
                       std::span<const MetricRow> rows) {
  std::optional<double> loss;
  for (const MetricRow& row : rows) {
    if (row.loss) loss = row.loss;
  }
  std::string card = fmt::format(
      "# {}\n\nTags the words of an English sentence as subject, relation, object or background; "
      "its likely tag\nsequences give (subject; relation; object) triples. Kind: {}.\n\n"
      "{}- Parameters: {}.\n\n## Training\n\n"
      "{} instances over {} sentences, {} steps of {} {} with {} noise level{} each, {} of "
      "computing. Last training loss {}.\nAll settings: `train.toml` beside this file.\n\n",
      config.name, kind(config), architecture(config), facts.parameters, facts.instances,
      facts.sentences, facts.steps, config.batch_size,
      config.whole_sentences ? "sentences with all their instances," : "instances", config.levels,
      config.levels == 1 ? "" : "s", clock_text(facts.seconds),
      loss ? fmt::format("{:.4f}", *loss) : "not logged");
  for (const auto& [key, value] : facts.provenance) card += fmt::format("- {}: {}\n", key, value);
  card += "\n## Measured\n\n" + dev_table(config, rows);
  card +=
      "\n## Limits\n\nEnglish, one sentence at a time, triples whose words stand in the sentence. "
      "Nothing is checked against the\nworld: a triple says what the sentence says, or seems to. "
      "Confidence ranks the triples of a sentence; it is\nnot a calibrated probability.\n";
  return card;
}

}  // namespace diffie::train

// Versions 2 and 3 of config.json, a ranker of version 1 with the features of implied words, pools
// with them, and a training file, output.
#include "data/training_file.h"
#include "diffie/model_files.h"
#include "diffie/output.h"
#include "diffie/tag_pool.h"
#include "io/model_dir.h"
#include "toy_ranker.h"

using namespace diffie;

namespace {

void write_config(const std::filesystem::path& dir, const io::ModelConfig& config) {
  write_model_document(dir, "config.json", io::to_json(config));
}

void write_outputs(const std::filesystem::path& dir) {
  SentenceResult found;
  found.extractions = {{"Ada", "wrote", "it", 0.9375, {{0, 3}}, {{4, 9}}, {{10, 12}}, {}},
                       {"Ada", "is", "it", 0.25, {{0, 3}}, {}, {{10, 12}}, {"is"}}};
  for (const auto& [name, format] : {std::pair("implied.jsonl", OutputFormat::kJsonl),
                                     std::pair("implied.tsv", OutputFormat::kTsv),
                                     std::pair("implied.carb", OutputFormat::kCarb)}) {
    std::string text;
    append_result(text, format, "Ada wrote it", found, Source{"a.txt", {0, 12}});
    append_result(text, format, "It is so", {});
    write(dir / name, text);
  }
}

}  // namespace

int main(int, char** argv) {
  const std::filesystem::path out = argv[1];
  InitOptions options;
  options.name = "old";
  options.vocab = argv[2];
  options.encoder_layers = options.denoiser_layers = 1;
  options.encoder_hidden = options.denoiser_hidden = 4;
  options.encoder_heads = options.denoiser_heads = 2;
  options.seed = 2;
  options.weights = WeightType::kF16;

  init_model(out / "models/v2-shortcuts", options);
  io::ModelConfig config = io::ModelDir::open(out / "models/v2-shortcuts").config();
  io::PresetConfig& preset = config.presets.at("balanced");
  preset.steps = 3;
  preset.times = {16, 8, 2};
  preset.shared = {64, 16, 1};
  preset.stratified = true;
  write_config(out / "models/v2-shortcuts", config);
  preset.last_temperature = 0.5;
  write(out / "refused/v2-last-temperature.json", io::to_json(config));

  init_model(out / "models/v3-implied-words", options);
  config = io::ModelDir::open(out / "models/v3-implied-words").config();
  config.implied_words = {"is", "of", "has"};
  config.presets.at("balanced").selector = "learned";
  write_config(out / "models/v3-implied-words", config);
  const std::string ranker = to_json(toy_ranker());
  write(out / "rankers/v1-88-features.json", ranker);
  write_model_document(out / "models/v3-implied-words", "ranker.json", ranker);

  TagPool pool{
      "Vienna lies on the Danube", {"Vienna", "lies", "on", "the", "Danube", "is", "of"}, {}, 2};
  pool.tags = {{"SRROOBB", 40}, {"SBBBORR", 24}};
  std::string pools;
  append_tag_pool(pools, pool);
  append_tag_pool(pools, {"Ada wrote it", {"Ada", "wrote", "it"}, {{"SRO", 64}}, 0});
  write(out / "pools/implied-words.jsonl", pools);

  data::TrainingSet set;
  set.piece_ids = {23, 15, 18, 21, 10};
  set.word_of_piece = {0, 1, 2, 3, 4};
  set.sentence_offsets = {0, 5};
  set.sentence_row = {7};
  set.instance_sentence = {0};
  set.instance_offsets = {0, 5};
  set.tags = {1, 2, 2, 3, 3};
  set.instance_weight = {1};
  set.instance_category = {0};
  set.metadata = {{"source", "toy"}};
  std::filesystem::create_directories(out / "training");
  data::write_training_file(out / "training/plain.safetensors", set);
  write_outputs(out / "outputs");
}

// Version 4 of config.json with both of its novelties, the judge and the anchored kernel, rankers
// of schema 2, judged pools, a training file with judgements, output with factuality.
#include "diffie/lab/model_files.h"
#include "diffie/lab/tag_pool.h"
#include "diffie/output.h"
#include "lab/data/training_file.h"
#include "model_dir/model_dir.h"
#include "toy_ranker.h"

using namespace diffie;

int main(int, char** argv) {
  const std::filesystem::path out = argv[1];
  InitOptions options;
  options.name = "old";
  options.vocab = argv[2];
  options.encoder_layers = options.denoiser_layers = options.judge_layers = 1;
  options.encoder_hidden = options.denoiser_hidden = options.judge_hidden = 4;
  options.encoder_heads = options.denoiser_heads = options.judge_heads = 2;
  options.kernel = "absorbing";
  options.seed = 3;
  init_model(out / "models/v4-absorbing-judge-fp32", options);

  options.kernel = "anchored";
  options.weights = WeightType::kI8;
  const std::filesystem::path anchored = out / "models/v4-anchored-judge-int8";
  init_model(anchored, options);
  extract::Ranker ranker = toy_ranker();
  ranker.schema = 2;
  write(out / "rankers/v2-schema-2.json", extract::to_json(ranker));
  ranker.walk = extract::Walk::kJudged;
  write(out / "rankers/v3-judged-walk.json", extract::to_json(ranker));
  write_model_document(anchored, "ranker.json", extract::to_json(ranker));
  model_dir::ModelConfig config = model_dir::ModelDir::open(anchored).config();
  config.implied_words = {"is", "of"};
  Settings& preset = config.presets.at("balanced");
  preset.selector = SelectorKind::kLearned;
  preset.judged = 16;
  preset.tidy = true;
  write_model_document(anchored, "config.json", model_dir::to_json(config));

  std::string pools;
  append_tag_pool(
      pools,
      {"Ada wrote it", {"Ada", "wrote", "it"}, {{"SRO", 900000, 0.75f, 0.875f}, {"SRB", 148576}}});
  write(out / "pools/judged.jsonl", pools);

  data::TrainingSet set;
  set.piece_ids = {7, 24, 14};
  set.word_of_piece = {0, 1, 2};
  set.sentence_offsets = {0, 3};
  set.sentence_row = {0};
  set.instance_sentence = {0, 0};
  set.instance_offsets = {0, 3, 6};
  set.tags = {1, 2, 3, 1, 2, 0};
  set.instance_weight = {1, 0.5f};
  set.instance_category = {0, 0};
  set.instance_judgement = {1, 1, -1, -1};
  std::filesystem::create_directories(out / "training");
  data::write_training_file(out / "training/judged.safetensors", set);

  Factuality denied{Polarity::kNegative, Modality::kPossible, Attribution{"Bob", {{20, 23}}}};
  SentenceResult found;
  found.extractions = {
      {"Ada", "never wrote", "it", 0.75, {{0, 3}}, {{4, 15}}, {{16, 18}}, {}, denied}};
  std::string text;
  append_result(text, OutputFormat::kJsonl, "Ada never wrote it, Bob says", found);
  write(out / "outputs/factuality.jsonl", text);
}

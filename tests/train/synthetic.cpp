#include "synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace diffie::train {
namespace {

using Words = std::vector<std::string>;

const Words kNames = {"ada", "bob", "cleo", "dan", "eve", "fay"};
const Words kAdverbs = {"often", "rarely", "once", "soon"};
const Words kVerbs = {"fed", "led", "hit", "won", "dug", "cut", "sold", "saw"};
const Words kObjects = {"cat", "dog", "cow", "hen", "car", "map", "cup", "hat"};

struct Maker {
  std::mt19937_64 random;

  const std::string& pick(const std::vector<std::string>& from) {
    return from[random() % from.size()];
  }
  bool chance(unsigned percent) { return random() % 100 < percent; }
};

struct Fact {
  std::string tags;  // BSRO per word
};
struct Example {
  std::vector<std::string> words;
  std::vector<Fact> facts;
};

// "NAME [adverb] VERB OBJECT [and OBJECT]": each object is a fact of its own.
Example make_example(Maker& maker) {
  Example example;
  example.words.push_back(maker.pick(kNames));
  if (maker.chance(40)) example.words.push_back(maker.pick(kAdverbs));
  const std::size_t verb = example.words.size();
  example.words.push_back(maker.pick(kVerbs));
  std::vector<std::size_t> objects = {example.words.size()};
  example.words.push_back(maker.pick(kObjects));
  if (maker.chance(70)) {
    example.words.push_back("and");
    objects.push_back(example.words.size());
    example.words.push_back(maker.pick(kObjects));
  }
  for (const std::size_t object : objects) {
    Fact fact{std::string(example.words.size(), 'B')};
    fact.tags[0] = 'S';
    fact.tags[verb] = 'R';
    fact.tags[object] = 'O';
    example.facts.push_back(fact);
  }
  return example;
}

std::vector<std::string> vocabulary() {
  std::vector<std::string> words = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "and"};
  for (const Words* list : {&kNames, &kAdverbs, &kVerbs, &kObjects}) {
    words.insert(words.end(), list->begin(), list->end());
  }
  return words;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void append(const Example& example, const std::vector<std::string>& vocab, TrainingSet& set) {
  for (std::size_t word = 0; word < example.words.size(); ++word) {
    const auto place = std::find(vocab.begin(), vocab.end(), example.words[word]);
    set.piece_ids.push_back(static_cast<std::int32_t>(place - vocab.begin()));
    set.word_of_piece.push_back(static_cast<std::int32_t>(word));
  }
  set.sentence_offsets.push_back(static_cast<std::int32_t>(set.piece_ids.size()));
  set.sentence_row.push_back(static_cast<std::int32_t>(set.sentence_row.size()));
  for (const Fact& fact : example.facts) {
    set.instance_sentence.push_back(static_cast<std::int32_t>(set.num_sentences()) - 1);
    for (const char tag : fact.tags) {
      set.tags.push_back(static_cast<std::uint8_t>(std::string_view("BSRO").find(tag)));
    }
    set.instance_offsets.push_back(static_cast<std::int32_t>(set.tags.size()));
    set.instance_weight.push_back(1);
    set.instance_category.push_back(0);
  }
}

}  // namespace

SyntheticTask make_synthetic_task(std::size_t train_sentences, std::size_t dev_sentences,
                                  std::uint64_t seed) {
  Maker maker{std::mt19937_64(seed)};
  const std::vector<std::string> vocab = vocabulary();
  SyntheticTask task;
  for (const std::string& word : vocab) task.vocab += word + "\n";
  task.train.sentence_offsets = {0};
  task.train.instance_offsets = {0};
  for (std::size_t i = 0; i < train_sentences; ++i) append(make_example(maker), vocab, task.train);
  for (std::size_t i = 0; i < dev_sentences; ++i) {
    const Example example = make_example(maker);
    task.sentences.push_back(join(example.words));
    for (const Fact& fact : example.facts) {
      task.gold +=
          fmt::format("{}\t{}\t{}\t{}\n", task.sentences.back(), example.words[fact.tags.find('R')],
                      example.words[0], example.words[fact.tags.find('O')]);
    }
  }
  return task;
}

TrainConfig tiny_config(const SyntheticTask& task) {
  const std::filesystem::path path = std::filesystem::path(DIFFIE_SOURCE_DIR) / "configs/tiny.toml";
  TrainConfig config = read_train_config(path);
  config.encoder.vocab_size =
      static_cast<std::int32_t>(std::count(task.vocab.begin(), task.vocab.end(), '\n'));
  return config;
}

}  // namespace diffie::train

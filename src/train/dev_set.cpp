#include "train/dev_set.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "extract/role_letters.h"
#include "extract/selector.h"
#include "files/read_file.h"
#include "text/lowercase.h"

namespace diffie::train {
namespace {

using extract::Role;

void append_words(std::string_view text, const Tokenizer& tokenizer, TextSentence& sentence) {
  const text::Sentence tokens =
      text::tokenize_sentence(tokenizer, text, text::WordMode::kPretokenized);
  for (const text::Word& word : tokens.words) {
    sentence.words.emplace_back(text.substr(word.bytes.begin, word.bytes.end - word.bytes.begin));
    sentence.lower_words.push_back(text::lowercase(sentence.words.back()));
    sentence.piece_counts.push_back(word.num_pieces);
  }
  sentence.piece_ids.insert(sentence.piece_ids.end(), tokens.piece_ids.begin(),
                            tokens.piece_ids.end());
}

TextSentence make_sentence(std::string text, const Tokenizer& tokenizer, std::size_t max_pieces,
                           std::span<const std::string> implied) {
  TextSentence sentence;
  append_words(text, tokenizer, sentence);
  if (!sentence.words.empty()) {
    for (const std::string& word : implied) append_words(word, tokenizer, sentence);
    sentence.num_implied = implied.size();
  }
  if (sentence.piece_ids.size() > max_pieces) sentence.piece_ids.clear();
  sentence.text = std::move(text);
  return sentence;
}

std::string join(const TextSentence& sentence, std::span<const std::uint32_t> word_indices) {
  std::string result;
  for (const std::uint32_t index : word_indices) {
    if (!result.empty()) result += ' ';
    result += sentence.words[index];
  }
  return result;
}

}  // namespace

std::vector<TextSentence> read_sentences(const std::filesystem::path& path,
                                         const Tokenizer& tokenizer, std::size_t max_pieces,
                                         std::span<const std::string> implied) {
  std::istringstream in(files::read_text_file(path));
  std::vector<TextSentence> sentences;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    sentences.push_back(make_sentence(std::move(line), tokenizer, max_pieces, implied));
  }
  return sentences;
}

WordTagPool pool_of_tags(const TextSentence& sentence, std::span<const std::uint8_t> tags) {
  std::map<std::string, std::uint32_t> counts;
  const std::size_t pieces = sentence.piece_ids.size();
  std::vector<Role> roles(sentence.words.size());
  std::string key(roles.size(), 'B');
  for (std::size_t begin = 0; pieces > 0 && begin < tags.size(); begin += pieces) {
    extract::piece_roles_to_words(tags.subspan(begin, pieces), sentence.piece_counts, roles,
                                  sentence.num_implied);
    for (std::size_t i = 0; i < roles.size(); ++i) key[i] = extract::letter_of(roles[i]);
    ++counts[key];
  }
  WordTagPool pool;
  for (const auto& [tags_of_words, count] : counts) pool.push_back({tags_of_words, count});
  std::stable_sort(pool.begin(), pool.end(),
                   [](const WordTagCount& a, const WordTagCount& b) { return a.count > b.count; });
  return pool;
}

std::vector<PredictedTuple> select_tuples(const TextSentence& sentence, const WordTagPool& pool,
                                          const Settings& settings) {
  extract::CandidateSetBuilder builder(sentence.lower_words, extract::PoolRules(settings),
                                       sentence.num_implied);
  std::vector<Role> roles(sentence.words.size());
  for (const WordTagCount& entry : pool) {
    for (std::size_t i = 0; i < roles.size(); ++i) {
      roles[i] = extract::role_of(entry.tags[i]);
    }
    builder.add(roles, entry.count);
  }
  std::vector<PredictedTuple> tuples;
  const auto selector = extract::make_selector(settings);
  for (const extract::RankedTriple& ranked : selector->select(builder.finish())) {
    const auto& [subject, relation, object] = ranked.triple.words;
    tuples.push_back({join(sentence, extract::reading_order(relation, sentence.lower_words,
                                                            sentence.num_implied)),
                      {join(sentence, subject), join(sentence, object)},
                      ranked.confidence});
  }
  return tuples;
}

DevSet::DevSet(std::vector<TextSentence> sentences, const std::filesystem::path& gold,
               const Settings& settings)
    : sentences_(std::move(sentences)),
      gold_(read_gold(gold.string(), Measure::kCarb)),
      settings_(settings) {
  extract::make_selector(settings);
}

DevScore DevSet::score(std::span<const WordTagPool> pools) const {
  SystemOutput output;
  output.name = "dev";
  for (std::size_t i = 0; i < sentences_.size(); ++i) {
    output.sentences.push_back(
        {"", sentences_[i].text, select_tuples(sentences_[i], pools[i], settings_)});
  }
  const Score score = score_system(gold_, output, Measure::kCarb);
  return {score.precision, score.recall, score.f1, score.auc.value_or(0)};
}

}  // namespace diffie::train

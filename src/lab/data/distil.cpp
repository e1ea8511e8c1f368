#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "checksums/sha256.h"
#include "diffie/error.h"
#include "diffie/lab/data.h"
#include "diffie/lab/tag_pool.h"
#include "diffie/text.h"
#include "diffie/version.h"
#include "extract/role_letters.h"
#include "lab/data/packer.h"
#include "lab/data/sentence_identity.h"
#include "lab/data/training_file.h"
#include "lab/rank/gold.h"
#include "lab/score/sentence_key.h"
#include "text/sentence.h"

namespace diffie::data {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, what);
}

std::string join(std::span<const std::string> words) {
  return fmt::format("{}", fmt::join(words, " "));
}

bool is_complete(std::string_view tags) {
  return tags.find('S') != tags.npos && tags.find('R') != tags.npos && tags.find('O') != tags.npos;
}

// How often each entry is drawn. Systematic resampling: the entries lie on a line, each as long as
// its count, and `draws` points stand on it at even distances from a random start. An entry is
// drawn draws * count / total times on average, and less than one more or less than that.
std::vector<std::uint64_t> draw(std::span<const TagCount> entries, std::uint64_t draws,
                                std::uint64_t random) {
  std::uint64_t total = 0;
  for (const TagCount& entry : entries) total += entry.count;
  const std::uint64_t start = random % total;  // in units of 1 / draws, as are all places
  const auto points_before = [&](std::uint64_t place) {
    return place <= start ? 0 : (place - start - 1) / total + 1;
  };
  std::vector<std::uint64_t> times;
  std::uint64_t begin = 0;
  for (const TagCount& entry : entries) {
    const std::uint64_t end = begin + entry.count * draws;
    times.push_back(points_before(end) - points_before(begin));
    begin = end;
  }
  return times;
}

class Distiller {
 public:
  Distiller(const Tokenizer& tokenizer, const DistilOptions& options, TrainingSet front)
      : tokenizer_(tokenizer), options_(options), excluded_(read_identities(options.exclude)) {
    counts_.added_sentences = front.num_sentences();
    counts_.added_instances = front.num_instances();
    if (!options.add.empty()) implied_ = front.metadata["implied_words"];
    packer_ = Packer(std::move(front));
    if (options.gold.empty()) return;
    for (Row& row : read_rows(options.gold)) {
      gold_[score::sentence_key(row.sentence)] = std::move(row.triples);
    }
  }

  // `file` numbers the files, so that two pools of a sentence are drawn from independently.
  void add(const TagPool& pool, std::uint64_t file) {
    const std::size_t row = counts_.sentences++;
    const std::span<const std::string> words = pool.words;
    const std::size_t in_sentence = words.size() - pool.num_implied;
    if (!words.empty()) check_implied(join(words.subspan(in_sentence)));
    const std::string spelling = join(words);
    if (excluded_.contains(score::sentence_key(pool.sentence)) ||
        excluded_.contains(score::sentence_key(join(words.first(in_sentence))))) {
      ++counts_.excluded_sentences;
      return;
    }
    const text::Sentence sentence =
        text::tokenize_sentence(tokenizer_, spelling, text::WordMode::kPretokenized);
    if (sentence.piece_ids.empty() || sentence.piece_ids.size() > kMaxTrainingPieces) {
      ++counts_.long_sentences;
    } else if (!same_words(sentence, spelling, pool)) {
      ++counts_.unmatched;
    } else {
      add_draws(pool, spelling, sentence, row, file);
    }
  }

  DistilCounts counts() const {
    DistilCounts counts = counts_;
    counts.kept_sentences = packer_.set().num_sentences() - counts.added_sentences;
    counts.instances = packer_.set().num_instances() - counts.added_instances;
    return counts;
  }
  TrainingSet take() { return packer_.take(); }

  // The pseudo-words of all sentences, separated by blanks.
  std::string implied() const { return implied_.value_or(""); }

 private:
  void check_implied(const std::string& words) {
    if (!implied_) implied_ = words;
    if (*implied_ == words) return;
    refuse(fmt::format("a pool has the pseudo-words '{}', what stands before it '{}'", words,
                       *implied_));
  }

  static bool same_words(const text::Sentence& sentence, std::string_view spelling,
                         const TagPool& pool) {
    if (sentence.words.size() != pool.words.size()) return false;
    for (std::size_t word = 0; word < pool.words.size(); ++word) {
      const Span bytes = sentence.words[word].bytes;
      if (spelling.substr(bytes.begin, bytes.end - bytes.begin) != pool.words[word]) return false;
    }
    return true;
  }

  // A pool's entries come by falling count.
  std::vector<TagCount> entries_to_draw(const TagPool& pool) const {
    std::vector<TagCount> entries;
    for (const TagCount& entry : pool.tags) {
      if (entries.size() == options_.max_per_sentence || entry.count < options_.min_count) break;
      if (is_complete(entry.tags)) entries.push_back(entry);
    }
    return entries;
  }

  void add_draws(const TagPool& pool, const std::string& spelling, const text::Sentence& sentence,
                 std::size_t row, std::uint64_t file) {
    counts_.samples += pool.num_samples();
    const std::vector<TagCount> entries = entries_to_draw(pool);
    if (entries.empty()) {
      ++counts_.empty_sentences;
      return;
    }
    const std::optional<rank::SentenceGold> gold = gold_of(pool);
    if (!options_.gold.empty() && !gold) {
      ++counts_.unmatched;
      return;
    }
    const std::int32_t place = packer_.add_sentence(spelling, sentence, row);
    const std::vector<double> weights = weights_of(pool, entries, spelling, file);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      counts_.kept_samples += entries[i].count;
      if (weights[i] == 0) continue;
      packer_.add_instance(place, sentence, entries[i].tags,
                           options_.weight * static_cast<float>(weights[i]), /*category=*/0);
      if (gold) add_judgement(*gold, pool, entries[i].tags);
    }
  }

  std::vector<double> weights_of(const TagPool& pool, std::span<const TagCount> entries,
                                 const std::string& spelling, std::uint64_t file) const {
    std::vector<double> weights;
    if (options_.draws == 0) {
      const auto all = static_cast<double>(pool.num_samples());
      for (const TagCount& entry : entries) weights.push_back(entry.count / all);
    } else {
      const std::uint64_t random = seeded_hash(spelling, seeded_hash("", options_.seed) + file);
      for (const std::uint64_t times : draw(entries, options_.draws, random)) {
        weights.push_back(static_cast<double>(times));
      }
    }
    return weights;
  }

  std::optional<rank::SentenceGold> gold_of(const TagPool& pool) const {
    const auto found = gold_.find(score::sentence_key(pool.sentence));
    if (found == gold_.end()) return std::nullopt;
    return rank::SentenceGold(pool.words, found->second, pool.num_implied);
  }

  void add_judgement(const rank::SentenceGold& gold, const TagPool& pool, std::string_view tags) {
    const std::vector<extract::Role> roles = extract::roles_of(tags);
    extract::Triple triple;
    if (!extract::construct_triple(roles, Rule::kAllRuns, triple, pool.num_implied)) return;
    const rank::SentenceGold::Match match = gold.match(triple);
    double exact = 0, lenient = 0;
    for (std::size_t fact = 0; fact < gold.size(); ++fact) {
      if (match.exact[fact]) exact = 1;
      lenient = std::max(lenient, score::f1(match.pairs[fact].precision, match.pairs[fact].recall));
    }
    lenient = std::min(lenient, 1.0);  // CaRB counts a leftover "be" twice
    packer_.add_judgement(static_cast<float>(exact), static_cast<float>(lenient));
  }

  const Tokenizer& tokenizer_;
  const DistilOptions& options_;
  std::unordered_set<std::string> excluded_;
  std::unordered_map<std::string, std::vector<Triple>> gold_;  // by sentence_key
  Packer packer_;
  DistilCounts counts_;
  std::optional<std::string> implied_;
};

// The file to put in front: made with the same vocabulary.
TrainingSet read_front(const DistilOptions& options) {
  if (options.add.empty()) return {};
  TrainingSet set = read_training_file(options.add);
  const std::string wanted = checksums::sha256_of_file(options.vocab);
  if (const std::string found = set.metadata["vocab_sha256"]; found != wanted) {
    refuse(fmt::format("{}: made with the vocabulary {}, the pools' is {}", options.add.string(),
                       found.empty() ? "(unknown)" : found, wanted));
  }
  return set;
}

std::map<std::string, std::string> provenance(const DistilOptions& options,
                                              const DistilCounts& counts,
                                              const std::string& implied) {
  std::vector<std::string> names, hashes;
  for (const std::filesystem::path& pool : options.pools) {
    names.push_back(pool.filename().string());
    hashes.push_back(checksums::sha256_of_file(pool));
  }
  const nlohmann::json options_json = {{"seed", options.seed},
                                       {"draws", options.draws},
                                       {"max_per_sentence", options.max_per_sentence},
                                       {"min_count", options.min_count},
                                       {"weight", options.weight}};
  const nlohmann::json counts_json = {{"sentences", counts.sentences},
                                      {"excluded_sentences", counts.excluded_sentences},
                                      {"long_sentences", counts.long_sentences},
                                      {"unmatched", counts.unmatched},
                                      {"empty_sentences", counts.empty_sentences},
                                      {"samples", counts.samples},
                                      {"kept_samples", counts.kept_samples},
                                      {"kept_sentences", counts.kept_sentences},
                                      {"instances", counts.instances},
                                      {"added_sentences", counts.added_sentences},
                                      {"added_instances", counts.added_instances}};
  std::map<std::string, std::string> metadata = {
      {"source", fmt::format("{}", fmt::join(names, " "))},
      {"source_sha256", fmt::format("{}", fmt::join(hashes, " "))},
      {"vocab_sha256", checksums::sha256_of_file(options.vocab)},
      {"aligner", "pools"},
      {"implied_words", implied},
      {"options", options_json.dump()},
      {"seed", std::to_string(options.seed)},
      {"counts", counts_json.dump()},
      {"tool", std::string("diffie ") + version()}};
  if (!options.exclude.empty())
    metadata["exclude_sha256"] = checksums::sha256_of_file(options.exclude);
  if (!options.add.empty()) metadata["added_sha256"] = checksums::sha256_of_file(options.add);
  if (!options.gold.empty()) metadata["gold_sha256"] = checksums::sha256_of_file(options.gold);
  return metadata;
}

}  // namespace

void DistilOptions::validate() const {
  constexpr std::size_t kMostDraws = 1'000'000;
  if (pools.empty()) refuse("no pools");
  if (draws > kMostDraws) {
    refuse(fmt::format("draws is {}, wanted 0 to {}", draws, kMostDraws));
  }
  if (max_per_sentence < 1) refuse("max_per_sentence is 0, wanted at least 1");
  if (!(weight > 0 && weight <= 1e6f)) {
    refuse(fmt::format("weight is {}, wanted above 0 and at most 1e6", weight));
  }
}

DistilCounts distil_training_file(const DistilOptions& options, const std::filesystem::path& out) {
  options.validate();
  const Tokenizer tokenizer = Tokenizer::from_vocab_file(options.vocab);
  Distiller distiller(tokenizer, options, read_front(options));
  for (std::size_t file = 0; file < options.pools.size(); ++file) {
    for_each_tag_pool(options.pools[file], [&](const TagPool& pool) { distiller.add(pool, file); });
  }
  const DistilCounts counts = distiller.counts();
  if (counts.sentences == 0) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: no sentences in it", options.pools.front().string()));
  }
  TrainingSet set = distiller.take();
  set.metadata = provenance(options, counts, distiller.implied());
  write_training_file(out, set);
  return counts;
}

}  // namespace diffie::data

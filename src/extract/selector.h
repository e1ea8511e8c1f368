// From a pool of tag sequences to ranked triples.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diffie/settings.h"

namespace diffie::extract {

enum class Role : std::uint8_t { kBackground, kSubject, kRelation, kObject };

// A candidate triple: word indices per role (subject, relation, object), ascending, none empty.
struct Triple {
  std::array<std::vector<std::uint32_t>, 3> words;

  friend auto operator<=>(const Triple&, const Triple&) = default;
};

// One role per word. The last `num_implied` words do not stand in the sentence: a relation has all
// of them that are tagged so, whatever the rule; other roles have none. False when a role is
// absent.
bool construct_triple(std::span<const Role> word_roles, Rule rule, Triple& triple,
                      std::size_t num_implied = 0);

// Whether an implied word is read before the words of the sentence (verbs), or after them.
bool reads_first(std::string_view implied_word);

// Words of a slot in the order in which they are read: implied verbs come first, other implied
// words last.
std::vector<std::uint32_t> reading_order(std::span<const std::uint32_t> slot,
                                         std::span<const std::string> words,
                                         std::size_t num_implied);

// A word has a role when all its pieces have it, else it is background; the last `num_implied`
// words are relation or background. piece_counts: pieces per word.
void piece_roles_to_words(std::span<const std::uint8_t> piece_tags,
                          std::span<const std::uint32_t> piece_counts, std::span<Role> word_roles,
                          std::size_t num_implied = 0);

struct Candidate {
  Triple triple;
  std::uint32_t count = 0;  // how many of the pool's samples gave exactly this triple
  // What the model's judge says, in [0, 1]; negative: it was not asked.
  float exact = -1;    // probability that a reader has this very triple
  float lenient = -1;  // expected lenient F1 with the best of a reader's

  bool is_judged() const { return exact >= 0; }
};

// The distinct triples of a sentence's samples, by falling count, ties by the triple itself.
struct CandidateSet {
  std::vector<std::string> words;  // lower-cased, as matched
  std::size_t num_implied = 0;     // of the words, at their end
  std::vector<Candidate> candidates;
  std::uint32_t num_samples = 0;  // n, those without a triple counted too
};

// What becomes of a sample's roles on the way into the pool.
struct PoolRules {
  PoolRules(Rule rule_of_runs)
      : rule(rule_of_runs) {}  // NOLINT: a rule alone is all the others off
  explicit PoolRules(const Settings& settings)
      : rule(settings.rule), tidy(settings.tidy), explicit_only(settings.explicit_only) {}

  Rule rule;
  bool tidy = false;           // extract/tidy.h; what says nothing is as a sample without a triple
  bool explicit_only = false;  // so is a triple whose relation has implied words alone
};

class TidySentence;  // extract/tidy.h

// Builds the pool of one sentence from word roles. Order of `add` calls does not matter. A relation
// has one implied verb at most, the one that more samples have. A triple is judged as the row that
// it is, or else as the best of those that become it.
class CandidateSetBuilder {
 public:
  CandidateSetBuilder(std::vector<std::string> lower_words, PoolRules rules,
                      std::size_t num_implied = 0);
  void add(std::span<const Role> word_roles, std::uint32_t count = 1, float exact = -1,
           float lenient = -1);
  // What each of these rows would become, with what was added so far; nullopt: no triple.
  std::vector<std::optional<Triple>> triples_of(std::span<const std::vector<Role>> rows) const;
  CandidateSet finish();  // once: the builder is empty afterwards and has no words

 private:
  std::vector<std::size_t> implied_verbs() const;
  bool make_triple(std::span<const Role> roles, const TidySentence& sentence, Triple& triple) const;

  std::vector<std::string> words_;
  PoolRules rules_;
  std::size_t num_implied_;
  std::uint32_t num_samples_ = 0;
  std::string key_;  // the roles of a row as bytes
  struct Row {
    std::uint32_t count = 0;
    float exact = -1;
    float lenient = -1;
  };
  std::unordered_map<std::string, Row> rows_;
};

struct Ranker;  // extract/ranker.h

struct RankedTriple {
  Triple triple;
  double confidence = 0;  // mass, gain or probability, in [0, 1]
};

// CandidateSet in, ranked triples out, by falling confidence; never more than top_k.
class Selector {
 public:
  virtual ~Selector() = default;
  virtual std::vector<RankedTriple> select(const CandidateSet& pool) const = 0;
};

// Of the settings: selector and what it reads. `learned` needs the ranker. Throws kInvalidArgument.
std::unique_ptr<Selector> make_selector(const Settings& settings,
                                        std::shared_ptr<const Ranker> ranker = nullptr);

// Lenient F1 of two triples: 2m / (n_i + n_j), m the role-wise word-multiset overlap.
double lenient_f1(const Triple& a, const Triple& b, std::span<const std::string> words);

}  // namespace diffie::extract

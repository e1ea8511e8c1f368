// Training data: sentences with (subject; relation; object) triples, and where their words stand.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

struct Triple {
  std::string subject;
  std::string relation;
  std::string object;  // may be empty
};

// A row of a source file. Words of a sentence are its white-space tokens.
struct Row {
  std::size_t number = 0;  // 0 for the first row after the header, if there is one
  std::string sentence;
  std::vector<Triple> triples;
};

// Reads any of three forms, told apart by the content:
//   tab-separated with the header `source<TAB>target` and CSV quoting (LSOIE-examples),
//   the same two columns without header and quoting,
//   JSON lines {"sentence": "...", "triples" or "extractions": [{"subject", "relation",
//   "object"}]}.
// A target is `subject <is> S <and> relation <is> R <and> object <is> O`, joined by `<then>`.
// Throws kNotFound, or kBadInput naming the line.
std::vector<Row> read_rows(const std::filesystem::path& path);
std::vector<Row> parse_rows(std::string_view text, const std::string& name);

// Row numbers, one a line; each must be below `num_rows` and occur once. Throws as read_rows.
std::vector<std::size_t> read_row_order(const std::filesystem::path& path, std::size_t num_rows);

// The first `count` rows in the given order (all rows when `count` is 0; file order when `order` is
// empty). The order is one that read_row_order gave. Throws kInvalidArgument when there are fewer.
std::vector<Row> take_rows(std::vector<Row> rows, std::span<const std::size_t> order,
                           std::size_t count);

enum class AlignerKind {
  kPaper,    // the filter of the paper: slots in the order S, R, O, every word as it is spelled
  kRecover,  // the cheapest placement of all slots under the relaxations below
};

// What an alignment needed beyond "verbatim, contiguous, S before R before O". Bits of a mask.
enum class Relaxation : std::uint8_t {
  kRoleOrder = 1,    // the slots stand in another order
  kPunctuation = 2,  // glued words, quotes, PTB brackets or punctuation differ
  kGaps = 4,         // a slot has words between its words
  kSkipped = 8,      // a function word of the triple is left out
  kInflected = 16,   // a word stands in another form of the same stem
  kReordered = 32,   // the words of a slot stand in another order
  kImplied = 64,     // a word of the relation is a pseudo-word after the sentence
  kEmptySlot = 128,  // the object is empty
};
inline constexpr std::array<Relaxation, 8> kRelaxations = {
    Relaxation::kRoleOrder, Relaxation::kPunctuation, Relaxation::kGaps,    Relaxation::kSkipped,
    Relaxation::kInflected, Relaxation::kReordered,   Relaxation::kImplied, Relaxation::kEmptySlot};
std::string_view name_of(Relaxation relaxation);  // "role-order", "punctuation", ...
std::string name_of_mask(std::uint8_t mask);      // names joined by '+'; "verbatim" for 0

struct Alignment {
  std::string tags;  // one of B, S, R, O per word; pseudo-words last where there are any
  std::uint8_t relaxations = 0;
};

struct AlignOptions {
  AlignerKind aligner = AlignerKind::kRecover;
  // Pseudo-words that are appended to every sentence, lower-cased, none twice; or nothing.
  std::vector<std::string> implied = {};
};

// The pseudo-words that models are trained with: those that relations most often have and their
// sentences lack.
std::vector<std::string> implied_words();

// Finds where triples stand in sentences. Immutable and safe to use from many threads.
class Aligner {
 public:
  explicit Aligner(AlignOptions options = {});

  // nullopt when the triple cannot be placed, each word of the sentence having at most one role.
  std::optional<Alignment> align(std::string_view sentence, const Triple& triple) const;
  // The same for all triples of a sentence.
  std::vector<std::optional<Alignment>> align(const Row& row) const;

 private:
  AlignOptions options_;
};

struct AlignCounts {
  std::size_t sentences = 0;
  std::size_t triplets = 0;
  std::size_t kept = 0;
};
AlignCounts count_aligned(std::span<const Row> rows, const Aligner& aligner);

struct BuildOptions {
  AlignOptions align;
  std::filesystem::path source;   // the file the rows came from, for its name and SHA-256
  std::filesystem::path vocab;    // vocab.txt of the encoder
  std::filesystem::path exclude;  // sentences, one a line, that must not be trained on; or empty
  std::uint64_t seed = 1;         // decides which sentence falls into which fold
  std::size_t folds = 0;          // 0: all sentences; else leave out fold `fold` ...
  std::size_t fold = 0;
  bool held_out = false;         // ... or keep that fold only
  bool keep_duplicates = false;  // keep instances with the same sentence and tags
  // Where to write the sentences as well, one a line: all that exclusion and folds leave, with or
  // without an instance; or empty.
  std::filesystem::path sentences;
  // Factors by Relaxation (in the order of kRelaxations), multiplied into an instance's weight.
  std::array<float, 8> weights = {1, 1, 1, 1, 1, 1, 1, 1};

  void validate() const;  // throws kInvalidArgument
};

struct BuildCounts {
  std::size_t sentences = 0;             // rows read
  std::size_t triplets = 0;              // triples of these rows
  std::size_t excluded_sentences = 0;    // rows left out: also in `exclude`,
  std::size_t other_fold_sentences = 0;  // in another fold,
  std::size_t long_sentences = 0;        // or more than 254 pieces
  std::size_t aligned = 0;               // triples aligned in the rows that remain
  std::size_t duplicates = 0;            // of these, same sentence and same tags again
  std::size_t unmatched = 0;             // of these, words and the tokenizer's words disagree
  std::size_t instances = 0;             // written
  std::size_t kept_sentences = 0;        // written: with at least one instance
};

// Aligns, tokenizes and writes the training file (docs/data.md), the same bytes for the same input
// and options. Throws as read_rows, and kCorruptModel for a bad vocabulary.
BuildCounts build_training_file(std::span<const Row> rows, const BuildOptions& options,
                                const std::filesystem::path& out);

struct DistilOptions {
  std::vector<std::filesystem::path> pools;  // files of tag pools (diffie/tag_pool.h)
  std::filesystem::path add;                 // a training file to put in front; or empty
  std::filesystem::path vocab;               // vocab.txt of the encoder
  std::filesystem::path exclude;             // as in BuildOptions
  std::uint64_t seed = 1;                    // decides what is drawn
  std::size_t draws = 8;                     // tag sequences drawn for a sentence of a file; 0:
                                             // each is taken, its share its weight
  std::filesystem::path gold;         // rows whose triples judge those of the pools; or empty
  std::size_t max_per_sentence = 24;  // drawn among this many, the most frequent
  std::uint32_t min_count = 1;        // and among those sampled at least this often
  float weight = 1;                   // of a drawn sequence, where a gold triple has 1

  void validate() const;  // throws kInvalidArgument
};

struct DistilCounts {
  std::size_t sentences = 0;           // pools read
  std::size_t excluded_sentences = 0;  // left out: also in `exclude`,
  std::size_t long_sentences = 0;      // no pieces or more than 254,
  std::size_t unmatched = 0;           // a word that is empty or has white space in it,
  std::size_t empty_sentences = 0;     // or no tag sequence that may be drawn
  std::uint64_t samples = 0;           // of the sentences that remain
  std::uint64_t kept_samples = 0;      // of these, their tag sequence may be drawn
  std::size_t kept_sentences = 0;      // written, each spelling once
  std::size_t instances = 0;           // written
  std::size_t added_sentences = 0;     // of the file that was put in front
  std::size_t added_instances = 0;
};

// Writes a training file whose instances are drawn from pools: from each pool `draws` tag sequences
// that have a subject, a relation and an object, with a probability that is their share of such
// samples; equal ones become one instance with their number, times `weight`, as its weight. With
// `gold`, an instance says whether it equals a triple of its sentence there, and the lenient F1
// with the nearest (instance_judgement); sentences that are not there are left out. The same bytes
// for the same input and options. Throws as read_tag_pools and as build_training_file, and
// kInvalidArgument when `add` or a pool has another vocabulary or other pseudo-words.
DistilCounts distil_training_file(const DistilOptions& options, const std::filesystem::path& out);

struct ReportOptions {
  std::filesystem::path source;  // for its name
  std::size_t examples = 4;      // drawn from each category
  std::uint64_t seed = 1;        // decides which
};

// Writes an HTML page without outside resources: both aligners over the rows, by category, relation
// type, construction, length, role order and discontinuity, with examples.
void write_report(std::span<const Row> rows, const ReportOptions& options,
                  const std::filesystem::path& out);

}  // namespace diffie::data

// Places a triple in its sentence under every relaxation that keeps what it says.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/fine_words.h"
#include "data/placement.h"
#include "data/word_forms.h"
#include "diffie/data.h"

namespace diffie::data {

// One sentence, to which any number of triples can be aligned.
class RecoverAligner {
 public:
  // `implied` are the pseudo-words after the sentence, if any.
  RecoverAligner(std::string_view sentence, std::span<const std::string_view> implied,
                 WordForms& forms);

  std::optional<Alignment> align(const Triple& triple);

 private:
  // A fine word of a slot and the place it got.
  struct Target {
    FineWord word;
    std::uint32_t role = 0;  // 0 subject, 1 relation, 2 object
    bool counts = true;      // is to be placed: no punctuation, or in a slot of nothing else
    std::vector<std::string> stems;
    std::optional<Candidate> place;
    bool implied = false;  // stands on its pseudo-word
  };
  using Targets = std::vector<Target>;
  struct Extent {  // first > last: nothing placed
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    std::int32_t last = std::numeric_limits<std::int32_t>::min();
  };

  Targets targets_of(const Triple& triple) const;
  std::vector<Candidate> candidates(std::span<const Target> slot, std::size_t index) const;
  bool covers_word(std::span<const Target> slot, std::size_t index, std::uint32_t fine) const;
  bool place(Targets& targets, bool with_relation);
  static Extent extent(const Targets& targets, std::uint32_t role);
  bool settle_function_relation(Targets& targets) const;
  std::optional<Alignment> alignment(const Triple& triple, Targets targets) const;
  bool tag_words(const Targets& targets, std::vector<char>& fine_tags, std::string& tags) const;
  void tag_punctuation(const Targets& targets, std::vector<char>& fine_tags) const;
  void tag_implied(Targets& targets, std::string& tags) const;
  std::uint8_t relaxations(const Triple& triple, const Targets& targets,
                           const std::string& tags) const;
  bool verbatim_words(const Triple& triple, const Targets& targets, const std::string& tags) const;

  std::vector<std::string> words_;  // lower-cased white-space words
  std::vector<FineWord> fine_;
  std::vector<std::int32_t>
      at_;  // per fine word: how many fine words that are no punctuation precede
  std::vector<std::vector<std::string>> stems_;  // per fine word
  std::span<const std::string_view> implied_;
  WordForms& forms_;
};

}  // namespace diffie::data

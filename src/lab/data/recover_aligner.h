// Places a triple in its sentence under every relaxation that keeps what it says.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diffie/lab/data.h"
#include "lab/data/slot_targets.h"
#include "lab/data/word_forms.h"

namespace diffie::data {

// One sentence, to which any number of triples can be aligned.
class RecoverAligner {
 public:
  // `implied` are the pseudo-words after the sentence, if any.
  RecoverAligner(std::string_view sentence, std::span<const std::string> implied, WordForms& forms);

  std::optional<Alignment> align(const Triple& triple);

 private:
  struct Extent {  // first > last: nothing placed
    std::int32_t first = 1 << 24;
    std::int32_t last = -(1 << 24);
  };

  Targets targets_of(const Triple& triple) const;
  std::vector<Candidate> candidates(std::span<const Target> slot, std::size_t index) const;
  bool covers_word(std::span<const Target> slot, std::size_t index, std::uint32_t fine) const;
  bool place(Targets& targets, bool with_relation);
  static Extent extent(const Targets& targets, std::uint32_t role);
  bool settle_function_relation(Targets& targets) const;

  FineSentence sentence_;
  std::span<const std::string> implied_;
  WordForms& forms_;
};

}  // namespace diffie::data

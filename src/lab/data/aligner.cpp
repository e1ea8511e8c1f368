#include <fmt/format.h>

#include <utility>

#include "diffie/error.h"
#include "diffie/lab/data.h"
#include "lab/data/paper_aligner.h"
#include "lab/data/recover_aligner.h"
#include "lab/data/word_forms.h"
#include "model_dir/model_config.h"

namespace diffie::data {

std::string_view name_of(Relaxation relaxation) {
  switch (relaxation) {
    case Relaxation::kRoleOrder:
      return "role-order";
    case Relaxation::kPunctuation:
      return "punctuation";
    case Relaxation::kGaps:
      return "gaps";
    case Relaxation::kSkipped:
      return "skipped";
    case Relaxation::kInflected:
      return "inflected";
    case Relaxation::kReordered:
      return "reordered";
    case Relaxation::kImplied:
      return "implied";
    case Relaxation::kEmptySlot:
      return "empty-slot";
  }
  return "unknown";
}

std::string name_of_mask(std::uint8_t mask) {
  std::string names;
  for (const Relaxation relaxation : kRelaxations) {
    if ((mask & static_cast<std::uint8_t>(relaxation)) == 0) continue;
    if (!names.empty()) names += '+';
    names += name_of(relaxation);
  }
  return names.empty() ? "verbatim" : names;
}

Aligner::Aligner(AlignOptions options) : options_(std::move(options)) {
  if (!options_.implied.empty() && options_.aligner == AlignerKind::kPaper) {
    throw Error(ErrorCode::kInvalidArgument, "the paper's aligner knows no implied words");
  }
  if (const auto problem = model_dir::implied_words_problem(options_.implied))
    throw Error(ErrorCode::kInvalidArgument, "implied words: " + *problem);
}

std::vector<std::string> implied_words() { return {"is", "are", "was", "were", "has", "had"}; }

std::optional<Alignment> Aligner::align(std::string_view sentence, const Triple& triple) const {
  return align(Row{0, std::string(sentence), {triple}}).front();
}

std::vector<std::optional<Alignment>> Aligner::align(const Row& row) const {
  std::vector<std::optional<Alignment>> alignments;
  if (options_.aligner == AlignerKind::kPaper) {
    for (const Triple& triple : row.triples)
      alignments.push_back(align_paper(row.sentence, triple));
    return alignments;
  }
  WordForms forms;
  RecoverAligner aligner(row.sentence, options_.implied, forms);
  for (const Triple& triple : row.triples) alignments.push_back(aligner.align(triple));
  return alignments;
}

AlignCounts count_aligned(std::span<const Row> rows, const Aligner& aligner) {
  AlignCounts counts;
  for (const Row& row : rows) {
    ++counts.sentences;
    counts.triplets += row.triples.size();
    for (const auto& alignment : aligner.align(row)) counts.kept += alignment ? 1 : 0;
  }
  return counts;
}

}  // namespace diffie::data

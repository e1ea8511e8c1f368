#include "diffie/lab/holes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie {
namespace {

constexpr std::size_t kMaxBetween = 3;  // adverbs and negations in a gap

// Beside what ends with "ly".
constexpr auto kAdverbs = std::to_array<std::string_view>(
    {"not",   "n't",   "'t",    "never", "no",     "also",    "always", "often",     "already",
     "still", "now",   "just",  "ever",  "even",   "once",    "soon",   "then",      "therefore",
     "thus",  "too",   "twice", "yet",   "later",  "again",   "almost", "sometimes", "perhaps",
     "first", "since", "long",  "both",  "all",    "instead", "far",    "further",   "quite",
     "very",  "much",  "so",    "well",  "seldom", "rather",  "ago",    "longer",    "however"});

bool is_adverb(std::string_view word) {
  return (word.size() > 4 && word.ends_with("ly")) ||
         std::find(kAdverbs.begin(), kAdverbs.end(), word) != kAdverbs.end();
}

bool lies_in(const Span& span, const Span& gap) {
  return span.begin >= gap.begin && span.end <= gap.end;
}

bool reaches_into(const Span& span, const Span& gap) {
  return span.begin < gap.end && span.end > gap.begin;
}

// Blanks out a slot that lies in the gap as a whole; false when a part of it lies there.
bool take_out(std::span<const Span> slot, const Span& gap, std::string& between) {
  const auto inside = [&](const Span& span) { return lies_in(span, gap); };
  if (std::none_of(slot.begin(), slot.end(),
                   [&](const Span& span) { return reaches_into(span, gap); }))
    return true;
  if (!std::all_of(slot.begin(), slot.end(), inside)) return false;
  for (const Span& span : slot)
    std::fill_n(between.begin() + static_cast<std::ptrdiff_t>(span.begin - gap.begin),
                span.end - span.begin, ' ');
  return true;
}

bool splits_a_verb(std::string_view sentence, const Span& gap, const Extraction& triple) {
  const std::string original(sentence.substr(gap.begin, gap.end - gap.begin));
  std::string between = original;
  if (!take_out(triple.subject_spans, gap, between)) return false;
  if (!take_out(triple.object_spans, gap, between)) return false;
  std::size_t adverbs = 0;
  for (const std::string_view word : text::split_words(between)) {
    if (!is_adverb(text::lowercase(word))) return false;
    ++adverbs;
  }
  return adverbs <= kMaxBetween && (adverbs > 0 || between != original);
}

}  // namespace

bool has_hole(std::string_view sentence, const Extraction& triple) {
  if (triple.subject_spans.size() > 1 || triple.object_spans.size() > 1) return true;
  const std::vector<Span>& runs = triple.relation_spans;
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (!splits_a_verb(sentence, {runs[i - 1].end, runs[i].begin}, triple)) return true;
  return false;
}

double share_with_holes(std::span<const std::string_view> sentences,
                        std::span<const SentenceResult> results) {
  std::size_t triples = 0;
  std::size_t holes = 0;
  for (std::size_t i = 0; i < std::min(sentences.size(), results.size()); ++i) {
    for (const Extraction& triple : results[i].extractions) {
      ++triples;
      holes += has_hole(sentences[i], triple) ? 1 : 0;
    }
  }
  return triples == 0 ? 0 : static_cast<double>(holes) / static_cast<double>(triples);
}

}  // namespace diffie

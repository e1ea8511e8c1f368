// The gold files of CaRB and BenchIE.
#include <fmt/core.h>

#include <unordered_map>

#include "lab/score/readers/readers.h"
#include "lab/score/sentence_key.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// Context cells ("C: ...") are no arguments; carb_diffie drops only those that begin so.
bool is_context(std::string_view cell, Measure measure) {
  const bool anywhere = measure != Measure::kCarbDiffie && measure != Measure::kCarbDiffieHungarian;
  return anywhere ? cell.find("C: ") != std::string_view::npos : cell.starts_with("C: ");
}

GoldPart part(std::string_view text) { return {std::string(text), {}, 0}; }

// Of the spellings that are one sentence the last replaces the others, in the place of the first.
std::vector<GoldSentence> merge_spellings(std::vector<GoldSentence> spellings) {
  std::vector<GoldSentence> merged;
  std::unordered_map<std::string, std::size_t> places;
  for (GoldSentence& spelling : spellings) {
    const auto [found, is_new] = places.emplace(sentence_key(spelling.sentence), merged.size());
    if (is_new) {
      merged.push_back(std::move(spelling));
    } else {
      merged[found->second] = std::move(spelling);
    }
  }
  for (GoldSentence& sentence : merged) sentence.num_facts = sentence.tuples.size();
  return merged;
}

// "12--> Cluster 3:", the line that begins a fact; the published gold also has "78-->Cluster 6:".
// A triple may begin so too ("12 --> Cluster around --> it") but has a second arrow.
bool begins_cluster(std::string_view text) {
  constexpr std::string_view kArrow = "-->";
  const std::size_t arrow = text.find(kArrow);
  if (arrow == std::string_view::npos) return false;
  const std::string_view id = text::strip(text.substr(0, arrow));
  const std::string_view rest = text::strip(text.substr(arrow + kArrow.size()));
  return !id.empty() && id.find_first_not_of("0123456789") == std::string_view::npos &&
         rest.starts_with("Cluster") && rest.find(kArrow) == std::string_view::npos;
}

void read_fact_triple(const Line& line, GoldStandard& gold, BadLines& bad) {
  std::vector<std::string_view> slots;
  std::string_view rest = line.text;
  for (std::size_t end = rest.find(" --> "); end != std::string_view::npos;
       end = rest.find(" --> ")) {
    slots.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 5);
  }
  slots.push_back(rest);
  if (slots.size() != 3) {
    bad.add(line.number,
            fmt::format("{} slots, wanted 'subject --> relation --> object'", slots.size()));
  } else if (gold.sentences.empty() || gold.sentences.back().num_facts == 0) {
    bad.add(line.number, "a triple before any cluster");
  } else {
    GoldSentence& sentence = gold.sentences.back();
    sentence.tuples.push_back(
        {part(slots[1]), {part(slots[0]), part(slots[2])}, sentence.num_facts - 1});
  }
}

}  // namespace

// sentence TAB relation [TAB argument ...].
GoldStandard read_carb_gold(const std::vector<Line>& lines, Measure measure, BadLines& bad) {
  std::vector<GoldSentence> spellings;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (text.empty()) continue;
    const auto cells = text::split_at(text, '\t');
    if (cells.size() < 2) {
      bad.add(line.number, "1 column, wanted sentence, relation and arguments");
      continue;
    }
    const std::string_view sentence = text::strip(cells[0]);
    const auto [found, is_new] = places.emplace(sentence, spellings.size());
    if (is_new) spellings.push_back({{}, std::string(sentence), {}, {}, 0});
    GoldTuple tuple{part(text::strip(cells[1])), {}, 0};
    for (std::size_t i = 2; i < cells.size(); ++i) {
      if (!is_context(cells[i], measure)) tuple.arguments.push_back(part(text::strip(cells[i])));
    }
    spellings[found->second].tuples.push_back(std::move(tuple));
  }
  return {merge_spellings(std::move(spellings)), {}};
}

GoldStandard read_benchie_gold(const std::vector<Line>& lines, BadLines& bad) {
  constexpr std::string_view kSentence = "sent_id:";
  GoldStandard gold;
  for (const Line& line : lines) {
    if (text::strip(line.text).empty()) continue;
    if (line.text.starts_with(kSentence)) {
      const auto cells = text::split_at(line.text.substr(kSentence.size()), '\t');
      if (cells.size() < 2) bad.add(line.number, "no sentence after 'sent_id:N' and a tab");
      const std::string_view sentence =
          cells.size() < 2 ? std::string_view() : text::strip(cells[1]);
      gold.sentences.push_back(
          {std::string(text::strip(cells[0])), std::string(sentence), {}, {}, 0});
    } else if (begins_cluster(line.text)) {
      if (gold.sentences.empty()) {
        bad.add(line.number, "a cluster before any sentence");
      } else {
        ++gold.sentences.back().num_facts;
      }
    } else {
      read_fact_triple(line, gold, bad);
    }
  }
  return gold;
}

}  // namespace diffie::score

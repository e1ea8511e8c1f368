#include "lab/data/slot_tags.h"

#include <algorithm>

#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

constexpr std::string_view kTags = "SRO";

// Marks that the slot has beside a placed word, and those between neighbours of one slot, which
// would otherwise cut its span in two.
void tag_punctuation(std::span<const FineWord> fine, const Targets& targets,
                     std::vector<char>& fine_tags) {
  const auto take = [&](std::int64_t at, const Target& mark) {
    if (at < 0 || at >= static_cast<std::int64_t>(fine.size())) return false;
    const auto i = static_cast<std::size_t>(at);
    if (fine_tags[i] != 'B' || !fine[i].punctuation || fine[i].text != mark.word.text) return false;
    fine_tags[i] = kTags[mark.role];
    return true;
  };
  std::int64_t at = -1;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i > 0 && targets[i].role != targets[i - 1].role) at = -1;
    if (targets[i].place) at = targets[i].place->id;
    if (!targets[i].place && targets[i].word.punctuation && at >= 0 && take(at + 1, targets[i]))
      ++at;
  }
  at = -1;
  for (std::size_t i = targets.size(); i-- > 0;) {
    if (i + 1 < targets.size() && targets[i].role != targets[i + 1].role) at = -1;
    if (targets[i].place) at = targets[i].place->id;
    if (!targets[i].place && targets[i].word.punctuation && at >= 0 && take(at - 1, targets[i]))
      --at;
  }
  for (std::size_t left = 0; left < fine.size(); ++left) {
    if (fine[left].punctuation || fine_tags[left] == 'B') continue;
    std::size_t right = left + 1;
    while (right < fine.size() && fine[right].punctuation) ++right;
    if (right == fine.size() || fine_tags[right] != fine_tags[left]) continue;
    std::fill(fine_tags.begin() + static_cast<std::ptrdiff_t>(left),
              fine_tags.begin() + static_cast<std::ptrdiff_t>(right), fine_tags[left]);
  }
}

// A word has a role when all its letters have it.
bool tag_words(const FineSentence& sentence, const Targets& targets, std::string& tags) {
  std::vector<char> fine_tags(sentence.fine.size(), 'B');
  for (const Target& target : targets) {
    if (target.place) fine_tags[target.place->id] = kTags[target.role];
  }
  tag_punctuation(sentence.fine, targets, fine_tags);
  tags.assign(sentence.words.size(), '?');
  std::vector<bool> has_letters(sentence.words.size(), false);
  for (std::size_t i = 0; i < sentence.fine.size(); ++i) {
    if (!sentence.fine[i].punctuation) has_letters[sentence.fine[i].word] = true;
  }
  for (std::size_t i = 0; i < sentence.fine.size(); ++i) {
    char& tag = tags[sentence.fine[i].word];
    if (sentence.fine[i].punctuation && has_letters[sentence.fine[i].word]) continue;
    if (tag != '?' && tag != fine_tags[i]) return false;
    tag = fine_tags[i];
  }
  std::ranges::replace(tags, '?', 'B');
  return true;
}

// Relation words that got no place take their pseudo-word.
void tag_implied(std::span<const std::string> implied, Targets& targets, std::string& tags) {
  const std::size_t num_words = tags.size();
  tags.append(implied.size(), 'B');
  for (Target& target : targets) {
    if (target.place || target.role != kRelation) continue;
    const auto found = std::ranges::find(implied, target.word.text);
    if (found == implied.end()) continue;
    char& tag = tags[num_words + static_cast<std::size_t>(found - implied.begin())];
    target.implied = tag == 'B';
    tag = kTags[kRelation];
  }
}

// Whether each slot's words, but for skipped, inflected and moved ones, are spelled as tagged.
bool verbatim_words(const FineSentence& sentence, const Triple& triple, const Targets& targets,
                    const std::string& tags) {
  const auto slots = slots_of(triple);
  for (std::uint32_t role = 0; role < slots.size(); ++role) {
    std::vector<std::string> in_sentence, in_slot;
    for (std::size_t word = 0; word < sentence.words.size(); ++word) {
      if (tags[word] == kTags[role]) in_sentence.push_back(sentence.words[word]);
    }
    const std::vector<std::string_view> raw = text::split_words(slots[role]);
    std::vector<bool> left_out(raw.size(), false);
    for (const Target& target : targets) {
      if (target.role != role || target.word.punctuation) continue;
      if (!target.place) left_out[target.word.word] = true;
      if (target.place && target.place->cost > 0) {
        left_out[target.word.word] = true;
        std::erase(in_sentence, sentence.words[sentence.fine[target.place->id].word]);
      }
    }
    for (std::size_t word = 0; word < raw.size(); ++word) {
      if (!left_out[word]) in_slot.push_back(text::lowercase(raw[word]));
    }
    std::ranges::sort(in_sentence);
    std::ranges::sort(in_slot);
    if (in_sentence != in_slot) return false;
  }
  return true;
}

std::uint8_t relaxations_of(const FineSentence& sentence, const Triple& triple,
                            const Targets& targets, const std::string& tags) {
  std::uint8_t mask = 0;
  const auto set = [&](Relaxation bit) { mask |= static_cast<std::uint8_t>(bit); };
  const Target* before = nullptr;  // the last placed word of the same slot
  std::int32_t slot_end = -1;      // largest position of the slots before
  std::int32_t end = -1;
  for (const Target& target : targets) {
    if (before != nullptr && before->role != target.role) before = nullptr, slot_end = end;
    if (!target.place) {
      if (target.implied) {
        set(Relaxation::kImplied);
      } else if (!target.word.punctuation) {
        set(Relaxation::kSkipped);
      }
      continue;
    }
    const std::int32_t at = target.place->at;
    if (target.place->cost > 0) set(Relaxation::kInflected);
    if (at <= slot_end) set(Relaxation::kRoleOrder);
    if (before != nullptr && at > before->place->at + 1) set(Relaxation::kGaps);
    if (before != nullptr && at < before->place->at) set(Relaxation::kReordered);
    end = std::max(end, at);
    before = &target;
  }
  if (triple.object.empty()) set(Relaxation::kEmptySlot);
  if (!verbatim_words(sentence, triple, targets, tags)) set(Relaxation::kPunctuation);
  return mask;
}

}  // namespace

std::optional<Alignment> tag_sentence(const FineSentence& sentence, const Triple& triple,
                                      Targets targets, std::span<const std::string> implied) {
  Alignment result;
  if (!tag_words(sentence, targets, result.tags)) return std::nullopt;
  tag_implied(implied, targets, result.tags);
  result.relaxations = relaxations_of(sentence, triple, targets, result.tags);
  const auto has = [&](char tag) { return result.tags.find(tag) != std::string::npos; };
  if (!has('S') || !has('R') || (!has('O') && !triple.object.empty())) return std::nullopt;
  return result;
}

}  // namespace diffie::data

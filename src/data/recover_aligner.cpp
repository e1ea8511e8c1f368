#include "data/recover_aligner.h"

#include <algorithm>
#include <limits>

#include "data/closed_class.h"
#include "data/words.h"

namespace diffie::data {
namespace {

constexpr std::uint32_t kSubject = 0;
constexpr std::uint32_t kRelation = 1;
constexpr std::uint32_t kObject = 2;
constexpr std::string_view kTags = "SRO";

// In hundredths, as PlacementCosts. An article says so little that a short gap is dearer.
constexpr std::int32_t kSkipArticle = 200;
constexpr std::int32_t kSkipFunctionWord = 350;
constexpr std::int32_t kOtherForm = 300;
// How far before the object a relation of function words may stand.
constexpr std::int32_t kReach = 2;
// Dearer placements (1 in 1,000 of LSOIE-examples) were too often wrong when read.
constexpr std::int32_t kMaxCost = 1900;

std::optional<std::int32_t> skip_cost(const std::string& word) {
  const std::optional<ClosedClass> found = closed_class(word);
  if (!found) return std::nullopt;
  return *found == ClosedClass::kArticle ? kSkipArticle : kSkipFunctionWord;
}

// A preposition that ends the relation may stand before the object rather than behind the verb:
// (the law; was passed in; May) of `In May the law was passed`. It does where the object's first
// word that is no function word follows, with nothing but the object's function words between.
void mark_leading(std::vector<SlotToken>& tokens) {
  const auto object = std::ranges::find(tokens, kObject, &SlotToken::slot);
  if (object == tokens.begin() || object == tokens.end()) return;
  SlotToken& last = *(object - 1);
  if (last.slot != kRelation || !last.skip_cost || last.auxiliary) return;
  const auto no_function_word = [](const SlotToken& token) { return !token.skip_cost; };
  auto head = std::find_if(object, tokens.end(), no_function_word);
  if (head == tokens.end()) head = object;
  const auto reach = static_cast<std::int32_t>(head - object) + 1;
  for (Candidate& place : last.candidates) {
    place.leads_on = std::ranges::any_of(head->candidates, [&](const Candidate& next) {
      return next.at > place.at && next.at <= place.at + reach;
    });
  }
}

std::array<std::string_view, 3> slots_of(const Triple& triple) {
  return {triple.subject, triple.relation, triple.object};
}

}  // namespace

RecoverAligner::RecoverAligner(std::string_view sentence, std::span<const std::string_view> implied,
                               WordForms& forms)
    : fine_(fine_words(sentence)), implied_(implied), forms_(forms) {
  for (const std::string_view word : split_words(sentence)) words_.push_back(lower_case(word));
  std::int32_t at = 0;
  for (std::uint32_t i = 0; i < fine_.size(); ++i) {
    at_.push_back(fine_[i].punctuation ? at : at++);
    stems_.push_back(fine_[i].punctuation ? std::vector<std::string>{}
                                          : forms_.stems(fine_[i].text));
  }
}

RecoverAligner::Targets RecoverAligner::targets_of(const Triple& triple) const {
  Targets targets;
  const auto slots = slots_of(triple);
  for (std::uint32_t role = 0; role < slots.size(); ++role) {
    const std::vector<FineWord> words = fine_words(slots[role]);
    const bool only_marks =
        std::ranges::all_of(words, [](const FineWord& word) { return word.punctuation; });
    for (const FineWord& word : words) {
      const bool counts = only_marks || !word.punctuation;
      targets.push_back({word, role, counts, forms_.stems(word.text), std::nullopt});
    }
  }
  return targets;
}

// A word has a role as a whole: a part of it (`elected` of `re-elected`) is a place only where the
// slot has the other parts beside it.
bool RecoverAligner::covers_word(std::span<const Target> slot, std::size_t index,
                                 std::uint32_t fine) const {
  const auto same = [&](const Target& target, std::uint32_t i) {
    return target.word.text == fine_[i].text || share_stem(target.stems, stems_[i]);
  };
  const auto matches = [&](std::int64_t step) {
    auto target = static_cast<std::int64_t>(index);
    for (std::int64_t i = fine + step; i >= 0 && i < std::ssize(fine_); i += step) {
      if (fine_[i].word != fine_[fine].word) break;
      if (fine_[i].punctuation) continue;
      do target += step;
      while (target >= 0 && target < std::ssize(slot) && slot[target].word.punctuation);
      if (target < 0 || target >= std::ssize(slot)) return false;
      if (!same(slot[target], static_cast<std::uint32_t>(i))) return false;
    }
    return true;
  };
  return fine_[fine].punctuation || (matches(-1) && matches(1));
}

std::vector<Candidate> RecoverAligner::candidates(std::span<const Target> slot,
                                                  std::size_t index) const {
  const Target& target = slot[index];
  std::vector<Candidate> found;
  for (std::uint32_t i = 0; i < fine_.size(); ++i) {
    const bool same = fine_[i].text == target.word.text;
    if (!same && !share_stem(target.stems, stems_[i])) continue;
    if (covers_word(slot, index, i)) found.push_back({i, at_[i], same ? 0 : kOtherForm});
  }
  return found;
}

bool RecoverAligner::place(Targets& targets, bool with_relation) {
  std::vector<SlotToken> tokens;
  std::vector<std::size_t> target_of_token;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Target& target = targets[i];
    target.place.reset();
    if (!target.counts || (target.role == kRelation && !with_relation)) continue;
    const auto [begin, end] = std::ranges::equal_range(targets, target.role, {}, &Target::role);
    const auto index = static_cast<std::size_t>(&target - &*begin);
    tokens.push_back({target.role, skip_cost(target.word.text),
                      closed_class(target.word.text) == ClosedClass::kAuxiliary,
                      candidates({begin, end}, index)});
    target_of_token.push_back(i);
  }
  mark_leading(tokens);
  const std::optional<Placement> best = place_tokens(tokens);
  if (!best || best->cost > kMaxCost) return false;
  for (std::size_t token = 0; token < tokens.size(); ++token) {
    targets[target_of_token[token]].place = best->places[token];
  }
  return true;
}

RecoverAligner::Extent RecoverAligner::extent(const Targets& targets, std::uint32_t role) {
  Extent extent;
  for (const Target& target : targets) {
    if (target.role != role || !target.place) continue;
    extent.first = std::min(extent.first, target.place->at);
    extent.last = std::max(extent.last, target.place->at);
  }
  return extent;
}

// (X; is; Y) of an apposition must not take an `is` from elsewhere in the sentence. A relation of
// function words alone stands between its arguments, or right before the object; auxiliaries that
// do not are left out (but for `there is X`).
bool RecoverAligner::settle_function_relation(Targets& targets) const {
  for (const Target& target : targets) {
    if (target.role == kRelation && !closed_class(target.word.text)) return true;
  }
  const Extent subject = extent(targets, kSubject);
  const Extent object = extent(targets, kObject);
  const auto between = [&](const Extent& r) {
    if (subject.last < r.first && r.last < object.first) return true;
    const bool near = r.first - object.last <= kReach || subject.first - r.last <= kReach;
    return object.last < r.first && r.last < subject.first && near;
  };
  bool existential = false;
  for (Target& target : targets) {
    if (target.role != kRelation || !target.place) continue;
    const std::int32_t at = target.place->at;
    const std::uint32_t id = target.place->id;
    if (closed_class(target.word.text) != ClosedClass::kAuxiliary || between({at, at})) continue;
    if (id > 0 && fine_[id - 1].text == "there" && at < subject.first) {
      existential = true;
    } else {
      target.place.reset();
    }
  }
  const Extent relation = extent(targets, kRelation);
  if (relation.first > relation.last) return false;  // nothing left
  const bool other_form = std::ranges::any_of(targets, [](const Target& target) {
    return target.role == kRelation && target.place && target.place->cost > 0;
  });
  const bool before_object = relation.last < object.first &&
                             object.first - relation.last <= kReach &&
                             (subject.last < relation.first || object.last < subject.first);
  if (other_form) return before_object && subject.last < relation.first;
  return between(relation) || existential || before_object;
}

std::optional<Alignment> RecoverAligner::align(const Triple& triple) {
  Targets targets = targets_of(triple);
  std::array<bool, 3> has_words = {};
  bool function_relation = true;
  for (const Target& target : targets) {
    has_words[target.role] = true;
    if (target.role == kRelation && !closed_class(target.word.text)) function_relation = false;
  }
  if (!has_words[kSubject] || !has_words[kRelation]) return std::nullopt;
  if (place(targets, true) && settle_function_relation(targets)) {
    if (auto found = alignment(triple, targets)) return found;
  }
  if (!function_relation || implied_.empty() || !place(targets, false)) return std::nullopt;
  return alignment(triple, targets);
}

// A word has a role when all its letters have it.
bool RecoverAligner::tag_words(const Targets& targets, std::vector<char>& fine_tags,
                               std::string& tags) const {
  fine_tags.assign(fine_.size(), 'B');
  for (const Target& target : targets) {
    if (target.place) fine_tags[target.place->id] = kTags[target.role];
  }
  tag_punctuation(targets, fine_tags);
  tags.assign(words_.size(), '?');
  std::vector<bool> has_letters(words_.size(), false);
  for (std::size_t i = 0; i < fine_.size(); ++i) {
    if (!fine_[i].punctuation) has_letters[fine_[i].word] = true;
  }
  for (std::size_t i = 0; i < fine_.size(); ++i) {
    char& tag = tags[fine_[i].word];
    if (fine_[i].punctuation && has_letters[fine_[i].word]) continue;
    if (tag != '?' && tag != fine_tags[i]) return false;
    tag = fine_tags[i];
  }
  std::ranges::replace(tags, '?', 'B');
  return true;
}

// Marks that the slot has beside a placed word, and those between neighbours of one slot, which
// would otherwise cut its span in two.
void RecoverAligner::tag_punctuation(const Targets& targets, std::vector<char>& fine_tags) const {
  const auto take = [&](std::int64_t at, const Target& mark) {
    if (at < 0 || at >= static_cast<std::int64_t>(fine_.size())) return false;
    const auto i = static_cast<std::size_t>(at);
    if (fine_tags[i] != 'B' || !fine_[i].punctuation || fine_[i].text != mark.word.text)
      return false;
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
  for (std::size_t left = 0; left < fine_.size(); ++left) {
    if (fine_[left].punctuation || fine_tags[left] == 'B') continue;
    std::size_t right = left + 1;
    while (right < fine_.size() && fine_[right].punctuation) ++right;
    if (right == fine_.size() || fine_tags[right] != fine_tags[left]) continue;
    std::fill(fine_tags.begin() + static_cast<std::ptrdiff_t>(left),
              fine_tags.begin() + static_cast<std::ptrdiff_t>(right), fine_tags[left]);
  }
}

// Relation words that got no place take their pseudo-word.
void RecoverAligner::tag_implied(Targets& targets, std::string& tags) const {
  tags.append(implied_.size(), 'B');
  for (Target& target : targets) {
    if (target.place || target.role != kRelation) continue;
    const auto found = std::ranges::find(implied_, target.word.text);
    if (found == implied_.end()) continue;
    char& tag = tags[words_.size() + static_cast<std::size_t>(found - implied_.begin())];
    target.implied = tag == 'B';
    tag = kTags[kRelation];
  }
}

std::optional<Alignment> RecoverAligner::alignment(const Triple& triple, Targets targets) const {
  Alignment result;
  std::vector<char> fine_tags;
  if (!tag_words(targets, fine_tags, result.tags)) return std::nullopt;
  tag_implied(targets, result.tags);
  result.relaxations = relaxations(triple, targets, result.tags);
  const auto has = [&](char tag) { return result.tags.find(tag) != std::string::npos; };
  if (!has('S') || !has('R') || (!has('O') && !triple.object.empty())) return std::nullopt;
  return result;
}

std::uint8_t RecoverAligner::relaxations(const Triple& triple, const Targets& targets,
                                         const std::string& tags) const {
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
  if (!verbatim_words(triple, targets, tags)) set(Relaxation::kPunctuation);
  return mask;
}

// Whether each slot's words, but for skipped, inflected and moved ones, are spelled as tagged.
bool RecoverAligner::verbatim_words(const Triple& triple, const Targets& targets,
                                    const std::string& tags) const {
  const auto slots = slots_of(triple);
  for (std::uint32_t role = 0; role < slots.size(); ++role) {
    std::vector<std::string> in_sentence, in_slot;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      if (tags[word] == kTags[role]) in_sentence.push_back(words_[word]);
    }
    const std::vector<std::string_view> raw = split_words(slots[role]);
    std::vector<bool> left_out(raw.size(), false);
    for (const Target& target : targets) {
      if (target.role != role || target.word.punctuation) continue;
      if (!target.place) left_out[target.word.word] = true;
      if (target.place && target.place->cost > 0) {
        left_out[target.word.word] = true;
        std::erase(in_sentence, words_[fine_[target.place->id].word]);
      }
    }
    for (std::size_t word = 0; word < raw.size(); ++word) {
      if (!left_out[word]) in_slot.push_back(lower_case(raw[word]));
    }
    std::ranges::sort(in_sentence);
    std::ranges::sort(in_slot);
    if (in_sentence != in_slot) return false;
  }
  return true;
}

}  // namespace diffie::data

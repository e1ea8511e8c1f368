#include "lab/data/recover_aligner.h"

#include <algorithm>
#include <limits>

#include "lab/data/closed_class.h"
#include "lab/data/slot_tags.h"
#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

// In hundredths, as PlacementCosts: what it costs to leave a function word out. It occurs
// everywhere, so at the head of a slot, cut off from the words that follow, it is likely to be
// another phrase's; the rates below let it stand up to 2 (article), 4 (preposition) and 7 words
// (auxiliary) away.
constexpr std::int32_t kSkipArticle = 200;
constexpr std::int32_t kSkipFirstArticle = 150;
constexpr std::int32_t kSkipFirstPreposition = 180;
constexpr std::int32_t kSkipFirstAuxiliary = 250;
constexpr std::int32_t kSkipPronoun = 450;
constexpr std::int32_t kSkipOther = 350;
constexpr std::int32_t kOtherForm = 300;
constexpr std::int32_t kOtherFormOfAuxiliary = 150;
// How far before the object a relation of function words may stand.
constexpr std::int32_t kReach = 2;
// Dearer placements (1 in 1,000 of LSOIE-examples) were too often wrong when read.
constexpr std::int32_t kMaxCost = 1900;

// nullopt: the word may not be left out.
std::optional<std::int32_t> skip_cost(std::optional<ClosedClass> kind, std::uint32_t role,
                                      bool first) {
  if (!kind) return std::nullopt;
  switch (*kind) {
    case ClosedClass::kArticle:
      return first ? kSkipFirstArticle : kSkipArticle;
    case ClosedClass::kAuxiliary:
      return first ? kSkipFirstAuxiliary : kSkipOther;
    case ClosedClass::kPreposition:
      return first && role != kRelation ? kSkipFirstPreposition : kSkipOther;
    case ClosedClass::kPronoun:
      return kSkipPronoun;
    case ClosedClass::kConnective:
      return kSkipOther;
  }
  return std::nullopt;
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

}  // namespace

RecoverAligner::RecoverAligner(std::string_view sentence, std::span<const std::string> implied,
                               WordForms& forms)
    : implied_(implied), forms_(forms) {
  for (const std::string_view word : text::split_words(sentence)) {
    sentence_.words.push_back(text::lowercase(word));
  }
  sentence_.fine = fine_words(sentence);
  std::int32_t at = 0;
  for (const FineWord& word : sentence_.fine) {
    sentence_.at.push_back(word.punctuation ? at : at++);
    sentence_.stems.push_back(word.punctuation ? std::vector<std::string>{}
                                               : forms_.stems(word.text));
  }
}

Targets RecoverAligner::targets_of(const Triple& triple) const {
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
    return target.word.text == sentence_.fine[i].text ||
           share_stem(target.stems, sentence_.stems[i]);
  };
  const auto matches = [&](std::int64_t step) {
    auto target = static_cast<std::int64_t>(index);
    for (std::int64_t i = fine + step; i >= 0 && i < std::ssize(sentence_.fine); i += step) {
      if (sentence_.fine[i].word != sentence_.fine[fine].word) break;
      if (sentence_.fine[i].punctuation) continue;
      do target += step;
      while (target >= 0 && target < std::ssize(slot) && slot[target].word.punctuation);
      if (target < 0 || target >= std::ssize(slot)) return false;
      if (!same(slot[target], static_cast<std::uint32_t>(i))) return false;
    }
    return true;
  };
  return sentence_.fine[fine].punctuation || (matches(-1) && matches(1));
}

std::vector<Candidate> RecoverAligner::candidates(std::span<const Target> slot,
                                                  std::size_t index) const {
  const Target& target = slot[index];
  const bool auxiliary = closed_class(target.word.text) == ClosedClass::kAuxiliary;
  const std::int32_t other_form = auxiliary ? kOtherFormOfAuxiliary : kOtherForm;
  std::vector<Candidate> found;
  for (std::uint32_t i = 0; i < sentence_.fine.size(); ++i) {
    const bool same = sentence_.fine[i].text == target.word.text;
    if (!same && !share_stem(target.stems, sentence_.stems[i])) continue;
    if (covers_word(slot, index, i)) found.push_back({i, sentence_.at[i], same ? 0 : other_form});
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
    const std::optional<ClosedClass> kind = closed_class(target.word.text);
    const bool first = tokens.empty() || tokens.back().slot != target.role;
    tokens.push_back({target.role, skip_cost(kind, target.role, first),
                      kind == ClosedClass::kAuxiliary, candidates({begin, end}, index)});
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
    if (id > 0 && sentence_.fine[id - 1].text == "there" && at < subject.first) {
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
    if (auto found = tag_sentence(sentence_, triple, targets, implied_)) return found;
  }
  if (!function_relation || implied_.empty() || !place(targets, false)) return std::nullopt;
  return tag_sentence(sentence_, triple, targets, implied_);
}

}  // namespace diffie::data

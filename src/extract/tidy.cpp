#include "extract/tidy.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.h"

namespace diffie::extract {
namespace {

using Slot = std::vector<std::uint32_t>;

bool is_number(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_letter(std::string_view word) {
  return word.size() == 1 && word[0] >= 'a' && word[0] <= 'z';
}

bool cuts_a_word(const TidySentence& sentence, std::size_t word) {
  return (sentence[word] == "'" || sentence[word] == "\u2019") && word > 0 &&
         sentence.in(word + 1, kContractionEnd);
}

// Where a number or letter may count the items of a list.
bool begins_an_item(const TidySentence& sentence, std::size_t word) {
  return word == 0 || sentence.in(word - 1, kBeforeItem);
}

// "1 ." "2 )" "a )" before a word, or "1." "2)" "a)" as one.
bool counts_an_item(const TidySentence& sentence, std::size_t word) {
  if (!begins_an_item(sentence, word)) return false;
  std::string_view number = sentence[word];
  std::string_view mark = sentence[word + 1];
  if (number.size() > 1 && (number.back() == '.' || number.back() == ')')) {
    mark = number.substr(number.size() - 1);
    number.remove_suffix(1);
  } else if (is_number(sentence[word + 2]) && mark == ".") {
    return false;  // 3.5
  }
  const bool counts = is_number(number) && number.size() <= 3;
  // "J. Smith" and "1984." are no items; a full stop counts at the sentence's beginning only.
  if (mark == ".") return counts && word == 0;
  return (mark == ")" || mark == "-rrb-") && (counts || is_letter(number));
}

// The other one of the pair, strictly inside the slot, belongs to the mark at its edge: "Apple (
// AAPL )". Around all of the slot, or alone, a mark says nothing.
bool has_partner_inside(const Slot& slot, const TidySentence& sentence, bool at_front) {
  const std::string_view mark = sentence[at_front ? slot.front() : slot.back()];
  int depth = 0;
  for (std::size_t i = 1; i < slot.size(); ++i) {
    const std::uint32_t word = at_front ? slot[i] : slot[slot.size() - 1 - i];
    if (cuts_a_word(sentence, word)) continue;
    if (at_front ? are_pair(mark, sentence[word]) : are_pair(sentence[word], mark)) {
      if (depth == 0) return i + 1 < slot.size();
      --depth;
    } else if (sentence[word] == mark) {
      ++depth;
    }
  }
  return false;
}

// "U . S ." and "Inc ." end with a full stop of their own.
bool ends_an_abbreviation(const Slot& slot, const TidySentence& sentence) {
  const std::uint32_t word = slot.back();
  if (sentence[word] != "." || slot.size() < 2 || slot[slot.size() - 2] + 1 != word) return false;
  const std::string_view before = sentence.before(word);
  return sentence.in(word - 1, kAbbreviation) ||
         (is_letter(before) && word >= 2 && sentence[word - 2] == ".");
}

// "-5" and ".5", cut in two.
bool begins_a_number(const Slot& slot, const TidySentence& sentence) {
  const std::uint32_t word = slot.front();
  return (sentence[word] == "-" || sentence[word] == ".") && word > 0 && slot.size() > 1 &&
         slot[1] == word + 1 && is_number(sentence[word + 1]);
}

bool is_idle_at_front(const Slot& slot, const TidySentence& sentence) {
  const std::uint32_t word = slot.front();
  if (sentence.in(word, kEdgeConjunction | kEdgeFiller)) return true;
  if (sentence.in(word, kEdgeMark)) return !begins_a_number(slot, sentence);
  if (sentence.in(word, kPairedMark) && !cuts_a_word(sentence, word))
    return !has_partner_inside(slot, sentence, true) || counts_an_item(sentence, word + 1);
  return counts_an_item(sentence, word);
}

bool is_idle_at_back(const Slot& slot, const TidySentence& sentence) {
  const std::uint32_t word = slot.back();
  if (sentence.in(word, kEdgeConjunction)) return true;
  if (sentence.in(word, kEdgeMark)) return !ends_an_abbreviation(slot, sentence);
  if (sentence.in(word, kPairedMark)) return !has_partner_inside(slot, sentence, false);
  return false;
}

void trim(Slot& slot, const TidySentence& sentence) {
  for (bool changed = true; changed && !slot.empty();) {
    // Marks around the whole slot go together: alone, each would have lost its partner.
    changed = false;
    if (is_idle_at_back(slot, sentence)) {
      slot.pop_back();
      changed = true;
    }
    if (!slot.empty() && is_idle_at_front(slot, sentence)) {
      slot.erase(slot.begin());
      changed = true;
    }
  }
}

// "the Nobel Prize in" of "the Nobel Prize in 1911".
bool leads_on(const Slot& slot, const TidySentence& sentence) {
  return slot.size() > 1 && sentence.in(slot.back(), kLeadsOn) &&
         sentence.has_letter_or_digit(slot.back() + 1);
}

void trim_argument(Slot& slot, const Slot& next, const TidySentence& sentence) {
  // "the man who | founded": what follows is the slot that is read next.
  while (!slot.empty() && leads_on(slot, sentence) &&
         (next.empty() || next.front() != slot.back() + 1)) {
    slot.pop_back();
    trim(slot, sentence);
  }
}

// Whether what stands between two words of a slot joins them: marks, and, or.
bool only_joins(const TidySentence& sentence, std::uint32_t after, std::uint32_t before) {
  for (std::uint32_t word = after + 1; word < before; ++word) {
    if (!sentence.in(word, kJoint) && sentence.has_letter_or_digit(word)) return false;
  }
  return true;
}

// "U2 Bob Dylan" is "U2 and Bob Dylan", unless another slot has what is between.
void close_gaps(Slot& slot, const Triple& triple, const TidySentence& sentence) {
  if (slot.empty() || slot.back() - slot.front() + 1 == slot.size()) return;
  const auto is_taken = [&](std::uint32_t word) {
    return std::any_of(triple.words.begin(), triple.words.end(), [&](const Slot& other) {
      return &other != &slot && std::binary_search(other.begin(), other.end(), word);
    });
  };
  Slot closed;
  closed.reserve(slot.back() - slot.front() + 1);
  for (const std::uint32_t word : slot) {
    if (!closed.empty() && word > closed.back() + 1 && only_joins(sentence, closed.back(), word)) {
      for (std::uint32_t between = closed.back() + 1; between < word; ++between)
        if (!is_taken(between)) closed.push_back(between);
    }
    closed.push_back(word);
  }
  slot = std::move(closed);
}

// "has a dog and | a cat" has swallowed a fact on the way to its object.
bool ends_with_conjunction(const Slot& relation, const TidySentence& sentence) {
  const auto last = std::find_if(relation.rbegin(), relation.rend(),
                                 [&](std::uint32_t word) { return !sentence.in(word, kEdgeMark); });
  return last != relation.rend() && sentence.in(*last, kEdgeConjunction);
}

// "isn ' t" is one word: a slot has all of it or nothing.
bool tears_a_negation(const Triple& triple, const TidySentence& sentence) {
  const auto slot_of = [&](std::uint32_t word) {
    for (std::size_t slot = 0; slot < triple.words.size(); ++slot)
      if (std::binary_search(triple.words[slot].begin(), triple.words[slot].end(), word))
        return static_cast<int>(slot);
    return -1;
  };
  return std::any_of(sentence.negations().begin(), sentence.negations().end(),
                     [&](std::uint32_t word) {
                       const int slot = slot_of(word);
                       return slot_of(word + 1) != slot || slot_of(word + 2) != slot;
                     });
}

// "is the | capital" is how annotators cut; "is the ... | capital" is a slip.
bool ends_with_stray_article(const Slot& relation, const Slot& object,
                             const TidySentence& sentence) {
  return !relation.empty() && sentence.in(relation.back(), kArticle) &&
         object.front() != relation.back() + 1;
}

void trim_relation(Slot& relation, const Slot& object, const TidySentence& sentence) {
  while (ends_with_stray_article(relation, object, sentence)) {
    relation.pop_back();
    trim(relation, sentence);
  }
}

bool has_letters(const Slot& slot, const TidySentence& sentence) {
  return std::any_of(slot.begin(), slot.end(),
                     [&](std::uint32_t word) { return sentence.has_letter_or_digit(word); });
}

// "He said that it rained" has no object "that"; "I know that." has.
bool opens_a_clause(const Slot& object, const TidySentence& sentence) {
  return object.size() == 1 && sentence[object.front()] == "that" &&
         sentence.has_letter_or_digit(object.front() + 1);
}

// Words without a letter or digit do not count.
bool all_in(const Slot& slot, const TidySentence& sentence, TidyList list) {
  return std::all_of(slot.begin(), slot.end(), [&](std::uint32_t word) {
    return !sentence.has_letter_or_digit(word) || sentence.in(word, list);
  });
}

}  // namespace

bool has_letter_or_digit(std::string_view word) {
  for (std::size_t pos = 0; pos < word.size();) {
    const base::Decoded decoded = base::decode_utf8(word, pos);
    const char32_t c = decoded.code_point;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    // Beyond ASCII: Latin-1's signs, the blocks of punctuation, arrows and boxes, and pictures are
    // not letters; letterlike signs and number forms (2100..218F) are.
    const bool sign = c < 0xC0 || c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c < 0x2100) ||
                      (c >= 0x2190 && c < 0x2C00) || (c >= 0x3000 && c < 0x3005) ||
                      (c >= 0xFE00 && c < 0xFE70) || c == base::kReplacement ||
                      (c >= 0x1F000 && c < 0x20000);
    if (!sign) return true;
    pos += decoded.length;
  }
  return false;
}

TidySentence::TidySentence(std::span<const std::string> words, std::size_t num_implied)
    : words_(words.first(words.size() - num_implied)) {
  lists_.reserve(size());
  has_letter_or_digit_.reserve(size());
  for (const std::string& word : words_) {
    lists_.push_back(tidy_lists_of(word));
    has_letter_or_digit_.push_back(extract::has_letter_or_digit(word));
  }
  for (std::uint32_t word = 0; word + 2 < size(); ++word) {
    if (words_[word + 2] != "t" || !words_[word].ends_with('n')) continue;
    if (words_[word + 1] == "'" || words_[word + 1] == "\u2019") negations_.push_back(word);
  }
}

bool tidy_triple(Triple& triple, const TidySentence& sentence) {
  auto& [subject, relation, object] = triple.words;
  const auto said_end = std::lower_bound(relation.begin(), relation.end(), sentence.size());
  const Slot implied(said_end, relation.end());
  relation.erase(said_end, relation.end());
  if (ends_with_conjunction(relation, sentence) || tears_a_negation(triple, sentence)) return false;
  for (Slot& slot : triple.words) trim(slot, sentence);
  close_gaps(subject, triple, sentence);
  close_gaps(object, triple, sentence);
  trim_argument(subject, relation, sentence);
  trim_argument(object, {}, sentence);
  if (subject.empty() || object.empty()) return false;
  trim_relation(relation, object, sentence);
  const bool has_verb = !implied.empty() || !all_in(relation, sentence, kNoRelation);
  if (!has_verb || (implied.empty() && !has_letters(relation, sentence))) return false;
  for (const Slot* slot : {&subject, &object})
    if (!has_letters(*slot, sentence) || all_in(*slot, sentence, kFunctionWord)) return false;
  if (opens_a_clause(object, sentence)) return false;
  relation.insert(relation.end(), implied.begin(), implied.end());
  return true;
}

}  // namespace diffie::extract

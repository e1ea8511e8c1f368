#include "reshape/coordination.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>

#include "reshape/collective.h"

namespace diffie::reshape {
namespace {

using facts::Region;
using Words = std::initializer_list<std::string_view>;
using Parts = std::vector<std::vector<std::uint32_t>>;

constexpr facts::Classes kClause = facts::kThat | facts::kWh | facts::kIf | facts::kWhether |
                                   facts::kAuxiliary | facts::kNot | facts::kNo;

// How an item begins, which tells what it may be joined to.
enum class Shape { kName, kDetermined, kBare, kAny };

class Splitter {
 public:
  Splitter(const Line& line, Region slot, bool negative)
      : line_(line), slot_(slot), negative_(negative) {}

  // Units of each part; none where the slot stays whole.
  std::vector<std::vector<std::size_t>> split() {
    skip_lead();
    if (!find_items() || !is_plain()) return {};
    find_shared_front();
    if (items_.size() < 2 || !are_alike() || !share()) return {};
    return parts();
  }

 private:
  bool is(std::size_t at, Words words) const {
    return std::find(words.begin(), words.end(), line_.lower(at)) != words.end();
  }
  bool in(std::size_t at, WordList list) const { return line_.in(at, list); }
  static std::size_t size(const Region& region) { return region.end - region.begin; }

  // --- Items: what stands between the joints and commas ---

  // "both A and B"
  void skip_lead() {
    if (is(slot_.begin, {"both", "neither"})) ++slot_.begin;
  }

  // The end of the joint at this unit, or `at`.
  std::size_t joint_end(std::size_t at) const {
    if (line_.is(at, "as") && line_.is(at + 1, "well") && line_.is(at + 2, "as")) return at + 3;
    if (line_.is(at, "nor")) return at + 1;
    if (line_.is(at, "or")) return negative_ ? at + 1 : at;
    if (!is(at, {"and", "&"}) || negative_ || is_inside_name(at)) return at;
    return at + 1 + line_.is(at + 1, "also");
  }

  // "Trinidad and Tobago", "Simon & Schuster", "R and D", "two hundred and five"
  bool is_inside_name(std::size_t at) const {
    if (at == slot_.begin || at + 1 >= slot_.end) return true;
    const std::size_t left = at - 1;
    std::size_t right = at + 1;
    if (line_.is(at, "&") && (line_.is_capital(left) || line_.is_capital(right))) return true;
    if (line_.lower(left).size() == 1 && line_.lower(right).size() == 1) return true;
    if (is_number(left) && (is_number(right) || line_.is(right + 1, "half"))) return true;
    if (line_.is(right, "the")) ++right;
    const std::string pair = std::string(line_.lower(left)) + "+";
    for (; right < slot_.end && right <= at + 3; ++right) {
      if (has(lists_of(pair + std::string(line_.lower(right))), WordList::kOneThing)) return true;
    }
    return false;
  }

  bool is_number(std::size_t at) const {
    return line_.is_digits(at) || in(at, WordList::kNumberWords);
  }

  bool find_items() {
    Region item{slot_.begin, slot_.begin};
    std::size_t joints = 0;
    for (std::size_t at = slot_.begin; at < slot_.end;) {
      const std::size_t after = joint_end(at);
      if (after > at) {
        ++joints;
        if (!item.empty() || !ended_by_comma_) add_item(item);
        at = after;
        item = {at, at};
        ended_by_comma_ = false;
      } else if (line_[at].is(facts::kComma) && !is_inner_comma(item, at)) {
        if (joints > 0) return false;  // "A and B, C": an apposition, or another list
        add_item(item);
        ++at;
        item = {at, at};
        ended_by_comma_ = true;
      } else {
        item.end = ++at;
      }
    }
    add_item(item);
    joints_ = joints;
    return joints > 0 && std::none_of(items_.begin(), items_.end(),
                                      [](const Region& each) { return each.empty(); });
  }

  void add_item(const Region& item) { items_.push_back(item); }

  // "Portland, Oregon", "Smith, Jr.", "May 5, 2010"
  bool is_inner_comma(const Region& item, std::size_t comma) const {
    const std::size_t next = comma + 1;
    if (item.empty() || next >= slot_.end) return false;
    if (in(next, WordList::kNameEndings)) return true;
    if (line_.is_digits(next) && in(item.begin, WordList::kMonths)) return true;
    return in(next, WordList::kStates) && line_.is_capital(item.begin) &&
           !in(item.end - 1, WordList::kStates);
  }

  // Nothing stands in the slot that could open a clause, a quotation or an aside.
  bool is_plain() const {
    for (std::size_t at = slot_.begin; at < slot_.end; ++at) {
      const facts::Unit& unit = line_[at];
      if (unit.is("'s") || unit.is("both")) continue;
      if (joint_end(at) > at || unit.is("nor")) continue;
      if (unit.is(kClause) || unit.is("but") || unit.is("or") || unit.is("because")) return false;
      if (unit.is(facts::kStop | facts::kQuote | facts::kBracket | facts::kEnd)) return false;
      if (unit.is(facts::kTo) && facts::is_bare(line_[std::min(at + 1, line_.size() - 1)]) &&
          line_[std::min(at + 1, line_.size() - 1)].is(facts::kBaseVerb))
        return false;
      const bool verbal = facts::is_finite(line_.units(), at) && !line_.is_capital(at);
      if (verbal && at > slot_.begin) return false;
    }
    return std::all_of(items_.begin(), items_.end(),
                       [&](const Region& item) { return is_nominal(item); });
  }

  bool is_nominal(const Region& item) const {
    if (line_[item.begin].is(facts::kAdverb) && !in(item.begin, WordList::kAdjectives) &&
        !is(item.begin, {"all", "both", "each"}))
      return false;
    const facts::Unit& last = line_[item.end - 1];
    if (last.is(facts::kPreposition | facts::kDeterminer) && !last.is(facts::kPronoun) &&
        !in(item.end - 1, WordList::kNumberWords) &&
        !is(item.end - 1, {"all", "some", "most", "many", "another", "his", "one"}))
      return false;
    const bool gerund =
        line_.lower(item.begin).ends_with("ing") && size(item) > 1 && !line_.is_capital(item.begin);
    const bool participle = line_.lower(item.begin).ends_with("ed") && size(item) > 1 &&
                            line_.is(item.begin + 1, facts::kPreposition | facts::kDeterminer);
    return !gerund && !participle;
  }

  // --- What stands before the first part and belongs to all of them: "the kings of | A and B" ---

  std::size_t last_preposition(const Region& item) const {
    for (std::size_t at = item.end; at-- > item.begin;) {
      if (line_[at].is(facts::kPreposition) && !line_.is_capital(at)) return at;
    }
    return facts::kNowhere;
  }

  void find_shared_front() {
    front_ = {slot_.begin, slot_.begin};
    const std::size_t preposition = last_preposition(items_.front());
    if (preposition == facts::kNowhere) {
      // "Anna and in Paris"
      if (has_preposition_first(1)) items_.clear();
      return;
    }
    if (joints_ > 1 || is(preposition, {"between", "among", "from", "than"})) {
      items_.clear();
      return;
    }
    if (has_preposition_first(1)) {
      share_prepositional(preposition);
      return;
    }
    if (preposition == slot_.begin && size(items_.front()) > 1) {
      front_ = {preposition, preposition + 1};  // "with | Anna and her son"
      items_.front().begin = preposition + 1;
      return;
    }
    if (last_preposition(items_.back()) != facts::kNowhere) {
      // "the king of France and the queen of Spain"
      if (items_.size() > 2 || shape(items_.front()) != shape(items_.back())) items_.clear();
      return;
    }
    const Region tail = {preposition + 1, items_.front().end};
    if (tail.empty()) {
      items_.clear();
      return;
    }
    const Shape mine = shape(tail);
    const Shape theirs = shape(items_.back());
    const bool nested = mine == theirs || (mine == Shape::kDetermined && theirs == Shape::kBare);
    if (nested) {
      const bool same_article = mine != Shape::kDetermined || theirs == Shape::kBare ||
                                line_.lower(tail.begin) == line_.lower(items_.back().begin);
      if (!same_article || joins_partners({slot_.begin, preposition}) ||
          names_institution({slot_.begin, preposition})) {
        items_.clear();
        return;
      }
      front_ = {slot_.begin, preposition + 1};
      items_.front() = tail;
      return;
    }
    // "the mayor of Paris and his wife", "a cup of tea and a biscuit"; else it is not clear.
    if (theirs != Shape::kDetermined && !(mine == Shape::kDetermined && theirs == Shape::kName))
      items_.clear();
    if (items_.size() > 2) items_.clear();
  }

  bool has_preposition_first(std::size_t item) const {
    return item < items_.size() && line_[items_[item].begin].is(facts::kPreposition);
  }

  // "in France and in Spain", "the kings of France and of Spain"
  void share_prepositional(std::size_t preposition) {
    const std::string_view word = line_.lower(items_[1].begin);
    for (std::size_t item = 1; item < items_.size(); ++item) {
      if (!line_.is(items_[item].begin, word) || size(items_[item]) < 2) {
        items_.clear();
        return;
      }
    }
    std::size_t first = items_.front().begin;
    while (first < preposition && !line_.is(first, word)) ++first;
    if (!line_.is(first, word)) {
      items_.clear();
      return;
    }
    front_ = {slot_.begin, first};
    items_.front().begin = first;
    prepositional_ = true;
  }

  bool joins_partners(const Region& words) const {
    for (std::size_t at = words.begin; at < words.end; ++at) {
      if (in(at, WordList::kPartners)) return true;
    }
    return false;
  }

  // "the Ministry of | Agriculture and Fisheries"
  bool names_institution(const Region& words) const {
    for (std::size_t at = words.begin; at < words.end; ++at) {
      if (in(at, WordList::kInstitutions) && line_.is_capital(at)) return true;
    }
    return false;
  }

  // --- Shapes ---

  Shape shape(const Region& item) const {
    const std::size_t first = item.begin;
    const facts::Unit& unit = line_[first];
    if (unit.is(facts::kPronoun) && size(item) == 1) return Shape::kAny;
    if (is_determiner(first))
      return size(item) > 1 && line_.is_capital(first + 1) && !has_possessor(item)
                 ? Shape::kName
                 : Shape::kDetermined;
    if (is_number(first)) return Shape::kDetermined;
    if (in(first, WordList::kDirections) && line_.is_capital(first + 1)) return Shape::kName;
    if (first == 0 && line_.is_capital(0)) {
      if (size(item) == 1) return Shape::kAny;
      if (!line_.is_capital(1) && !line_.is(1, "'s")) return Shape::kBare;
    }
    if (has_possessor(item)) return Shape::kDetermined;
    return line_.is_capital(first) ? Shape::kName : Shape::kBare;
  }

  bool is_determiner(std::size_t at) const {
    return line_.is(at, facts::kDeterminer) && !is(at, {"such"});
  }

  bool has_possessor(const Region& item) const { return possessor_end(item) > item.begin; }

  // Behind "Anna's", else the beginning.
  std::size_t possessor_end(const Region& item) const {
    for (std::size_t at = item.begin; at < item.end; ++at) {
      if (line_.is(at, "'s") && at + 1 < item.end) return at + 1;
    }
    return item.begin;
  }

  // Items between commas are alike; the last one may differ ("Anna, Ben and their dog").
  bool are_alike() const {
    for (std::size_t item = 0; item + 1 < items_.size(); ++item) {
      if (same_words(items_[item], items_[item + 1])) return false;
    }
    if (items_.size() == 2) return true;
    const Shape first = shape(items_[0]);
    for (std::size_t item = 1; item + 1 < items_.size(); ++item) {
      const Shape each = shape(items_[item]);
      const bool fits = each == first || each == Shape::kAny ||
                        (first == Shape::kAny && each != Shape::kDetermined) ||
                        (first == Shape::kDetermined && each == Shape::kBare);
      if (!fits || (joints_ > 1 && last_preposition(items_[item]) != facts::kNowhere)) return false;
    }
    return true;
  }

  // "more and more"
  bool same_words(const Region& a, const Region& b) const {
    if (size(a) != size(b)) return false;
    for (std::size_t at = 0; at < size(a); ++at) {
      if (line_.lower(a.begin + at) != line_.lower(b.begin + at)) return false;
    }
    return true;
  }

  // --- Words that all parts have ---

  bool is_adjective(std::size_t at) const {
    if (in(at, WordList::kAdjectives)) return true;
    const std::string_view word = line_.lower(at);
    if (line_.is_capital(at) || word.size() < 5 ||
        is(at, {"capital",  "animal",      "hospital",   "criminal",   "journal",   "canal",
                "metal",    "music",       "public",     "traffic",    "clinic",    "topic",
                "festival", "material",    "official",   "individual", "general",   "rival",
                "arrival",  "signal",      "table",      "vegetable",  "detective", "relative",
                "native",   "executive",   "initiative", "motive",     "archive",   "mosaic",
                "fabric",   "logic",       "magic",      "critic",     "mechanic",  "republic",
                "survival", "proposal",    "approval",   "removal",    "trial",     "hotel",
                "mineral",  "professional"}))
      return false;
    for (const std::string_view ending :
         {"al", "ic", "ous", "ive", "ful", "less", "able", "ible", "ary", "ese", "ish"}) {
      if (word.ends_with(ending)) return true;
    }
    return false;
  }

  bool share() {
    if (prepositional_) return true;
    const Region& last = items_.back();
    if (is_institution_name()) return false;
    if (share_title() || share_surname() || share_plural_title()) return true;
    const Shape mine = shape(items_.front());
    if (shape(last) == Shape::kName || mine == Shape::kName) return shape_allows_names();
    return share_noun();
  }

  // "the Food and Drug Administration"
  bool is_institution_name() const {
    const Region& last = items_.back();
    return size(last) > 1 && line_.is_capital(last.end - 1) && line_.is_capital(last.begin) &&
           in(last.end - 1, WordList::kInstitutions) && line_.is_capital(last.begin - 2) &&
           items_.front().end > 1;
  }

  // "Mr. and Mrs. Smith"
  bool share_title() {
    const Region& first = items_.front();
    Region& last = items_.back();
    const std::size_t name = last.begin + 1 + line_.is(last.begin + 1, ".");
    const bool only_title =
        in(first.begin, WordList::kTitles) &&
        (size(first) == 1 || (size(first) == 2 && line_.is(first.begin + 1, ".")));
    if (items_.size() != 2 || !only_title || !line_.is_capital(first.begin)) return false;
    if (!in(last.begin, WordList::kTitles) || name >= last.end) return false;
    back_ = {name, last.end};
    last.end = name;
    return true;
  }

  // "Marie and Pierre Curie"
  bool share_surname() {
    Region& last = items_.back();
    if (size(last) < 2 || !in(last.begin, WordList::kGivenNames)) return false;
    for (std::size_t at = last.begin; at < last.end; ++at) {
      if (!line_.is_capital(at)) return false;
    }
    for (std::size_t item = 0; item + 1 < items_.size(); ++item) {
      const std::size_t name = items_[item].begin;
      if (size(items_[item]) != 1 || !line_.is_capital(name) || !in(name, WordList::kGivenNames))
        return false;
    }
    back_ = {last.begin + 1, last.end};
    last.end = last.begin + 1;
    return true;
  }

  // "Presidents Bush and Clinton"
  bool share_plural_title() {
    const std::size_t title = items_.front().begin;
    if (!in(title, WordList::kPluralTitles) || size(items_.front()) < 2) return false;
    for (const Region& item : items_) {
      if (!line_.is_capital(item.end - 1) || last_preposition(item) != facts::kNowhere)
        return false;
    }
    if (front_.empty()) front_ = {title, title};
    front_.end = title + 1;
    items_.front().begin = title + 1;
    return true;
  }

  // "France and Spain" have nothing to share; "Vienna and other cities" neither. "English and
  // French troops" would.
  bool shape_allows_names() const {
    const Region& last = items_.back();
    for (std::size_t item = 0; item + 1 < items_.size(); ++item) {
      const std::size_t end = items_[item].end - 1;
      const bool people = in(end, WordList::kPeoples) || in(end, WordList::kAdjectives);
      if (people && size(last) > 1 && line_.is_capital(last.begin) &&
          !line_.is_capital(last.end - 1) && !is_determiner(last.begin))
        return false;
    }
    return true;
  }

  bool share_noun() {
    Region& first = items_.front();
    Region& last = items_.back();
    std::size_t article_end = possessor_end(first);
    if (article_end == first.begin && is_shared_article(first.begin)) article_end = first.begin + 1;
    const bool owned = has_possessor(first);
    if (size({article_end, first.end}) == 0) return false;
    const bool last_is_bare = shape(last) == Shape::kBare;
    if (!last_is_bare) return true;  // "his wife and two children"
    if (all_adjectives({article_end, first.end})) return share_head(article_end);
    const Region of = of_phrase(last);
    const Region noun = {last.begin, of.empty() ? last.end : of.begin};
    const bool simple = size(noun) == 1 || is_adjective(noun.begin) || owned ||
                        last_preposition(last) == last.begin + 1 || is(noun.begin, {"other"});
    const bool plural = line_.lower(first.end - 1).ends_with("s") && article_end == first.begin;
    if (!simple && !plural) return false;  // "coal and steel workers"
    if (!of.empty() && last_preposition(first) == facts::kNowhere && size(noun) == 1) {
      back_ = of;
      last.end = of.begin;
    }
    share_article(article_end);
    return true;
  }

  bool all_adjectives(const Region& words) const {
    for (std::size_t at = words.begin; at < words.end; ++at) {
      if (!is_adjective(at) && !line_.is(at, facts::kAdverb)) return false;
    }
    return true;
  }

  // "political and economic | reforms"
  bool share_head(std::size_t article_end) {
    Region& last = items_.back();
    std::size_t head = last.begin;
    while (head < last.end && (is_adjective(head) || line_.is(head, facts::kAdverb))) ++head;
    if (head == last.begin)  // "long and boring", not "the national and state governments"
      return article_end == items_.front().begin && size(last) == 1;
    for (std::size_t item = 1; item + 1 < items_.size(); ++item) {
      if (!all_adjectives(items_[item])) return false;
    }
    if (head < last.end) {
      back_ = {head, last.end};
      last.end = head;
    }
    share_article(article_end);
    return true;
  }

  Region of_phrase(const Region& item) const {
    for (std::size_t at = item.begin + 1; at + 1 < item.end; ++at) {
      if (line_.is(at, "of")) return {at, item.end};
      if (line_[at].is(facts::kPreposition)) break;
    }
    return {item.end, item.end};
  }

  bool is_shared_article(std::size_t at) const {
    if (is(at, {"the", "his", "her", "its", "their", "my", "our", "your", "these", "those", "this",
                "some", "many", "several", "all", "most", "any"}))
      return true;
    if (!is(at, {"a", "an"})) return false;
    // "a painter and engraver": "a engraver" is none.
    return std::all_of(items_.begin() + 1, items_.end(), [&](const Region& item) {
      const char letter = line_.lower(item.begin)[0];
      const bool vowel = std::string_view("aeiou").find(letter) != std::string_view::npos;
      return vowel == line_.is(at, "an");
    });
  }

  void share_article(std::size_t article_end) {
    Region& first = items_.front();
    if (article_end == first.begin) return;
    article_ = {first.begin, article_end};
    first.begin = article_end;
  }

  // --- Parts ---

  std::vector<std::vector<std::size_t>> parts() const {
    std::vector<std::vector<std::size_t>> found;
    for (const Region& item : items_) {
      if (item.empty()) return {};
      std::vector<std::size_t> units;
      for (const Region& region : {front_, article_, item, back_}) {
        for (std::size_t at = region.begin; at < region.end; ++at) units.push_back(at);
      }
      found.push_back(std::move(units));
    }
    return found;
  }

  const Line& line_;
  Region slot_;
  bool negative_;
  std::vector<Region> items_;
  std::size_t joints_ = 0;
  bool ended_by_comma_ = false;
  bool prepositional_ = false;
  // What all parts have, besides their own words.
  Region front_ = {};
  Region article_ = {};
  Region back_ = {};
};

}  // namespace

Parts parts_of_slot(const Line& line, std::span<const std::uint32_t> words, bool negative) {
  const Parts whole = {{words.begin(), words.end()}};
  const std::vector<std::size_t> units = line.units_of(words);
  const bool contiguous = units.size() > 2 && units.back() - units.front() + 1 == units.size();
  if (!contiguous) return whole;
  const Region slot = {units.front(), units.back() + 1};
  if (slot.begin > 0 && (line.is(slot.begin - 1, "between") || line.is(slot.begin - 1, "among")))
    return whole;
  if (slot.begin > 0 && line.is(slot.begin - 1, facts::kQuote) && line.is(slot.end, facts::kQuote))
    return whole;
  Parts parts;
  for (const std::vector<std::size_t>& part : Splitter(line, slot, negative).split()) {
    std::vector<std::size_t> ascending = part;
    std::sort(ascending.begin(), ascending.end());
    parts.push_back(line.words_of(ascending));
  }
  return parts.size() < 2 ? whole : parts;
}

std::vector<extract::Triple> split_coordination(const Line& line, const extract::Triple& triple,
                                                bool negative) {
  const ActsAsOne one = acts_as_one(line, triple);
  const Parts subjects =
      one.subject ? Parts{triple.words[0]} : parts_of_slot(line, triple.words[0], negative);
  const Parts objects =
      one.object ? Parts{triple.words[2]} : parts_of_slot(line, triple.words[2], negative);
  if (subjects.size() * objects.size() > kMostParts) return {triple};
  std::vector<extract::Triple> split;
  for (const auto& subject : subjects) {
    for (const auto& object : objects) split.push_back({{subject, triple.words[1], object}});
  }
  return split;
}

}  // namespace diffie::reshape

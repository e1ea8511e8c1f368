#include "reshape/time_core.h"

#include <algorithm>
#include <initializer_list>

namespace diffie::reshape {
namespace {

using Words = std::initializer_list<std::string_view>;

bool one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// "5th", "21st"; the word "fifth".
bool is_ordinal(std::string_view word) {
  if (one_of(word, {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
                    "ninth", "tenth", "eleventh", "twelfth", "twentieth", "thirtieth"}))
    return true;
  if (word.ends_with("teenth")) return true;
  if (word.size() < 3 || !is_digit(word[0])) return false;
  const std::string_view ending = word.substr(word.size() - 2);
  return one_of(ending, {"st", "nd", "rd", "th"}) && is_digit(word[word.size() - 3]);
}

// Each function gives where what it looks for ends, `at` for none.
class Cores {
 public:
  explicit Cores(const Line& line) : line_(line) {}

  TimeCore longest(std::size_t at) const {
    TimeCore best{at, Bare::kNothing};
    const auto offer = [&](std::size_t end, Bare bare) {
      if (end > best.end) best = {end, bare};
    };
    offer(clock(at), Bare::kNothing);
    offer(date(at), Bare::kTime);
    offer(year(at), Bare::kNothing);
    offer(month_alone(at), Bare::kNothing);
    offer(decade(at), Bare::kNothing);
    offer(century(at), Bare::kNothing);
    const TimeCore which = which_time(at);
    offer(which.end, which.bare);
    const TimeCore quantity = amount(at);
    offer(quantity.end, quantity.bare);
    offer(now(at), Bare::kTime);
    offer(part_of_day(at), Bare::kNothing);
    offer(season(at), Bare::kNothing);
    offer(holiday(at), Bare::kNothing);
    offer(age(at), Bare::kNothing);
    return best;
  }

  // "12", "1,500", "twenty-five", "two hundred"
  std::size_t number(std::size_t at) const {
    std::size_t end = at;
    while (line_.is_digits(end) || in(end, WordList::kNumberWords)) {
      ++end;
      const bool inner = line_.touches_next(end - 1) && line_.touches_next(end) &&
                         is(end, {",", ".", "-"}) &&
                         (line_.is_digits(end + 1) || in(end + 1, WordList::kNumberWords));
      if (inner) ++end;
    }
    return end;
  }

  bool is_four_digit_year(std::size_t at) const {
    const std::string_view word = line_.lower(at);
    return line_.is_digits(at) && word.size() == 4 && word >= "1000" && word <= "2100";
  }

  bool is_year(std::size_t at) const {
    if (!is_four_digit_year(at)) return false;
    const bool joined_on = line_.touches_next(at) &&
                           (is(at + 1, {"%", "°"}) || line_.is_digits(at + 2)) &&
                           line_.touches_next(at + 1) && is(at + 1, {"%", ".", ",", "/", ":"});
    return !joined_on && !is(at + 1, {"km", "miles", "people", "percent", "%", "m", "kg", "metres",
                                      "meters", "feet", "times", "men", "million"});
  }

  std::size_t era(std::size_t at) const {
    if (is(at, {"bc", "ad", "bce", "ce"}) && line_.is_all_capitals(at)) return at + 1;
    return is(at, {"b", "a"}) && is(at + 1, {"."}) && is(at + 2, {"c", "d"}) && is(at + 3, {"."})
               ? at + 4
               : at;
  }

  std::size_t year(std::size_t at) const {
    // "the 1967 borders"
    if (is_year(at)) return at > 0 && line_.is(at - 1, "the") ? at : era(at + 1);
    const std::size_t ad = era(at);
    if (ad > at && line_.is_digits(ad)) return ad + 1;
    if (line_.is_digits(at) && era(at + 1) > at + 1) return era(at + 1);
    // "the year 1990"
    const std::size_t noun = at + line_.is(at, "the");
    return line_.is(noun, "year") && line_.is_digits(noun + 1) ? era(noun + 2) : at;
  }

  bool is_month(std::size_t at) const { return in(at, WordList::kMonths) && line_.is_capital(at); }

  std::size_t after_month(std::size_t at) const {  // "Jan."
    const bool abbreviated = line_.lower(at).size() <= 4 && !is(at, {"may", "june", "july"});
    return at + 1 + (abbreviated && line_.touches_next(at) && line_.is(at + 1, "."));
  }

  bool is_day(std::size_t at) const {
    const std::string_view word = line_.lower(at);
    if (is_ordinal(word)) return true;
    return line_.is_digits(at) && word.size() <= 2 && word != "0" && word != "00" &&
           (word.size() == 1 || word <= "31");
  }

  std::size_t date(std::size_t at) const {
    std::size_t day = at;
    if (in(at, WordList::kWeekdays) && line_.is_capital(at)) {
      ++day;
      if (line_.is(day, "'s")) return at;
      if (in(day, WordList::kDayParts)) ++day;
      const std::size_t rest = month_day(day + (line_.is(day, ",") ? 1 : 0));
      return std::max(day, rest > day + 1 ? rest : day);
    }
    if (const std::size_t digits = in_digits(at); digits > at) return digits;
    return month_day(at);
  }

  // "2010-05-04", "4/5/2010"
  std::size_t in_digits(std::size_t at) const {
    for (std::size_t part = at; part < at + 4; ++part) {
      if (!line_.touches_next(part)) return at;
    }
    const bool shaped = line_.is_digits(at) && line_.is_digits(at + 2) && line_.is_digits(at + 4) &&
                        is(at + 1, {"-", "/", "."}) && line_.is(at + 3, line_.lower(at + 1));
    const std::size_t first = line_.lower(at).size();
    const std::size_t last = line_.lower(at + 4).size();
    const bool has_year = (is_four_digit_year(at) && last <= 2) ||
                          (first <= 2 && (is_four_digit_year(at + 4) || last == 2));
    return shaped && has_year && line_.lower(at + 2).size() <= 2 ? at + 5 : at;
  }

  std::size_t month_day(std::size_t at) const {
    if (is_month(at)) {
      std::size_t end = after_month(at);
      if (is_day(end)) {
        ++end;
        if (is(end, {"-", "–", "to", "and"}) && is_day(end + 1) && !is_year(end + 1)) end += 2;
        return with_year(end);
      }
      const std::size_t year_at = end + (is(end, {"of", ","}) ? 1 : 0);
      return is_year(year_at) ? year_at + 1 : at;
    }
    std::size_t end = at + line_.is(at, "the");
    if (!is_day(end)) return at;
    ++end;
    if (is(end, {"-", "–", "to", "and"}) && is_day(end + 1)) end += 2;
    if (line_.is(end, "of")) ++end;
    return is_month(end) ? with_year(after_month(end)) : at;
  }

  std::size_t with_year(std::size_t end) const {
    const std::size_t year_at = end + (line_.is(end, ",") ? 1 : 0);
    if (is_year(year_at)) return era(year_at + 1);
    return line_.is_digits(end) && era(end + 1) > end + 1 ? era(end + 1) : end;
  }

  std::size_t month_alone(std::size_t at) const {
    if (!is_month(at) || line_.is_capital(at + 1)) return at;
    return after_month(at);
  }

  std::size_t clock(std::size_t at) const {
    std::size_t end = at;
    if (line_.is_digits(at) && line_.lower(at).size() <= 2) {
      end = at + 1;
      if (is(end, {":", "."}) && line_.touches_next(at) && line_.touches_next(end) &&
          line_.is_digits(end + 1) && line_.lower(end + 1).size() == 2) {
        end += 2;
        const std::size_t half = half_of_day(end);
        return half > end || line_.is(at + 1, ":") ? half : at;
      }
    } else if (in(at, WordList::kNumberWords)) {
      end = at + 1;
    }
    if (end == at) return at;
    const std::size_t half = half_of_day(end);
    if (half > end) return half;
    return line_.is(end, "o") && line_.is(end + 2, "clock") ? end + 3
           : is(end, {"o'clock", "o’clock"})                ? end + 1
                                                            : at;
  }

  std::size_t half_of_day(std::size_t at) const {
    if (is(at, {"am", "pm", "a.m.", "p.m.", "a.m", "p.m"})) return at + 1;
    if (is(at, {"a", "p"}) && line_.is(at + 1, ".") && line_.is(at + 2, "m"))
      return at + 3 + (line_.is(at + 3, ".") && line_.touches_next(at + 2) ? 1 : 0);
    return at;
  }

  std::size_t decade(std::size_t at) const {
    std::size_t end = at + line_.is(at, "the");
    while (is(end, {"early", "late", "mid", "-"})) ++end;
    if (is(end, {"'", "’"})) ++end;
    const std::string_view word = line_.lower(end);
    const bool plural = (word.size() == 5 || word.size() == 3) && word.ends_with("0s") &&
                        std::all_of(word.begin(), word.end() - 1, is_digit);
    if (plural) return end + 1;
    if (is_year(end) && word.ends_with("0") && line_.is(end + 1, "'s") && line_.is(at, "the"))
      return end + 2;
    const bool named = is(end, {"twenties", "thirties", "forties", "fifties", "sixties",
                                "seventies", "eighties", "nineties"});
    return named ? end + 1 : at;
  }

  std::size_t century(std::size_t at) const {
    std::size_t end = at + line_.is(at, "the");
    while (is(end, {"early", "late", "mid", "-", "latter"})) ++end;
    const std::size_t first = end;
    while (is_ordinal(line_.lower(end)) || is(end, {"and", "to", "or", "twenty", "-", "–"})) ++end;
    if (!is_ordinal(line_.lower(first)) && !line_.is(first, "twenty")) return at;
    return is(end, {"century", "centuries", "millennium", "c"}) ? era(end + 1) : at;
  }

  bool is_period(std::size_t at) const {
    return in(at, WordList::kTimeUnits) || in(at, WordList::kDayParts) ||
           in(at, WordList::kSeasons) || (in(at, WordList::kWeekdays) && line_.is_capital(at)) ||
           is_month(at);
  }

  // "last week", "the next three years", "every Sunday", "the same year"
  TimeCore which_time(std::size_t at) const {
    std::size_t end = at;
    Bare bare = Bare::kNothing;
    if (is(at, {"this", "that", "every", "each", "one", "these", "all"})) {
      bare = Bare::kTime;
      ++end;
      if (is(end, {"past", "coming", "other", "single", "same", "last"})) ++end;
      if (line_.is(at, "that") &&
          !is(end, {"year", "night", "day", "week", "month", "summer", "evening", "winter",
                    "spring", "morning", "afternoon", "weekend", "time"}))
        return {at, bare};
      if (line_.is(at, "one") && !is(end, {"day", "night", "morning", "evening", "afternoon"}))
        return {at, bare};
      if (line_.is(at, "all") && !is(end, {"day", "night", "year", "week", "summer", "winter"}))
        return {at, bare};
    } else {
      end += is(at, {"the", "his", "her", "its", "their"});
      const std::size_t first = end;
      while (in(end, WordList::kWhichTime)) ++end;
      if (end == first) return {at, bare};
      const bool adverbial = is(
          first, {"last", "next", "past", "previous", "following", "same", "coming", "preceding"});
      bare = adverbial && !is(at, {"his", "her", "its", "their"}) ? Bare::kTime : Bare::kNothing;
    }
    if (is(end, {"few", "several", "couple"})) ++end;
    if (line_.is(end - 1, "couple") && line_.is(end, "of")) ++end;
    end = number(end);
    const bool occasion = line_.is(end, "time") && is(at, {"this", "that", "last", "next"});
    if (!is_period(end) && !occasion) return {at, bare};
    if (is(end, {"second", "quarter", "fall", "term", "minute"}) &&
        !(is(end - 1, {"last", "this", "next"}) && is(end, {"quarter", "fall"})) &&
        !is(at, {"the"}))
      return {at, bare};
    if (is_month(end)) return {std::max(end + 1, month_day(end)), bare};
    if (is(end + 1, {"'s", "-"}) || is_the_rest_of_a_noun(end)) return {at, bare};
    ++end;
    if (in(end, WordList::kDayParts)) ++end;
    return {with_of(end), bare};
  }

  // "this month rent": no, but what follows a period is nearly never a noun.
  bool is_the_rest_of_a_noun(std::size_t at) const {
    return is(at + 1, {"old", "olds", "school", "session", "period", "round", "prices", "ahead"});
  }

  // "the first week | of May"
  std::size_t with_of(std::size_t end) const {
    if (!line_.is(end, "of")) return end;
    for (const std::size_t more :
         {date(end + 1), year(end + 1), month_alone(end + 1), decade(end + 1), season(end + 1)}) {
      if (more > end + 1) return more;
    }
    return end;
  }

  // "three years ago", "a few days", "several weeks later"
  TimeCore amount(std::size_t at) const {
    if (in(at, WordList::kTimeUnits) && is(at + 1, {"ago", "later"})) return {at + 2, Bare::kTime};
    std::size_t end = at;
    const bool article = is(at, {"a", "an"});
    if (article || is(at, {"another"})) {
      ++end;
      while (is(end, {"few", "good", "whole", "full", "single", "couple", "of", "half", "dozen",
                      "long", "short", "further"}))
        ++end;
    } else if (in(at, WordList::kQuantities)) {
      ++end;
      while (is(end, {"of", "more", "hundred", "thousand", "dozen", "long"})) ++end;
    } else {
      end = number(at);
      if (end == at) return {at, Bare::kNothing};
      const bool range = is(end, {"to", "-", "–", "or"}) && number(end + 1) > end + 1;
      if (range) end = number(end + 1);  // "3 to 5 days"
      while (is(end, {"more", "long", "full", "consecutive", "whole", "straight", "additional",
                      "and", "a", "half", "successive"}))
        ++end;
    }
    if (!in(end, WordList::kTimeUnits) || is(end, {"second", "quarter", "term", "seasons"}))
      return {at, Bare::kNothing};
    if (is(end + 1, {"old", "'s", "'", "’", "-", "period"})) return {at, Bare::kNothing};
    ++end;
    if (is(end, {"and"}) && is(end + 1, {"a"}) && is(end + 2, {"half"})) end += 3;
    if (is(end, {"ago", "later", "earlier", "beforehand", "afterwards"}))
      return {end + 1, Bare::kTime};
    return {end, article && end == at + 2 ? Bare::kNothing : Bare::kDuration};
  }

  std::size_t now(std::size_t at) const {
    if (!in(at, WordList::kNow)) return at;
    if (is(at, {"daily", "weekly", "monthly", "annually", "yearly", "nightly", "hourly",
                "overnight"})) {
      const bool attributive = at + 1 < line_.size() && line_[at + 1].classes == 0;
      return attributive ? at : at + 1;
    }
    if (line_.is(at + 1, "'s") || (at > 0 && is(at - 1, {"the", "a"}))) return at;
    return at + 1 + in(at + 1, WordList::kDayParts);
  }

  // "the morning | market"
  bool is_attributive(std::size_t at) const {
    const std::size_t next = at + 1;
    return next < line_.size() && line_[next].classes == 0 && !line_.is_capital(next) &&
           !line_.is_digits(next);
  }

  std::size_t part_of_day(std::size_t at) const {
    std::size_t end = at + line_.is(at, "the");
    if (is(end, {"early", "late", "middle", "next"})) ++end;
    if (line_.is(end, "of") && line_.is(end - 1, "middle")) end += 1 + line_.is(end + 1, "the");
    if (!in(end, WordList::kDayParts) || line_.is_capital(end + 1)) return at;
    if (is(end + 1, {"-", "'s"}) || is_attributive(end)) return at;
    return with_of(end + 1);
  }

  std::size_t season(std::size_t at) const {
    std::size_t end = at + line_.is(at, "the");
    if (is(end, {"early", "late"})) ++end;
    if (line_.is(end, "mid") && line_.is(end + 1, "-")) end += 2;
    if (!in(end, WordList::kSeasons)) return at;
    ++end;
    if (is_year(end)) return end + 1;
    if (line_.is(end, "of")) return is_year(end + 1) ? end + 2 : at;
    if (is(end, {"months"})) return end + 1;
    return is_attributive(end - 1) || line_.is(end, "-") ? at : end;
  }

  std::size_t holiday(std::size_t at) const {
    if (!line_.is_capital(at)) return at;
    if (line_.is(at, "new") && line_.is(at + 1, "year")) {
      const std::size_t end = at + 2 + line_.is(at + 2, "'s");
      return end + is(end, {"eve", "day"});
    }
    if (!in(at, WordList::kHolidays)) return at;
    return at + 1 + is(at + 1, {"day", "eve", "monday", "morning", "sunday", "friday", "week"});
  }

  // "the Middle Ages", "his childhood", "recent years"
  std::size_t age(std::size_t at) const {
    std::size_t end = at;
    while (
        is(end, {"the", "his", "her", "their", "its", "my", "early", "late", "classical", "our"}))
      ++end;
    if (line_.is(end, "middle") && line_.is(end + 1, "ages")) return end + 2;
    if (is(end, {"bronze", "iron", "stone", "ice"}) && line_.is(end + 1, "age")) return end + 2;
    return in(end, WordList::kAges) && !line_.is(end + 1, "of") ? end + 1 : at;
  }

 private:
  bool is(std::size_t at, Words words) const { return one_of(line_.lower(at), words); }
  bool in(std::size_t at, WordList list) const { return line_.in(at, list); }

  const Line& line_;
};

}  // namespace

TimeCore time_core(const Line& line, std::size_t at) { return Cores(line).longest(at); }
std::size_t number_end(const Line& line, std::size_t at) { return Cores(line).number(at); }
bool is_year(const Line& line, std::size_t at) { return Cores(line).is_year(at); }
bool is_month(const Line& line, std::size_t at) { return Cores(line).is_month(at); }

}  // namespace diffie::reshape

#include <fmt/format.h>
#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "base/utf8.h"
#include "diffie/error.h"
#include "text/abbreviations.h"
#include "text/break_rules.h"
#include "text/sentence_breaker.h"

namespace diffie::text {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::kInternal, fmt::format("ICU sentence rules: {}", u_errorName(status)));
  }
}

// Entries of ICU's English suppressions that are everyday words or single letters; they are looked
// for at the end of any word ("MIT." ends in "T."). break_rules.cpp knows more about initials.
constexpr const char* kUnwanted[] = {
    "A.",    "B.",   "D.",    "E.",   "F.",  "G.",   "I.",    "K.",   "L.",    "M.",   "O.",
    "Q.",    "S.",   "T.",    "U.",   "X.",  "Z.",   "By.",   "Act.", "Up.",   "Job.", "Ok.",
    "OK.",   "Org.", "Go.",   "Do.",  "Is.", "In.",  "On.",   "Or.",  "To.",   "All.", "As.",
    "Link.", "Hat.", "Long.", "Joe.", "Id.", "Pro.", "Card.", "Jam.", "Mart.", "Min.", "Diff.",
    "AD.",   "AB.",  "AA.",   "PC.",  "DC.", "Ex.",  "Cap.",  "Mar.", "Lev.",  "Def."};

std::unique_ptr<icu::BreakIterator> make_iterator() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale& english = icu::Locale::getEnglish();
  std::unique_ptr<icu::BreakIterator> rules(
      icu::BreakIterator::createSentenceInstance(english, status));
  const std::unique_ptr<icu::FilteredBreakIteratorBuilder> builder(
      icu::FilteredBreakIteratorBuilder::createInstance(english, status));
  check(status);
  for (const char* word : kUnwanted) builder->unsuppressBreakAfter(word, status);
  // What our own rules decide by the next word must not be hidden from them.
  for_each_open_abbreviation([&](std::string_view word) {
    builder->unsuppressBreakAfter(
        icu::UnicodeString::fromUTF8({word.data(), static_cast<std::int32_t>(word.size())}),
        status);
  });
  std::unique_ptr<icu::BreakIterator> filtered(builder->build(rules.release(), status));
  check(status);
  return filtered;
}

bool is_line_break(char32_t c) {
  return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

class IcuSentenceBreaker : public SentenceBreaker {
 public:
  IcuSentenceBreaker() {
    // Reading ICU's rules takes milliseconds, a clone microseconds.
    static const std::unique_ptr<const icu::BreakIterator> prototype = make_iterator();
    iterator_.reset(prototype->clone());
    if (iterator_ == nullptr)
      throw Error(ErrorCode::kExhausted, "ICU sentence rules: no memory for a copy");
  }

  void find(std::string_view block, std::vector<std::size_t>& breaks) override {
    breaks.clear();
    copy_text(block);
    iterator_->setText(text_);
    for (std::int32_t at = iterator_->next(); at != icu::BreakIterator::DONE;
         at = iterator_->next()) {
      if (at < text_.length()) breaks.push_back(byte_of_[static_cast<std::size_t>(at)]);
    }
  }

 private:
  // As UTF-16, with three lies: a line break is a blank (the rules end a sentence there), an
  // ellipsis a stop (they know only three dots), and a number or currency sign after a stop and a
  // blank a capital (they look past it for a small letter and see no end).
  void copy_text(std::string_view block) {
    text_.remove();
    byte_of_.clear();
    enum class After { kText, kStop, kBlank } after = After::kText;
    for (std::size_t pos = 0; pos < block.size();) {
      const base::Decoded decoded = base::decode_utf8(block, pos);
      const char32_t c = decoded.code_point;
      const bool number = (c >= '0' && c <= '9') || c == '$' || c == 0xA3 || c == 0x20AC;
      const char32_t shown = is_line_break(c)                   ? U' '
                             : c == 0x2026                      ? U'.'
                             : number && after == After::kBlank ? U'X'
                                                                : c;
      text_.append(static_cast<UChar32>(shown));
      byte_of_.resize(static_cast<std::size_t>(text_.length()), static_cast<std::uint32_t>(pos));
      pos += decoded.length;
      if (is_stop(c)) {
        after = After::kStop;
      } else if (base::is_unicode_space(c) && after != After::kText) {
        after = After::kBlank;
      } else if (after == After::kText || !is_closer(c)) {
        after = After::kText;
      }
    }
  }

  std::unique_ptr<icu::BreakIterator> iterator_;
  icu::UnicodeString text_;
  std::vector<std::uint32_t> byte_of_;  // per UTF-16 unit of text_
};

}  // namespace

std::unique_ptr<SentenceBreaker> make_sentence_breaker() {
  return std::make_unique<IcuSentenceBreaker>();
}

}  // namespace diffie::text

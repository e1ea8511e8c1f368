#include "text/break_rules.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/abbreviations.h"

namespace diffie::text {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }

bool is_opener(char32_t c) {
  return is_closer(c) || c == '(' || c == '[' || c == '{' || c == '<' || c == '`' || c == 0xAB ||
         c == 0x2018 || c == 0x201C || c == 0x201E || c == 0xBF || c == 0xA1;
}

bool is_lower_letter(char32_t c) {
  if (c < 0x80) return is_lower(static_cast<char>(c));
  return (c >= 0xDF && c <= 0xFF && c != 0xF7) || (c >= 0x3AC && c <= 0x3CE) ||
         (c >= 0x430 && c <= 0x45F);
}

// The start of the character before `end`, which is not 0.
std::size_t previous(std::string_view text, std::size_t end) {
  std::size_t pos = end - 1;
  while (pos > 0 && end - pos < 4 && (static_cast<unsigned char>(text[pos]) & 0xC0) == 0x80) --pos;
  return pos + base::decode_utf8(text, pos).length == end ? pos : end - 1;
}

template <class Test>
std::size_t strip_back(std::string_view text, std::size_t end, Test test) {
  while (end > 0) {
    const std::size_t pos = previous(text, end);
    if (!test(base::decode_utf8(text, pos).code_point)) break;
    end = pos;
  }
  return end;
}

template <class Test>
std::size_t strip_front(std::string_view text, std::size_t begin, Test test) {
  while (begin < text.size()) {
    const base::Decoded decoded = base::decode_utf8(text, begin);
    if (!test(decoded.code_point)) break;
    begin += decoded.length;
  }
  return begin;
}

// The word at the front, as far as it is ASCII letters and apostrophes.
std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || text[end] == '\'')) ++end;
  return text.substr(0, end);
}

// The last white-space token, without opening brackets and quotes.
std::string_view last_word(std::string_view text) {
  const std::size_t begin =
      strip_back(text, text.size(), [](char32_t c) { return !base::is_unicode_space(c); });
  const std::string_view token = text.substr(begin);
  return token.substr(strip_front(token, 0, is_opener));
}

bool starts_sentence(std::string_view next) {
  const std::string_view word = first_word(next);
  const bool initial = word.size() < next.size() && next[word.size()] == '.';
  return is_sentence_starter(word) && !initial;
}

// "J", "J.K", "J.-P", "U.S": single capitals with stops between.
bool is_initials(std::string_view word) {
  if (word.empty() || !is_upper(word.back())) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool separator = word[i] == '.' || word[i] == '-';
    if (!separator && !is_upper(word[i])) return false;
    if (is_upper(word[i]) && i + 1 < word.size() && is_upper(word[i + 1])) return false;
  }
  return true;
}

// "So do I." against "Henry I. Smith".
bool is_pronoun_i(std::string_view word, std::string_view before_word) {
  if (word != "I") return false;
  const std::string_view previous_word = last_word(
      before_word.substr(0, strip_back(before_word, before_word.size(), base::is_unicode_space)));
  return !previous_word.empty() && is_lower(previous_word.front());
}

// `stem` is the sentence up to its single final stop, without it; `next` what follows.
bool full_stop_ends(std::string_view stem, std::string_view next) {
  const std::string_view word = last_word(stem);
  const std::string_view before_word =
      stem.substr(0, static_cast<std::size_t>(word.data() - stem.data()));
  if (is_initials(word) && !is_pronoun_i(word, before_word)) return starts_sentence(next);
  switch (abbreviation_kind(word)) {
    case AbbreviationKind::kClosed:
      return false;
    case AbbreviationKind::kOpen:
      return starts_sentence(next);
    case AbbreviationKind::kNumber:
      return next.empty() || !is_digit(next.front());
    case AbbreviationKind::kNone:
      return true;
  }
  return true;
}

bool is_name_with_mark(std::string_view stem) {
  const std::string_view word = last_word(stem);
  return word == "Yahoo" || word == "Jeopardy";
}

// `stem` is the sentence up to its last stop; `next` what follows, without opening quotes.
bool stop_ends(std::string_view stem, char32_t stop, std::string_view next) {
  if (stop == '!') return !is_name_with_mark(stem) || starts_sentence(next);
  if (stop != '.' || stem.ends_with('.') || stem.ends_with("\u2026")) return true;
  return full_stop_ends(stem, next);
}

// Past tokens of pre-tokenised text that can only close: '' ) ] and typographic quotes, or a
// plain quote where one is open.
std::size_t skip_closing_tokens(std::string_view block, std::size_t pos) {
  for (;;) {
    const std::size_t end =
        strip_front(block, pos, [](char32_t c) { return !base::is_unicode_space(c); });
    const std::string_view token = block.substr(pos, end - pos);
    const bool plain = token == "\"";
    const bool closes =
        token == "''" || token == ")" || token == "]" || token == "\u201D" || token == "\u2019" ||
        token == "\u00BB" ||
        (plain &&
         std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(pos), '"') % 2 == 1);
    if (!closes) return pos;
    pos = strip_front(block, end, base::is_unicode_space);
    if (plain) return pos;
  }
}

bool is_wide_stop(char32_t c) {
  return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0xFF0E || c == 0xFF61;
}

}  // namespace

bool is_stop(char32_t c) {
  return c == '.' || c == '!' || c == '?' || c == 0x2026 || c == 0x203C || c == 0x203D ||
         (c >= 0x2047 && c <= 0x2049) || c == 0x61F || c == 0x6D4 || c == 0x964 || is_wide_stop(c);
}

bool is_closer(char32_t c) {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == '*' || c == 0xBB ||
         c == 0x2019 || c == 0x201D || c == 0x300D || c == 0x300F || c == 0xFF09;
}

std::string_view list_marker(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  for (const std::string_view bullet :
       {"-", "*", "+", "\u2013", "\u2014", "\u2022", "\u2023", "\u25E6", "\u25AA", "\u25CF",
        "\u25CB", "\u00B7", "\u2043"}) {
    if (word == bullet) return word;
  }
  if (word.size() < 2 || word.size() > 6 || (word.back() != '.' && word.back() != ')')) return {};
  std::string_view label = word.substr(0, word.size() - 1);
  if (label.front() == '(' && word.back() == ')') label.remove_prefix(1);
  const bool number =
      !label.empty() && label.size() <= 3 && std::all_of(label.begin(), label.end(), is_digit);
  const bool letter = label.size() == 1 && is_letter(label.front());
  const bool roman = !label.empty() && label.find_first_not_of("ivx") == std::string_view::npos;
  // "A." may be an initial; only a bracket makes a capital letter a marker.
  const bool marker = number || roman || (letter && word.back() == ')');
  return marker ? word : std::string_view{};
}

std::optional<std::size_t> next_sentence(std::string_view block, std::size_t pos) {
  const std::string_view sentence = block.substr(0, strip_back(block, pos, base::is_unicode_space));
  const std::size_t core_end = strip_back(sentence, sentence.size(), is_closer);
  if (core_end == 0) return std::nullopt;
  const std::size_t last = previous(sentence, core_end);
  const char32_t stop = base::decode_utf8(sentence, last).code_point;
  if (is_wide_stop(stop)) return pos;
  // No white space: a URL, a file name, "Wait!what".
  if (sentence.size() == pos) return std::nullopt;
  if (list_marker(sentence).size() == sentence.size()) return std::nullopt;

  const std::size_t resume = skip_closing_tokens(block, pos);
  const std::string_view next = block.substr(strip_front(block, resume, is_opener));
  if (!next.empty() && is_lower_letter(base::decode_utf8(next, 0).code_point)) return std::nullopt;
  return stop_ends(sentence.substr(0, last), stop, next) ? std::optional(resume) : std::nullopt;
}

}  // namespace diffie::text

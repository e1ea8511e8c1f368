#include "lab/data/fine_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kEscapes = {{
    {"-lrb-", "("},
    {"-rrb-", ")"},
    {"-lsb-", "["},
    {"-rsb-", "]"},
    {"-lcb-", "{"},
    {"-rcb-", "}"},
    {"``", "\""},
    {"''", "\""},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes of the UTF-8 character at `at`; a stray byte counts as one.
std::size_t char_size(std::string_view text, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size() - at);
}

// ASCII letters and digits, and all else beyond ASCII but Latin-1 signs and general punctuation.
bool is_word_char(std::string_view text, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  if (lead < 0x80) return is_digit(text[at]) || (lead >= 'a' && lead <= 'z');
  const auto next = at + 1 < text.size() ? static_cast<std::uint8_t>(text[at + 1]) : 0;
  if (lead == 0xC2) return next == 0xAA || next == 0xB5 || next == 0xBA;
  return !(lead == 0xE2 && (next == 0x80 || next == 0x81));
}

// A mark that holds a number or an abbreviation together: 1,234.5, 1:49, U.S.
bool joins(std::string_view text, std::size_t begin, std::size_t mark) {
  if (mark + 1 >= text.size()) return false;
  const char c = text[mark];
  if (is_digit(text[mark - 1]) && is_digit(text[mark + 1])) return c == ',' || c == '.' || c == ':';
  const bool single_letters = mark == begin + 1 || text[mark - 2] == '.';
  return c == '.' && single_letters && is_word_char(text, mark + 1) && !is_digit(text[mark + 1]);
}

std::size_t run_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    if (is_word_char(text, end)) {
      end += char_size(text, end);
    } else if (end > begin && joins(text, begin, end)) {
      ++end;
    } else {
      break;
    }
  }
  return end;
}

std::string without_dots(std::string_view run) {
  std::string text(run);
  if (std::ranges::none_of(text, is_digit)) std::erase(text, '.');
  return text;
}

void add_run(std::string_view text, std::uint32_t word, std::vector<FineWord>& out) {
  if (text == "cannot") {
    out.push_back({"can", word, false});
    out.push_back({"not", word, false});
    return;
  }
  out.push_back({without_dots(text), word, false});
}

void split_word(std::string_view text, std::uint32_t word, std::vector<FineWord>& out) {
  for (const auto& [escape, mark] : kEscapes) {
    if (text == escape) text = mark;
  }
  const bool negated = text.ends_with("n't");
  if (negated) text.remove_suffix(3);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = run_end(text, at);
    if (end > at) {
      add_run(text.substr(at, end - at), word, out);
      at = end;
    } else {
      const std::string_view mark = text.substr(at, char_size(text, at));
      const std::size_t begin = at;
      while (text.substr(at).starts_with(mark)) at += mark.size();
      out.push_back({std::string(text.substr(begin, at - begin)), word, true});
    }
  }
  if (negated) out.push_back({"not", word, false});
}

}  // namespace

std::vector<FineWord> fine_words(std::string_view text) {
  std::vector<FineWord> out;
  std::uint32_t word = 0;
  for (const std::string_view raw : text::split_words(text))
    split_word(text::lowercase(raw), word++, out);
  return out;
}

}  // namespace diffie::data

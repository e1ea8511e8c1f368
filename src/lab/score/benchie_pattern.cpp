#include "lab/score/benchie_pattern.h"

#include <algorithm>
#include <optional>

#include "text/white_space.h"

namespace diffie::score {
namespace {

bool has(std::string_view word, char bracket) {
  return word.find(bracket) != std::string_view::npos;
}

std::string without_brackets(std::string_view word) {
  std::string bare(word);
  std::erase_if(bare, [](char c) { return c == '[' || c == ']'; });
  return bare;
}

// Where in `words` we are after the piece, having been at `pos` before; nothing if it does not
// fit. When trimming, empty words before the first and after the last word of the text are free:
// the text itself begins and ends with real words, so position 0 and the end say which is which.
std::optional<std::size_t> advance(const std::vector<std::string>& piece,
                                   const std::vector<std::string_view>& words, std::size_t pos,
                                   bool trimmed) {
  for (const std::string& word : piece) {
    if (trimmed && word.empty() && (pos == 0 || pos == words.size())) continue;
    if (pos == words.size() || words[pos] != word) return std::nullopt;
    ++pos;
  }
  return pos;
}

}  // namespace

BenchiePattern::BenchiePattern(std::string_view slot) {
  const std::vector<std::string_view> words = text::split_at(slot, ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool opens = has(words[i], '[');
    const bool closes = has(words[i], ']');
    if (opens == closes) {
      pieces_.push_back({{without_brackets(words[i])}, opens});
      continue;
    }
    if (closes) continue;
    std::size_t end = i + 1;
    while (end < words.size() && !has(words[end], ']')) ++end;
    if (end == words.size()) continue;
    Piece group{{}, true};
    for (std::size_t k = i; k <= end; ++k) group.words.push_back(without_brackets(words[k]));
    pieces_.push_back(std::move(group));
    i = has(words[end], '[') ? end - 1 : end;
  }
}

bool BenchiePattern::matches(std::string_view text, bool trimmed) const {
  if (trimmed) text = text::strip(text);
  const auto words = text.empty() ? std::vector<std::string_view>{} : text::split_at(text, ' ');
  std::vector<char> reachable(words.size() + 1, 0);
  reachable[0] = 1;
  for (const Piece& piece : pieces_) {
    std::vector<char> next = piece.optional ? reachable : std::vector<char>(words.size() + 1, 0);
    for (std::size_t pos = 0; pos <= words.size(); ++pos) {
      if (!reachable[pos]) continue;
      if (const auto after = advance(piece.words, words, pos, trimmed)) next[*after] = 1;
    }
    reachable = std::move(next);
  }
  return reachable[words.size()] != 0;
}

}  // namespace diffie::score

#include "reshape/circumstances.h"

#include <algorithm>

#include "reshape/place.h"
#include "reshape/time.h"

namespace diffie {

std::string_view name_of(CircumstanceKind kind) {
  return kind == CircumstanceKind::kTime ? "time" : "place";
}

}  // namespace diffie

namespace diffie::reshape {
namespace {

Circumstance quote(CircumstanceKind kind, const std::vector<std::uint32_t>& words,
                   const Line& line) {
  Circumstance found{kind, {}, {}};
  for (std::size_t index = 0; index < words.size(); ++index) {
    const Span& bytes = line.word_bytes()[words[index]];
    if (index > 0 && words[index] == words[index - 1] + 1) {
      found.spans.back().end = bytes.end;
    } else {
      found.spans.push_back(bytes);
    }
  }
  for (const Span& span : found.spans) {
    if (!found.text.empty()) found.text += ' ';
    found.text += line.text().substr(span.begin, span.end - span.begin);
  }
  return found;
}

}  // namespace

std::vector<Phrase> find_circumstances(const Line& line) {
  std::vector<Phrase> phrases = find_times(line);
  const std::vector<Phrase> places = find_places(line, phrases);
  phrases.insert(phrases.end(), places.begin(), places.end());
  std::sort(phrases.begin(), phrases.end(),
            [](const Phrase& a, const Phrase& b) { return a.begin < b.begin; });
  return phrases;
}

std::vector<Circumstance> circumstances_of(const extract::Triple& triple,
                                           const std::vector<Phrase>& phrases, const Line& line) {
  std::vector<Circumstance> found;
  const auto has = [&](std::uint32_t word) {
    return std::any_of(triple.words.begin(), triple.words.end(), [&](const auto& slot) {
      return std::binary_search(slot.begin(), slot.end(), word);
    });
  };
  for (const Phrase& phrase : phrases) {
    std::vector<std::uint32_t> words;
    bool whole = true;
    if (phrase.shared != facts::kNowhere && has(line[phrase.shared].first_word))
      words.push_back(line[phrase.shared].first_word);
    for (std::size_t unit = phrase.begin; unit < phrase.end; ++unit) {
      for (std::uint32_t word = line[unit].first_word; word <= line[unit].last_word; ++word) {
        const bool repeated = !words.empty() && words.back() >= word;
        if (has(word) && !repeated) words.push_back(word);
        whole = whole && (has(word) || unit < phrase.core || line[unit].is(facts::kMark));
      }
    }
    if (whole) found.push_back(quote(phrase.kind, words, line));
  }
  return found;
}

}  // namespace diffie::reshape

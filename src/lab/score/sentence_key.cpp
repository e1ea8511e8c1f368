#include "lab/score/sentence_key.h"

#include <array>

namespace diffie::score {
namespace {

constexpr std::array<std::string_view, 6> kBracketEscapes = {"-LRB-", "-RRB-", "-LSB-",
                                                             "-RSB-", "-LCB-", "-RCB-"};

constexpr bool is_ascii_punctuation(char c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
         (c >= 123 && c <= 126);
}

}  // namespace

std::string sentence_key(std::string_view sentence) {
  std::string key;
  key.reserve(sentence.size());
  for (const char c : sentence) {
    if (c != ' ') key.push_back(c);
  }
  // A bracket is punctuation and would go next, so its escape goes at once; one kind of escape
  // after the other, as the reference does, or "-RRB-LRB-" would read differently.
  if (key.find("B-") != std::string::npos) {
    for (const std::string_view escape : kBracketEscapes) {
      for (std::size_t at = key.find(escape); at != std::string::npos; at = key.find(escape, at)) {
        key.replace(at, escape.size(), 1, '(');
      }
    }
  }
  std::erase_if(key, is_ascii_punctuation);
  return key;
}

}  // namespace diffie::score

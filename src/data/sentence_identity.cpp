#include "data/sentence_identity.h"

#include <array>
#include <cctype>

namespace diffie::data {

std::string sentence_identity(std::string_view sentence) {
  constexpr std::array<std::string_view, 6> kBrackets = {"-LRB-", "-RRB-", "-LSB-",
                                                         "-RSB-", "-LCB-", "-RCB-"};
  std::string joined;
  for (const char c : sentence) {
    if (c != ' ') joined += c;
  }
  // Brackets are punctuation, so undoing and deleting them is one step.
  for (const std::string_view bracket : kBrackets) {
    for (std::size_t at = joined.find(bracket); at != std::string::npos;
         at = joined.find(bracket, at)) {
      joined.erase(at, bracket.size());
    }
  }
  std::erase_if(joined, [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; });
  return joined;
}

}  // namespace diffie::data

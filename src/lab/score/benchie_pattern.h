// A slot of BenchIE's gold with its optional parts, e.g. "[the] bars [of a cell window]".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace diffie::score {

// Reading, at single blanks: a word with both brackets is optional; a word with only '[' opens an
// optional group that ends with the next word that has ']' (which, if it also has '[', is read
// again as an optional word of its own); a word with only ']' outside a group is dropped, and so
// is a word whose '[' is never closed. Brackets are then removed.
class BenchiePattern {
 public:
  explicit BenchiePattern(std::string_view slot);

  // Whether the text is one of the strings that the pattern stands for: each optional part present
  // or absent, the words joined by blanks. `trimmed`: outer blanks do not matter on either side.
  bool matches(std::string_view text, bool trimmed) const;

 private:
  struct Piece {
    std::vector<std::string> words;
    bool optional = false;
  };
  std::vector<Piece> pieces_;
};

}  // namespace diffie::score

// Trees written by hand: a line a word, "form lemma upos head deprel [enhanced]".
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "lab/data/conllu.h"

namespace diffie::treebank {

inline std::string small_conllu(const std::string& lines) {
  std::istringstream in(lines);
  std::string out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string form, lemma, upos, head, deprel, enhanced = "_";
    if (!(cells >> form >> lemma >> upos >> head >> deprel)) continue;
    cells >> enhanced;
    out += fmt::format("{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t{}\t_\n", ++number, form, lemma, upos, head,
                       deprel, enhanced);
  }
  return out + "\n";
}

inline data::TreeSentence small_tree(const std::string& lines) {
  return data::parse_conllu(small_conllu(lines), "small").at(0);
}

}  // namespace diffie::treebank

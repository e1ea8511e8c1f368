// Dependency trees in CoNLL-U (universaldependencies.org/format.html).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

// One edge of the enhanced graph. A head that is an empty node ("8.1") has `empty` 1, 2, ...
struct EnhancedHead {
  std::size_t head = 0;  // number of a word; 0: the root
  std::size_t empty = 0;
  std::string deprel;  // with its case or conjunction: "obl:in", "conj:and"
};

// A syntactic word: "don't" is the two words "do" and "n't". Empty nodes are no words.
struct TreeWord {
  std::string form;
  std::string lemma;  // this and what follows may be "_": not annotated
  std::string upos;
  std::string xpos;
  std::string feats;
  std::size_t head = 0;  // number of a word from 1; 0: the root
  std::string deprel;
  std::vector<EnhancedHead> enhanced;
};

struct TreeSentence {
  std::string id;               // of `# sent_id`, or empty
  std::string text;             // of `# text`, or empty
  std::vector<TreeWord> words;  // word number n is words[n - 1]; at least one

  // The forms of the syntactic words with a blank between them, as CaRB and LSOIE spell sentences:
  // "do n't", "ca n't", "Anna 's".
  std::string spelled() const;
};

// Every word's heads lead to the one root. Throws kNotFound, or kBadInput naming the line.
std::vector<TreeSentence> read_conllu(const std::filesystem::path& path);
std::vector<TreeSentence> parse_conllu(std::string_view text, const std::string& name);

}  // namespace diffie::data

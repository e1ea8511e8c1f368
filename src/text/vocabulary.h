// vocab.txt: one piece per line, the line number is the id.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/piece_trie.h"

namespace diffie::text {

// A special token that is recognised where it stands in the text.
struct SpecialToken {
  std::string_view text;
  std::int32_t id = 0;
};

inline constexpr std::size_t kMaxVocabularyBytes = std::size_t{2} << 20;  // BERT's largest: 1 MB

// Throws kCorruptModel for a vocab.txt that is larger.
void check_vocabulary_size(std::uintmax_t bytes, std::string_view where);

// Immutable. `where` names the source in messages. Throws kCorruptModel.
class Vocabulary {
 public:
  Vocabulary(std::string_view vocab_txt, std::string_view where);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::size_t size() const { return pieces_.size(); }
  std::string_view piece(std::size_t id) const { return pieces_[id]; }

  const PieceTrie& trie() const { return *trie_; }
  std::int32_t continuation() const { return continuation_; }  // the node of "##", or kNone

  std::int32_t cls_id() const { return cls_id_; }
  std::int32_t sep_id() const { return sep_id_; }
  std::int32_t unk_id() const { return unk_id_; }
  const std::vector<SpecialToken>& specials() const { return specials_; }

 private:
  void split_lines(std::string_view where);
  void find_specials(std::string_view where);

  std::string text_;
  std::vector<std::string_view> pieces_;  // of text_
  std::unique_ptr<PieceTrie> trie_;
  std::int32_t continuation_ = PieceTrie::kNone;
  std::int32_t cls_id_ = 0;
  std::int32_t sep_id_ = 0;
  std::int32_t unk_id_ = 0;
  std::vector<SpecialToken> specials_;
};

}  // namespace diffie::text

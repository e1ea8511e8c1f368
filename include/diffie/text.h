// Text as the engine sees it: byte spans, sentences, pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/export.h"

namespace diffie {

// A half-open byte range of the text the caller passed in, never of a normalised copy:
// text.substr(begin, end - begin) is what we quote.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// Sentences of a raw English document in text order, without the white space around them. Knows
// abbreviations, initials, decimals, quotes, bullet lists, headings and hard-wrapped lines. A span
// may hold line breaks (hard-wrapped text); bytes outside all spans are white space only.
DIFFIE_API std::vector<Span> split_sentences(std::string_view document);

// One entry per piece. Offsets are bytes of the text that was passed in; the added [CLS] and [SEP]
// have {0, 0}. A special token written in the text is a word with its own range.
struct Encoding {
  std::vector<std::int32_t> ids;
  std::vector<Span> offsets;
  std::vector<std::uint32_t> words;  // index of the basic token a piece belongs to; added ones: ~0u
};

// BERT uncased tokenizer: clean-up, NFD, accent stripping, CJK and punctuation splitting,
// WordPiece. Immutable after construction and safe to use from many threads.
class DIFFIE_API Tokenizer {
 public:
  // vocab.txt: one piece per line, the line number is the id. Throws kNotFound, kCorruptModel.
  static Tokenizer from_vocab_file(const std::filesystem::path& path);
  // The same from the file's content.
  static Tokenizer from_vocab(std::string_view vocab_txt);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Equal in ids and offsets to Hugging Face's BertTokenizerFast (offsets there are characters,
  // here bytes). Invalid UTF-8 is read as U+FFFD, one per maximal bad sequence; offsets stay true
  // to the caller's bytes. No truncation.
  Encoding encode(std::string_view text, bool add_special_tokens = true) const;

  std::size_t vocab_size() const noexcept;
  std::string_view piece(std::int32_t id) const;  // throws kInvalidArgument outside the vocabulary
  std::int32_t cls_id() const noexcept;
  std::int32_t sep_id() const noexcept;
  std::int32_t unk_id() const noexcept;

 private:
  class DIFFIE_HIDDEN Impl;
  explicit Tokenizer(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace diffie

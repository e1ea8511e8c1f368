#include "text/sentence.h"

#include "base/utf8.h"
#include "text/ptb.h"

namespace diffie::text {
namespace {

Sentence raw_sentence(const Tokenizer& tokenizer, std::string_view text) {
  Encoding encoding = tokenizer.encode(text, /*add_special_tokens=*/false);
  Sentence sentence;
  for (std::uint32_t piece = 0; piece < encoding.ids.size(); ++piece) {
    const Span span = encoding.offsets[piece];
    if (piece == 0 || encoding.words[piece] != encoding.words[piece - 1]) {
      sentence.words.push_back({span, piece, 0});
    }
    Word& word = sentence.words.back();
    word.bytes.end = span.end;
    ++word.num_pieces;
  }
  sentence.piece_ids = std::move(encoding.ids);
  sentence.piece_bytes = std::move(encoding.offsets);
  return sentence;
}

void append_word(const Tokenizer& tokenizer, std::string_view text, Span bytes, Sentence& out) {
  const std::string_view word = text.substr(bytes.begin, bytes.end - bytes.begin);
  const std::string_view spelling = undo_ptb_escape(word);
  const Encoding encoding = tokenizer.encode(spelling, /*add_special_tokens=*/false);
  const auto first_piece = static_cast<std::uint32_t>(out.piece_ids.size());
  out.piece_ids.insert(out.piece_ids.end(), encoding.ids.begin(), encoding.ids.end());
  if (encoding.ids.empty()) out.piece_ids.push_back(tokenizer.unk_id());
  if (spelling == word) {
    for (const Span& piece : encoding.offsets) {
      out.piece_bytes.push_back({bytes.begin + piece.begin, bytes.begin + piece.end});
    }
  }
  out.piece_bytes.resize(out.piece_ids.size(), bytes);
  out.words.push_back(
      {bytes, first_piece, static_cast<std::uint32_t>(out.piece_ids.size()) - first_piece});
}

Sentence pretokenized_sentence(const Tokenizer& tokenizer, std::string_view text) {
  Sentence sentence;
  std::size_t word_begin = 0;
  std::size_t pos = 0;
  while (pos < text.size()) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    if (base::is_unicode_space(decoded.code_point)) {
      if (word_begin < pos) append_word(tokenizer, text, {word_begin, pos}, sentence);
      word_begin = pos + decoded.length;
    }
    pos += decoded.length;
  }
  if (word_begin < pos) append_word(tokenizer, text, {word_begin, pos}, sentence);
  return sentence;
}

}  // namespace

Sentence tokenize_sentence(const Tokenizer& tokenizer, std::string_view text, WordMode mode) {
  return mode == WordMode::kRaw ? raw_sentence(tokenizer, text)
                                : pretokenized_sentence(tokenizer, text);
}

}  // namespace diffie::text

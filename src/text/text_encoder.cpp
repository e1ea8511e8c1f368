#include "text/text_encoder.h"

#include <array>

#include "base/utf8.h"
#include "text/mark_run.h"
#include "text/unicode_tables.h"
#include "text/word_buffer.h"
#include "text/word_piece.h"

namespace diffie::text {
namespace {

enum class ByteKind : std::uint8_t { kWord, kPunctuation, kSpace, kDrop, kHigh };

struct ByteTable {
  std::array<ByteKind, 256> kind{};
  std::array<unsigned char, 256> lower{};
};

constexpr ByteTable make_byte_table() {
  ByteTable table;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool upper = byte >= 'A' && byte <= 'Z';
    const bool alphanumeric = upper || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
    const bool space = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
    table.lower[byte] = static_cast<unsigned char>(upper ? byte + 32 : byte);
    table.kind[byte] = byte >= 0x80                  ? ByteKind::kHigh
                       : alphanumeric                ? ByteKind::kWord
                       : space                       ? ByteKind::kSpace
                       : byte < 0x20 || byte == 0x7f ? ByteKind::kDrop
                                                     : ByteKind::kPunctuation;
  }
  return table;
}

constexpr ByteTable kBytes = make_byte_table();

class Scanner {
 public:
  Scanner(const Vocabulary& vocabulary, std::string_view text, Encoding& out)
      : vocabulary_(vocabulary), text_(text), out_(out) {}

  void run() {
    std::size_t pos = 0;
    while (pos < text_.size()) {
      switch (kind_at(pos)) {
        case ByteKind::kSpace:
        case ByteKind::kDrop:
          ++pos;
          break;
        case ByteKind::kPunctuation:
          pos = scan_punctuation(pos);
          break;
        case ByteKind::kWord:
          pos = scan_ascii_word(pos);
          break;
        case ByteKind::kHigh:
          pos = scan_mixed(pos);
          break;
      }
    }
  }

 private:
  ByteKind kind_at(std::size_t pos) const {
    return kBytes.kind[static_cast<unsigned char>(text_[pos])];
  }

  void emit(std::int32_t id, Span source) {
    out_.ids.push_back(id);
    out_.offsets.push_back(source);
    out_.words.push_back(next_word_);
  }

  // Takes back what a word that turned out to have no pieces has emitted.
  void emit_unknown(std::size_t first_piece, Span source) {
    out_.ids.resize(first_piece);
    out_.offsets.resize(first_piece);
    out_.words.resize(first_piece);
    emit(vocabulary_.unk_id(), source);
  }

  // Special tokens count where they stand in the raw text, exactly as written.
  std::size_t scan_punctuation(std::size_t pos) {
    if (text_[pos] == '[') {
      for (const SpecialToken& special : vocabulary_.specials()) {
        if (text_.substr(pos).starts_with(special.text)) {
          emit(special.id, {pos, pos + special.text.size()});
          ++next_word_;
          return pos + special.text.size();
        }
      }
    }
    add_ascii_word(pos, pos + 1);
    return pos + 1;
  }

  std::size_t scan_ascii_word(std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text_.size() && kind_at(end) == ByteKind::kWord) ++end;
    if (end < text_.size()) {
      const ByteKind next = kind_at(end);
      if (next == ByteKind::kHigh || next == ByteKind::kDrop) return scan_mixed(begin);
    }
    add_ascii_word(begin, end);
    return end;
  }

  void add_ascii_word(std::size_t begin, std::size_t end) {
    const std::size_t first_piece = out_.ids.size();
    const bool known = end - begin <= WordBuffer::kMaxChars &&
                       split_word(
                           vocabulary_, text_.substr(begin, end - begin),
                           [](unsigned char byte) { return kBytes.lower[byte]; },
                           [&](std::int32_t id, std::size_t piece_begin, std::size_t piece_end) {
                             emit(id, {begin + piece_begin, begin + piece_end});
                           });
    if (!known) emit_unknown(first_piece, {begin, end});
    ++next_word_;
  }

  void flush_word() {
    if (word_.empty()) return;
    const std::size_t first_piece = out_.ids.size();
    const bool known = !word_.too_long() &&
                       split_word(
                           vocabulary_, word_.bytes(), [](unsigned char byte) { return byte; },
                           [&](std::int32_t id, std::size_t begin, std::size_t end) {
                             emit(id, word_.source(begin, end));
                           });
    if (!known) emit_unknown(first_piece, word_.span());
    ++next_word_;
    word_.clear();
  }

  void add_alone(char32_t code_point, Span source) {
    flush_word();
    word_.add(code_point, source);
    flush_word();
  }

  // From the start of a word up to the next ASCII space or punctuation, whatever lies between.
  std::size_t scan_mixed(std::size_t pos) {
    std::size_t run_begin = pos;  // the last character that begins with combining class 0
    while (pos < text_.size()) {
      const ByteKind kind = kind_at(pos);
      if (kind == ByteKind::kSpace || kind == ByteKind::kPunctuation) break;
      if (kind == ByteKind::kHigh) {
        const base::Decoded decoded = base::decode_utf8(text_, pos);
        const CharInfo info = char_info(decoded.code_point);
        if (info.kind != CharKind::kDrop && info.starter) run_begin = pos;
        if (info.reorder) {
          pos = add_mark_run(info, run_begin, {pos, pos + decoded.length});
          continue;
        }
        add_char(decoded.code_point, info, {pos, pos + decoded.length});
        pos += decoded.length;
        continue;
      }
      if (kind == ByteKind::kWord) {
        run_begin = pos;
        word_.add(kBytes.lower[static_cast<unsigned char>(text_[pos])], {pos, pos + 1});
      }
      ++pos;
    }
    flush_word();
    return pos;
  }

  void add_char(char32_t code_point, const CharInfo& info, Span source) {
    switch (info.kind) {
      case CharKind::kWord:
        word_.add(code_point, source);
        return;
      case CharKind::kPunctuation:
      case CharKind::kChinese:
        add_alone(code_point, source);
        return;
      case CharKind::kDrop:
        return;
      case CharKind::kSpace:
        flush_word();
        return;
      case CharKind::kHangul: {
        char32_t jamo[3];
        const std::uint32_t num_jamo = hangul_parts(code_point, jamo);
        for (std::uint32_t i = 0; i < num_jamo; ++i) word_.add(jamo[i], source);
        return;
      }
      case CharKind::kParts:
        for (const NormalPart part : parts(info)) add_part(part, source);
        return;
      case CharKind::kChineseParts:
        add_alone(parts(info).front().code_point(), source);
        return;
    }
  }

  void add_part(NormalPart part, Span source) {
    if (part.is_dropped()) return;
    if (part.is_punctuation()) {
      add_alone(part.code_point(), source);
    } else {
      word_.add(part.code_point(), source);
    }
  }

  // At the first mark of a run that is not dropped. What stands before it in the run has been added
  // already; the marks there were all dropped. Returns where the run ends.
  std::size_t add_mark_run(const CharInfo& info, std::size_t run_begin, Span source) {
    for (const NormalPart part : parts(info)) {
      if (part.combining_class() == 0) add_part(part, source);
    }
    return for_each_mark(text_, run_begin,
                         [&](NormalPart part, Span mark_source) { add_part(part, mark_source); });
  }

  const Vocabulary& vocabulary_;
  std::string_view text_;
  Encoding& out_;
  WordBuffer word_;
  std::uint32_t next_word_ = 0;
};

}  // namespace

void encode_text(const Vocabulary& vocabulary, std::string_view text, Encoding& out) {
  Scanner(vocabulary, text, out).run();
}

}  // namespace diffie::text

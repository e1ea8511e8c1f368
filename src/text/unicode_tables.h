// What the BERT uncased normaliser (clean-up, CJK, NFD, accents, lower case) and the punctuation
// test make of a code point. The tables are derived from the `tokenizers` package, see
// scripts/tables/make_unicode_tables.py.
#pragma once

#include <cstdint>
#include <span>

namespace diffie::text {

// One code point of a canonical decomposition, lower-cased.
struct NormalPart {
  std::uint32_t bits = 0;

  char32_t code_point() const { return bits & 0x1FFFFF; }
  std::uint32_t combining_class() const { return bits >> 21 & 0xFF; }
  bool is_punctuation() const { return (bits >> 29 & 1) != 0; }
  bool is_dropped() const { return (bits >> 30 & 1) != 0; }  // a nonspacing mark
};

enum class CharKind : std::uint8_t {
  kWord,         // itself
  kPunctuation,  // itself, a word of its own
  kDrop,         // removed before anything else
  kSpace,
  kChinese,  // itself, a word of its own
  kHangul,   // a syllable: decomposed by arithmetic
  kParts,    // parts() of it
  kChineseParts,
};

struct CharInfo {
  CharKind kind = CharKind::kWord;
  bool starter = true;   // its decomposition begins with combining class 0
  bool reorder = false;  // holds a part with a combining class that is not dropped
  std::uint16_t first_part = 0;
  std::uint8_t num_parts = 0;
};

CharInfo char_info(char32_t code_point);
std::span<const NormalPart> parts(const CharInfo& info);

// The 2 or 3 jamo of a Hangul syllable; returns how many.
std::uint32_t hangul_parts(char32_t syllable, char32_t (&jamo)[3]);

}  // namespace diffie::text

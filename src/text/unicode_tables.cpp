#include "text/unicode_tables.h"

#include <cstddef>
#include <iterator>

namespace diffie::text {
namespace {

constexpr std::uint32_t kBlock = 128;
constexpr std::uint16_t kFirstRecord = 8;  // smaller values of the second stage are a CharKind
constexpr std::uint8_t kRecordChinese = 1;
constexpr std::uint8_t kRecordStarter = 2;
constexpr std::uint8_t kRecordReorder = 4;

struct Record {
  std::uint16_t first_part;
  std::uint8_t num_parts;
  std::uint8_t flags;
};

#include "text/unicode_tables.inc"

}  // namespace

CharInfo char_info(char32_t code_point) {
  std::size_t block = code_point / kBlock;
  if (block >= std::size(kFirstStage)) block = std::size(kFirstStage) - 1;
  const std::uint16_t value = kSecondStage[kFirstStage[block] * kBlock + code_point % kBlock];
  if (value < kFirstRecord) return {.kind = static_cast<CharKind>(value)};
  const Record& record = kRecords[value - kFirstRecord];
  return {.kind = (record.flags & kRecordChinese) != 0 ? CharKind::kChineseParts : CharKind::kParts,
          .starter = (record.flags & kRecordStarter) != 0,
          .reorder = (record.flags & kRecordReorder) != 0,
          .first_part = record.first_part,
          .num_parts = record.num_parts};
}

std::span<const NormalPart> parts(const CharInfo& info) {
  return {kPool + info.first_part, info.num_parts};
}

std::uint32_t hangul_parts(char32_t syllable, char32_t (&jamo)[3]) {
  constexpr char32_t kFirstSyllable = 0xAC00;
  constexpr char32_t kVowels = 21;
  constexpr char32_t kTrails = 28;
  const char32_t index = syllable - kFirstSyllable;
  jamo[0] = 0x1100 + index / (kVowels * kTrails);
  jamo[1] = 0x1161 + index / kTrails % kVowels;
  jamo[2] = 0x11A7 + index % kTrails;
  return index % kTrails == 0 ? 2 : 3;
}

}  // namespace diffie::text

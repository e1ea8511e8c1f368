// How files begin that are no text.
#pragma once

#include <array>
#include <string_view>

namespace diffie::cli {

inline constexpr std::string_view kGzipMagic = "\x1F\x8B";
inline constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

// A message of Arrow's without a file around it; no UTF-8 has these bytes.
inline constexpr std::string_view kArrowStreamMagic = "\xFF\xFF\xFF\xFF";

// With the first byte behind Parquet's own four, which a text may have: PAR1 is a protein, too.
inline constexpr std::array<std::string_view, 3> kTableMagics = {
    "PAR1\x15", std::string_view("ARROW1\0", 7), kArrowStreamMagic};

}  // namespace diffie::cli

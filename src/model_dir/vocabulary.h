#pragma once

#include <cstdint>
#include <string_view>

namespace diffie::model_dir {

// Pieces in a vocab.txt: lines, the last with or without its line break. Throws kCorruptModel for
// an empty line, a piece that appears twice, or more than a million pieces.
std::int32_t count_vocabulary(std::string_view vocab_txt, std::string_view where);

}  // namespace diffie::model_dir

// Paragraphs, list items and headings of a raw document.
#pragma once

#include <functional>
#include <string_view>

#include "diffie/text.h"

namespace diffie::text {

// Calls visit for each block in text order. No sentence crosses a block's border; a line break
// inside a block is no more than a blank. Bytes outside the blocks are white space.
void for_each_block(std::string_view document, const std::function<void(Span)>& visit);

}  // namespace diffie::text

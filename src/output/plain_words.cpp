#include "output/plain_words.h"

#include <algorithm>

#include "base/utf8.h"
#include "output/slots.h"
#include "text/unicode_tables.h"

namespace diffie::output {
namespace {

std::vector<std::size_t> edges_of(const std::vector<Extraction>& triples) {
  std::vector<std::size_t> edges;
  for (const Extraction& triple : triples) {
    for (const Slot& slot : kSlots) {
      for (const Span& span : triple.*slot.spans) {
        edges.push_back(span.begin);
        edges.push_back(span.end);
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

std::vector<Span> plain_words(std::string_view text, const std::vector<Extraction>& triples) {
  using text::CharKind;
  const std::vector<std::size_t> edges = edges_of(triples);
  std::vector<Span> words;
  bool open = false;  // the last word may go on
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    const CharKind kind = text::char_info(decoded.code_point).kind;
    const bool none = kind == CharKind::kSpace ||
                      (kind == CharKind::kDrop && decoded.code_point != base::kReplacement);
    const bool alone = kind == CharKind::kPunctuation || kind == CharKind::kChinese ||
                       kind == CharKind::kChineseParts;
    const bool edge = std::binary_search(edges.begin(), edges.end(), pos);
    if (none) {
      open = false;
    } else if (open && !alone && !edge) {
      words.back().end = pos + decoded.length;
    } else {
      words.push_back({pos, pos + decoded.length});
      open = !alone;
    }
    pos += decoded.length;
  }
  return words;
}

}  // namespace diffie::output

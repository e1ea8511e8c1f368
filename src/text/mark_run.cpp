#include "text/mark_run.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace diffie::text {
namespace {

struct Mark {
  NormalPart part;
  bool heads = false;  // the first part of its character
};

}  // namespace

std::size_t for_each_mark(std::string_view text, std::size_t run_begin,
                          const std::function<void(NormalPart, Span)>& add) {
  std::vector<Mark> marks;
  std::vector<Span> sources;
  std::size_t num_used = 0;  // of the sources, by parts that head their character
  std::size_t pos = run_begin;
  while (pos < text.size()) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    const CharInfo info = char_info(decoded.code_point);
    if (info.kind != CharKind::kDrop) {
      if (info.starter && !sources.empty()) break;
      if (info.starter) num_used = 1;
      sources.push_back({pos, pos + decoded.length});
      bool first = true;
      for (const NormalPart part : parts(info)) {
        if (part.combining_class() != 0) marks.push_back({part, first});
        first = false;
      }
    }
    pos += decoded.length;
  }
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return a.part.combining_class() < b.part.combining_class();
  });
  for (const Mark& mark : marks) {
    if (mark.heads) ++num_used;
    add(mark.part, sources[num_used - 1]);
  }
  return pos;
}

}  // namespace diffie::text

// Where a sentence may end, as the break iterator at hand sees it. break_rules.h has the last word.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace diffie::text {

// Not thread-safe; one per call.
class SentenceBreaker {
 public:
  virtual ~SentenceBreaker() = default;

  // Candidates: ascending byte offsets in (0, block.size()), each the first byte after a sentence
  // and the white space that follows it. A line break counts as a blank. block.size() < 2^31.
  virtual void find(std::string_view block, std::vector<std::size_t>& breaks) = 0;
};

// ICU's rules with English abbreviations suppressed, or where the library was built without ICU,
// every stop followed by white space.
std::unique_ptr<SentenceBreaker> make_sentence_breaker();

}  // namespace diffie::text

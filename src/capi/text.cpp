#include "diffie/text.h"

#include <algorithm>
#include <memory>

#include "capi/guard.h"

using namespace diffie::capi;

diffie_status diffie_split_sentences(const char* text, size_t size, diffie_span** spans,
                                     size_t* count) {
  return guarded([&] {
    if (count != nullptr) *count = 0;
    require(spans, "spans");
    *spans = nullptr;
    require(count, "count");
    if (size > 0) require(text, "text");
    require_size(size, "size");
    const std::vector<diffie::Span> found = diffie::split_sentences({text, size});
    if (found.empty()) return;
    auto copy = std::make_unique<diffie_span[]>(found.size());
    std::transform(found.begin(), found.end(), copy.get(), [](const diffie::Span& span) {
      return diffie_span{span.begin, span.end};
    });
    *spans = copy.release();
    *count = found.size();
  });
}

void diffie_spans_free(diffie_span* spans) { const std::unique_ptr<diffie_span[]> owned(spans); }

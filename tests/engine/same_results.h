#pragma once

#include <gtest/gtest.h>

#include "diffie/extractor.h"

namespace diffie::test {

// In bits.
inline void expect_same(const SentenceResult& a, const SentenceResult& b) {
  ASSERT_EQ(a.extractions.size(), b.extractions.size());
  for (std::size_t index = 0; index < a.extractions.size(); ++index) {
    const Extraction& left = a.extractions[index];
    const Extraction& right = b.extractions[index];
    EXPECT_EQ(left.subject_spans, right.subject_spans);
    EXPECT_EQ(left.relation_spans, right.relation_spans);
    EXPECT_EQ(left.object_spans, right.object_spans);
    EXPECT_EQ(left.confidence, right.confidence);
    ASSERT_EQ(left.circumstances.size(), right.circumstances.size());
    for (std::size_t each = 0; each < left.circumstances.size(); ++each)
      EXPECT_EQ(left.circumstances[each].spans, right.circumstances[each].spans);
  }
}

}  // namespace diffie::test

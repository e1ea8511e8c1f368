#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "arrow/c_data.h"
#include "diffie/arrow.h"

namespace diffie {
namespace {

// The columns of a batch by name, as far as the tests look at them.
class Batch {
 public:
  template <typename Table>
  explicit Batch(Table& table) {
    table.export_schema(&schema_);
    table.export_batch(&array_);
    for (int i = 0; i < schema_.n_children; ++i) columns_[schema_.children[i]->name] = i;
  }
  ~Batch() {
    schema_.release(&schema_);
    array_.release(&array_);
  }

  std::int64_t rows() const { return array_.length; }
  std::size_t columns() const { return columns_.size(); }

  std::string text(const std::string& name, int row) const { return text_of(at(name), row); }
  template <typename Number>
  Number number(const std::string& name, int row) const {
    return static_cast<const Number*>(at(name).buffers[1])[row];
  }
  bool is_null(const std::string& name, int row) const {
    const auto* bits = static_cast<const std::uint8_t*>(at(name).buffers[0]);
    return bits != nullptr && (bits[row / 8] >> (row % 8) & 1) == 0;
  }
  std::vector<Span> spans(const std::string& name, int row) const {
    const ArrowArray& list = at(name);
    const auto* offsets = static_cast<const std::int32_t*>(list.buffers[1]);
    const auto values = [&](int field) {
      return static_cast<const std::int64_t*>(list.children[0]->children[field]->buffers[1]);
    };
    std::vector<Span> found;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i) {
      found.push_back(
          {static_cast<std::size_t>(values(0)[i]), static_cast<std::size_t>(values(1)[i])});
    }
    return found;
  }
  // Of a list of texts, or of a field of a list of structs.
  std::vector<std::string> texts(const std::string& name, int row, int field = -1) const {
    const ArrowArray& list = at(name);
    const ArrowArray& items = field < 0 ? *list.children[0] : *list.children[0]->children[field];
    const auto* offsets = static_cast<const std::int32_t*>(list.buffers[1]);
    std::vector<std::string> found;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i) {
      found.push_back(text_of(items, i));
    }
    return found;
  }

 private:
  const ArrowArray& at(const std::string& name) const {
    return *array_.children[columns_.at(name)];
  }
  static std::string text_of(const ArrowArray& array, int row) {
    const auto* offsets = static_cast<const std::int32_t*>(array.buffers[1]);
    return {static_cast<const char*>(array.buffers[2]) + offsets[row],
            static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }

  ArrowSchema schema_;
  ArrowArray array_;
  std::map<std::string, int> columns_;
};

// "Zoë, a poet" in a document where it begins at byte 10, character 8.
SentenceResult poet() {
  SentenceResult result;
  Extraction triple;
  triple.subject = "Zoë";
  triple.relation = "is";
  triple.object = "a poet";
  triple.confidence = 0.25;
  triple.subject_spans = {{0, 4}};
  triple.object_spans = {{6, 7}, {8, 12}};
  triple.implied = {"is"};
  triple.circumstances = {{CircumstanceKind::kPlace, "in Łódź", {}},
                          {CircumstanceKind::kTime, "in 1843", {}}};
  result.extractions = {triple};
  return result;
}

const DocumentSentence kPoet = {"Zoë, a poet", 3, {10, 22}, 8, ""};

TEST(TripleTable, HasSpansOfTheDocumentInBytesAndCharacters) {
  TripleTable table({"small", "balanced"});
  table.add("d1", kPoet, poet());
  EXPECT_EQ(table.rows(), 1u);
  const Batch batch(table);
  ASSERT_EQ(batch.rows(), 1);
  EXPECT_EQ(batch.columns(), 20u);
  EXPECT_EQ(batch.text("document_id", 0), "d1");
  EXPECT_EQ(batch.number<std::int32_t>("sentence", 0), 3);
  EXPECT_EQ(batch.text("sentence_text", 0), "Zoë, a poet");
  EXPECT_EQ(batch.number<std::int64_t>("sentence_begin", 0), 10);
  EXPECT_EQ(batch.number<std::int64_t>("sentence_end", 0), 22);
  EXPECT_EQ(batch.text("object", 0), "a poet");
  EXPECT_EQ(batch.number<double>("confidence", 0), 0.25);
  EXPECT_EQ(batch.spans("subject_spans", 0), (std::vector<Span>{{10, 14}}));
  EXPECT_EQ(batch.spans("subject_characters", 0), (std::vector<Span>{{8, 11}}));
  EXPECT_EQ(batch.spans("object_spans", 0), (std::vector<Span>{{16, 17}, {18, 22}}));
  EXPECT_EQ(batch.spans("object_characters", 0), (std::vector<Span>{{13, 14}, {15, 19}}));
  EXPECT_TRUE(batch.spans("relation_spans", 0).empty());
  EXPECT_EQ(batch.texts("implied", 0), std::vector<std::string>{"is"});
  EXPECT_EQ(batch.text("polarity", 0), "positive");
  EXPECT_TRUE(batch.is_null("attributed_to", 0));
  EXPECT_EQ(batch.texts("circumstances", 0, 0), (std::vector<std::string>{"place", "time"}));
  EXPECT_EQ(batch.texts("circumstances", 0, 1), (std::vector<std::string>{"in Łódź", "in 1843"}));
}

TEST(TripleTable, HasARowPerTriple) {
  SentenceResult result = poet();
  result.extractions.push_back(result.extractions.front());
  Factuality& factuality = result.extractions.back().factuality;
  factuality.polarity = Polarity::kNegative;
  factuality.modality = Modality::kPossible;
  factuality.attributed_to = Attribution{"the mayor", {}};
  TripleTable table;
  table.add("d1", kPoet, result);
  table.add("d2", {"Nothing.", 0, {0, 8}, 0, ""}, {});
  const Batch batch(table);
  ASSERT_EQ(batch.rows(), 2);
  EXPECT_EQ(batch.text("modality", 1), "possible");
  EXPECT_EQ(batch.text("polarity", 1), "negative");
  EXPECT_EQ(batch.text("attributed_to", 1), "the mayor");
  EXPECT_FALSE(batch.is_null("attributed_to", 1));
  EXPECT_TRUE(batch.is_null("attributed_to", 0));
}

TEST(TripleTable, LeavesOutASentenceThatFailed) {
  SentenceResult result = poet();
  result.error = ErrorCode::kExhausted;
  TripleTable table;
  table.add("d1", kPoet, result);
  EXPECT_EQ(table.rows(), 0u);
}

TEST(TripleTable, CountsIllFormedBytesAsOneCharacter) {
  SentenceResult result = poet();
  Extraction& triple = result.extractions.front();
  triple.subject = "a\xF0\x9F";  // a character cut off
  triple.subject_spans = {{0, 3}};
  triple.object_spans = {{4, 5}};
  TripleTable table;
  table.add("d", {"a\xF0\x9F b", 0, {0, 5}, 0, ""}, result);
  const Batch batch(table);
  EXPECT_EQ(batch.text("subject", 0), "a\uFFFD");
  EXPECT_EQ(batch.spans("subject_spans", 0), (std::vector<Span>{{0, 3}}));
  EXPECT_EQ(batch.spans("subject_characters", 0), (std::vector<Span>{{0, 2}}));
  EXPECT_EQ(batch.spans("object_characters", 0), (std::vector<Span>{{3, 4}}));
}

TEST(TripleTable, GivesBatchAfterBatch) {
  TripleTable table;
  table.add("d1", kPoet, poet());
  { const Batch first(table); }
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_EQ(table.bytes(), 0u);
  const Batch empty(table);
  EXPECT_EQ(empty.rows(), 0);
  table.add("d1", kPoet, poet());
  const Batch next(table);
  EXPECT_EQ(next.spans("object_spans", 0), (std::vector<Span>{{16, 17}, {18, 22}}));
}

TEST(ErrorTable, HasDocumentsAndSentencesThatFailed) {
  ErrorTable table;
  table.add("d1", {}, ErrorCode::kBadInput, "no text");
  table.add("d2", 4, ErrorCode::kExhausted, "too long");
  const Batch batch(table);
  ASSERT_EQ(batch.rows(), 2);
  EXPECT_TRUE(batch.is_null("sentence", 0));
  EXPECT_FALSE(batch.is_null("sentence", 1));
  EXPECT_EQ(batch.number<std::int32_t>("sentence", 1), 4);
  EXPECT_EQ(batch.text("code", 1), to_string(ErrorCode::kExhausted));
  EXPECT_EQ(batch.text("message", 0), "no text");
}

}  // namespace
}  // namespace diffie

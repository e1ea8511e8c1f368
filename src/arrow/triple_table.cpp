#include <array>
#include <vector>

#include "arrow/table.h"
#include "base/utf8.h"

namespace diffie {

using arrow::Column;
using arrow::Type;

namespace {

// In the order of the columns.
enum {
  kDocumentId,
  kSentence,
  kSentenceText,
  kSentenceBegin,
  kSentenceEnd,
  kSubject,
  kRelation,
  kObject,
  kConfidence,
  kSubjectSpans,
  kRelationSpans,
  kObjectSpans,
  kSubjectCharacters,
  kRelationCharacters,
  kObjectCharacters,
  kImplied,
  kPolarity,
  kModality,
  kAttributedTo,
  kCircumstances,
};

Column spans(const char* name) {
  Column span("item", Type::kStruct, {{"begin", Type::kInt64}, {"end", Type::kInt64}});
  return {name, Type::kList, {span}};
}

Column triple_columns() {
  const Column word("item", Type::kUtf8);
  const Column circumstance("item", Type::kStruct, {{"kind", Type::kUtf8}, {"text", Type::kUtf8}});
  return {"",
          Type::kStruct,
          {{"document_id", Type::kUtf8},
           {"sentence", Type::kInt32},
           {"sentence_text", Type::kUtf8},
           {"sentence_begin", Type::kInt64},
           {"sentence_end", Type::kInt64},
           {"subject", Type::kUtf8},
           {"relation", Type::kUtf8},
           {"object", Type::kUtf8},
           {"confidence", Type::kFloat64},
           spans("subject_spans"),
           spans("relation_spans"),
           spans("object_spans"),
           spans("subject_characters"),
           spans("relation_characters"),
           spans("object_characters"),
           {"implied", Type::kList, {word}},
           {"polarity", Type::kUtf8},
           {"modality", Type::kUtf8},
           {"attributed_to", Type::kUtf8, {}, true},
           {"circumstances", Type::kList, {circumstance}}}};
}

// What add_text will be given for a triple.
std::size_t text_bytes(std::string_view document_id, const DocumentSentence& sentence,
                       const Extraction& triple) {
  constexpr std::size_t kNames = 32;  // polarity and modality
  std::size_t bytes = kNames + document_id.size() + sentence.text.size() + triple.subject.size() +
                      triple.relation.size() + triple.object.size();
  for (const std::string& word : triple.implied) bytes += word.size();
  for (const Circumstance& each : triple.circumstances)
    bytes += name_of(each.kind).size() + each.text.size();
  const auto& source = triple.factuality.attributed_to;
  return bytes + (source ? source->text.size() : 0);
}

}  // namespace

class TripleTable::Impl {
 public:
  explicit Impl(const TableOrigin& origin) : metadata(arrow::metadata_of(origin)) {}

  void add(std::string_view document_id, const DocumentSentence& sentence,
           const Extraction& triple) {
    add_sentence(document_id, sentence);
    column(kSubject).add_text(triple.subject);
    column(kRelation).add_text(triple.relation);
    column(kObject).add_text(triple.object);
    column(kConfidence).add_real(triple.confidence);
    add_spans(kSubjectSpans, kSubjectCharacters, sentence, triple.subject_spans);
    add_spans(kRelationSpans, kRelationCharacters, sentence, triple.relation_spans);
    add_spans(kObjectSpans, kObjectCharacters, sentence, triple.object_spans);
    for (const std::string& word : triple.implied) column(kImplied).child(0).add_text(word);
    column(kImplied).add_list();
    add_factuality(triple.factuality);
    add_circumstances(triple.circumstances);
    table.add_struct();
  }

  // For each byte of a sentence the character it belongs to; one entry more for the end.
  void count_characters(std::string_view text) {
    characters_.assign(text.size() + 1, 0);
    std::int64_t character = 0;
    for (std::size_t pos = 0; pos < text.size(); ++character) {
      const std::size_t end = pos + base::decode_utf8(text, pos).length;
      while (pos < end) characters_[pos++] = character;
    }
    characters_.back() = character;
  }

  Column table = triple_columns();
  Column::Metadata metadata;

 private:
  Column& column(std::size_t index) { return table.child(index); }

  void add_circumstances(const std::vector<Circumstance>& circumstances) {
    Column& item = column(kCircumstances).child(0);
    for (const Circumstance& each : circumstances) {
      item.child(0).add_text(name_of(each.kind));
      item.child(1).add_text(each.text);
      item.add_struct();
    }
    column(kCircumstances).add_list();
  }

  void add_sentence(std::string_view document_id, const DocumentSentence& sentence) {
    column(kDocumentId).add_text(document_id);
    column(kSentence).add_integer(static_cast<std::int64_t>(sentence.index));
    column(kSentenceText).add_text(sentence.text);
    column(kSentenceBegin).add_integer(static_cast<std::int64_t>(sentence.bytes.begin));
    column(kSentenceEnd).add_integer(static_cast<std::int64_t>(sentence.bytes.end));
  }

  void add_spans(std::size_t bytes, std::size_t characters, const DocumentSentence& sentence,
                 const std::vector<Span>& found) {
    for (const Span& span : found) {
      add_span(column(bytes), sentence.bytes.begin + span.begin, sentence.bytes.begin + span.end);
      add_span(column(characters), sentence.character + characters_[span.begin],
               sentence.character + characters_[span.end]);
    }
    column(bytes).add_list();
    column(characters).add_list();
  }

  static void add_span(Column& list, std::size_t begin, std::size_t end) {
    Column& span = list.child(0);
    span.child(0).add_integer(static_cast<std::int64_t>(begin));
    span.child(1).add_integer(static_cast<std::int64_t>(end));
    span.add_struct();
  }

  void add_factuality(const Factuality& factuality) {
    column(kPolarity).add_text(name_of(factuality.polarity));
    column(kModality).add_text(name_of(factuality.modality));
    if (factuality.attributed_to) {
      column(kAttributedTo).add_text(factuality.attributed_to->text);
    } else {
      column(kAttributedTo).add_null();
    }
  }

  std::vector<std::int64_t> characters_;
};

TripleTable::TripleTable(const TableOrigin& origin) : impl_(std::make_unique<Impl>(origin)) {}
TripleTable::TripleTable(TripleTable&&) noexcept = default;
TripleTable& TripleTable::operator=(TripleTable&&) noexcept = default;
TripleTable::~TripleTable() = default;

void TripleTable::add(std::string_view document_id, const DocumentSentence& sentence,
                      const SentenceResult& result) {
  if (result.error || result.extractions.empty()) return;
  std::size_t added = 0;
  for (const Extraction& triple : result.extractions)
    added += text_bytes(document_id, sentence, triple);
  arrow::check_room(bytes(), added);
  arrow::sentence_number(sentence.index);
  impl_->count_characters(sentence.text);
  for (const Extraction& triple : result.extractions) impl_->add(document_id, sentence, triple);
}

std::size_t TripleTable::rows() const { return impl_->table.length(); }
std::size_t TripleTable::bytes() const { return impl_->table.text_bytes(); }
void TripleTable::export_schema(ArrowSchema* out) const {
  impl_->table.export_schema(out, impl_->metadata);
}
void TripleTable::export_batch(ArrowArray* out) { impl_->table.export_array(out); }

}  // namespace diffie

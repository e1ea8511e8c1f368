#include "arrow/table.h"

namespace diffie {

using arrow::Column;
using arrow::Type;

class ErrorTable::Impl {
 public:
  explicit Impl(const TableOrigin& origin) : metadata(arrow::metadata_of(origin)) {}

  enum { kDocumentId, kSentence, kCode, kMessage };

  Column table{"",
               Type::kStruct,
               {{"document_id", Type::kUtf8},
                {"sentence", Type::kInt32, {}, true},
                {"code", Type::kUtf8},
                {"message", Type::kUtf8}}};
  Column::Metadata metadata;
};

ErrorTable::ErrorTable(const TableOrigin& origin) : impl_(std::make_unique<Impl>(origin)) {}
ErrorTable::ErrorTable(ErrorTable&&) noexcept = default;
ErrorTable& ErrorTable::operator=(ErrorTable&&) noexcept = default;
ErrorTable::~ErrorTable() = default;

void ErrorTable::add(std::string_view document_id, std::optional<std::size_t> sentence,
                     ErrorCode code, std::string_view message) {
  Column& table = impl_->table;
  const std::string_view code_name = to_string(code);
  arrow::check_room(table.text_bytes(), document_id.size() + code_name.size() + message.size());
  const std::int32_t number = arrow::sentence_number(sentence.value_or(0));
  table.child(Impl::kDocumentId).add_text(document_id);
  if (sentence) {
    table.child(Impl::kSentence).add_integer(number);
  } else {
    table.child(Impl::kSentence).add_null();
  }
  table.child(Impl::kCode).add_text(code_name);
  table.child(Impl::kMessage).add_text(message);
  table.add_struct();
}

std::size_t ErrorTable::rows() const { return impl_->table.length(); }
void ErrorTable::export_schema(ArrowSchema* out) const {
  impl_->table.export_schema(out, impl_->metadata);
}
void ErrorTable::export_batch(ArrowArray* out) { impl_->table.export_array(out); }

}  // namespace diffie

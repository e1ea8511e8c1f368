#include <algorithm>
#include <utility>

#include "bind.h"
#include "capsules.h"
#include "diffie/arrow.h"
#include "reading.h"

namespace diffie::python {
namespace {

// A batch of a stream ends behind the sentence that fills it.
constexpr std::size_t kBatchRows = 1 << 16;
constexpr std::size_t kBatchBytes = std::size_t{64} << 20;

using Documents = std::vector<std::pair<std::string, std::shared_ptr<Reading>>>;
using Failures =
    std::vector<std::tuple<std::string, std::optional<std::size_t>, std::string, std::string>>;

void add_sentence(TripleTable& table, const std::string& id, const Reading& reading,
                  std::size_t index) {
  const Place& place = reading.sentences[index];
  const Start& start = reading.start;
  const Span bytes = {start.byte + place.bytes.begin, start.byte + place.bytes.end};
  const DocumentSentence sentence = {reading.sentence(index), start.sentence + index, bytes,
                                     start.character + place.characters.begin, ""};
  table.add(id, sentence, reading.results[index]);
}

// Hands over the triples of documents batch by batch; the documents do not change any more.
class TripleBatches {
 public:
  TripleBatches(Documents documents, const TableOrigin& origin)
      : documents_(std::move(documents)), table_(origin) {}

  void schema(ArrowSchema* out) const { table_.export_schema(out); }

  void next(ArrowArray* out) {
    while (document_ < documents_.size() && !full()) {
      const auto& [id, reading] = documents_[document_];
      if (sentence_ < reading->sentences.size()) {
        add_sentence(table_, id, *reading, sentence_++);
      } else {
        ++document_;
        sentence_ = 0;
      }
    }
    if (table_.rows() > 0) table_.export_batch(out);
  }

 private:
  bool full() const { return table_.rows() >= kBatchRows || table_.bytes() >= kBatchBytes; }

  Documents documents_;
  TripleTable table_;
  std::size_t document_ = 0;
  std::size_t sentence_ = 0;
};

nb::object triple_stream(Documents documents, const std::string& model, const std::string& preset) {
  auto batches = std::make_shared<TripleBatches>(std::move(documents), TableOrigin{model, preset});
  return stream_capsule([batches](ArrowSchema* out) { batches->schema(out); },
                        [batches](ArrowArray* out) { batches->next(out); });
}

void add_triples(TripleTable& table, const std::string& id, const Reading& reading,
                 std::size_t first, std::size_t last) {
  for (std::size_t index = first; index < std::min(last, reading.sentences.size()); ++index) {
    add_sentence(table, id, reading, index);
  }
}

ErrorCode code_named(const std::string& name) {
  for (const ErrorCode code :
       {ErrorCode::kInvalidArgument, ErrorCode::kNotFound, ErrorCode::kCorruptModel,
        ErrorCode::kBadInput, ErrorCode::kUnsupported, ErrorCode::kExhausted,
        ErrorCode::kCancelled}) {
    if (name == to_string(code)) return code;
  }
  return ErrorCode::kInternal;
}

void add_error(ErrorTable& table, const std::string& id, std::optional<std::size_t> sentence,
               const std::string& code, const std::string& message) {
  table.add(id, sentence, code_named(code), message);
}

nb::object error_stream(const Failures& failures, const std::string& model,
                        const std::string& preset) {
  auto table = std::make_shared<ErrorTable>(TableOrigin{model, preset});
  for (const auto& [id, sentence, code, message] : failures) {
    add_error(*table, id, sentence, code, message);
  }
  return stream_capsule([table](ArrowSchema* out) { table->export_schema(out); },
                        [table](ArrowArray* out) {
                          if (table->rows() > 0) table->export_batch(out);
                        });
}

// What both tables have in Python; a batch takes the rows with it.
template <typename Table>
nb::class_<Table> bind_table(nb::module_& module, const char* name) {
  return nb::class_<Table>(module, name)
      .def("__init__",
           [](Table* self, const std::string& model, const std::string& preset) {
             new (self) Table(TableOrigin{model, preset});
           })
      .def("__len__", &Table::rows)
      .def("__arrow_c_schema__",
           [](const Table& table) {
             return schema_capsule([&](ArrowSchema* out) { table.export_schema(out); });
           })
      .def(
          "__arrow_c_array__",
          [](Table& table, const nb::object&) {
            nb::object schema = schema_capsule([&](ArrowSchema* out) { table.export_schema(out); });
            return nb::make_tuple(schema,
                                  array_capsule([&](ArrowArray* out) { table.export_batch(out); }));
          },
          nb::arg("requested_schema") = nb::none());
}

}  // namespace

void bind_tables(nb::module_& module) {
  bind_table<TripleTable>(module, "TripleTable")
      .def("add", &add_triples)
      .def_prop_ro("bytes", &TripleTable::bytes);
  bind_table<ErrorTable>(module, "ErrorTable")
      .def("add", &add_error, nb::arg("id"), nb::arg("sentence").none(), nb::arg("code"),
           nb::arg("message"));
  module.def("triple_stream", &triple_stream);
  module.def("error_stream", &error_stream);
}

}  // namespace diffie::python

// Triples as a table in memory that others read without a copy: the Arrow C data interface, written
// without Arrow. docs/formats.md describes the columns.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "diffie/error.h"
#include "diffie/export.h"
#include "diffie/extractor.h"
#include "diffie/output.h"

// As the Arrow C data interface defines them; whoever reads a table has the definitions.
struct ArrowSchema;
struct ArrowArray;

namespace diffie {

// What the schema's metadata say beside the version of diffie and of the schema.
struct TableOrigin {
  std::string model = {};
  std::string preset = {};
};

// A row per triple. Rows are gathered, then handed over as one record batch; and so on. Text that
// is not UTF-8 stands there with U+FFFD, which counts as one character. Not safe to use from
// several threads at a time.
class DIFFIE_API TripleTable {
 public:
  explicit TripleTable(const TableOrigin& origin = {});
  TripleTable(TripleTable&&) noexcept;
  TripleTable& operator=(TripleTable&&) noexcept;
  ~TripleTable();

  // A row for each triple of the result, none where it has an error. Throws kExhausted, and adds
  // nothing, when a column would pass 2 GiB: hand the rows over before that.
  void add(std::string_view document_id, const DocumentSentence& sentence,
           const SentenceResult& result);

  std::size_t rows() const;   // since the last batch
  std::size_t bytes() const;  // of text in them

  // The caller releases what it is given. A batch is a struct array; it takes the rows with it.
  void export_schema(ArrowSchema* out) const;
  void export_batch(ArrowArray* out);

 private:
  class DIFFIE_HIDDEN Impl;
  std::unique_ptr<Impl> impl_;
};

// A row per document or sentence that failed.
class DIFFIE_API ErrorTable {
 public:
  explicit ErrorTable(const TableOrigin& origin = {});
  ErrorTable(ErrorTable&&) noexcept;
  ErrorTable& operator=(ErrorTable&&) noexcept;
  ~ErrorTable();

  // Without a sentence: the document as a whole failed. Throws as TripleTable::add.
  void add(std::string_view document_id, std::optional<std::size_t> sentence, ErrorCode code,
           std::string_view message);

  std::size_t rows() const;

  void export_schema(ArrowSchema* out) const;
  void export_batch(ArrowArray* out);

 private:
  class DIFFIE_HIDDEN Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie

// Documents out of one file, each in pieces: a document may be larger than memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "diagnostics.h"
#include "shard.h"

namespace diffie::cli {

struct DocumentId {
  std::string id;     // as the results name it
  std::string place;  // as messages do: the file, or FILE:ROW
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Goes to the next document that belongs to the shard; false: there is none. Rows that cannot be
  // read as documents are reported and passed over. Throws kBadInput where the file cannot be read
  // on.
  virtual bool next_document(DocumentId& document) = 0;
  // Appends a piece of the document's text; false: there was no more. Throws as above.
  virtual bool append_text(std::string& to) = 0;
  // Whether the next call has something to work on without waiting.
  virtual bool ready() const = 0;
  // Of the file, about.
  virtual std::uint64_t bytes_read() const = 0;
};

// Which fields or columns of a row are read.
struct RowFields {
  std::string text = "text";
  std::string id = {};  // empty: rows are named FILE:ROW, from 1
};

// How the sources of rows are made: what they report to and which rows are theirs. Both outlive the
// source.
struct RowReading {
  RowFields fields;
  Shard& shard;
  Diagnostics& diagnostics;
};

// The file is one document, named as the file is.
std::unique_ptr<DocumentSource> open_text(const std::string& path);
// One JSON object a line, each a document; empty lines are passed over.
std::unique_ptr<DocumentSource> open_jsonl(const std::string& path, const RowReading& reading);

// Hands out a text that is in memory piece by piece.
class TextPieces {
 public:
  void set(std::string text);
  bool append_to(std::string& to);

 private:
  std::string text_;
  std::size_t position_ = 0;
};

}  // namespace diffie::cli

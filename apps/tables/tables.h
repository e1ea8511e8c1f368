// Parquet and Arrow files, by Arrow's library. Without it all of this throws kUnsupported.
#pragma once

#include <memory>
#include <string>

#include "diffie/arrow.h"
#include "diffie/output.h"
#include "document_source.h"
#include "input_files.h"

namespace diffie::cli {

// A row is a document; `kind` is kParquet or kArrow (IPC, as a file or a stream, which may come on
// standard input). Throws kNotFound, kBadInput.
std::unique_ptr<DocumentSource> open_table(const std::string& path, InputKind kind,
                                           const RowReading& reading);

// The table of triples (diffie/arrow.h); `kind` as above. `files` must outlive it.
std::unique_ptr<Writer> make_table_writer(InputKind kind, const TableOrigin& origin,
                                          OutputFiles& files);

}  // namespace diffie::cli

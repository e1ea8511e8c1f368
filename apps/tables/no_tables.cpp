#include "diffie/error.h"
#include "tables.h"

namespace diffie::cli {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kUnsupported,
              what + ": this diffie was built without Arrow (docs/install.md: make arrow)");
}

}  // namespace

std::unique_ptr<DocumentSource> open_table(const std::string& path, InputKind /*kind*/,
                                           const RowReading& /*reading*/) {
  refuse(path);
}

std::unique_ptr<Writer> make_table_writer(InputKind kind, const TableOrigin& /*origin*/,
                                          OutputFiles& /*files*/) {
  refuse(kind == InputKind::kParquet ? "format parquet" : "format arrow");
}

}  // namespace diffie::cli

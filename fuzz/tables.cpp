// Parquet and Arrow files as documents. Arrow's library is built without instrumentation, so what
// is found in it is found blindly: the corpus holds small files of both kinds.
#include "tables/tables.h"

#include "memory_file.h"
#include "quiet.h"

namespace {

using namespace diffie;

void read_all(const std::string& path, cli::InputKind kind, bool with_id) {
  cli::Diagnostics diagnostics;
  cli::Shard shard;
  cli::RowFields fields;
  if (with_id) fields.id = "id";
  const auto source = cli::open_table(path, kind, {fields, shard, diagnostics});
  cli::DocumentId document;
  for (int i = 0; i < 1000 && source->next_document(document); ++i) {
    std::string text;
    while (source->append_text(text)) FUZZ_CHECK(text.size() < (1 << 24));
    FUZZ_CHECK(!document.place.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::uint8_t kind = choices.byte();
  file.set(choices.rest());
  fuzz::accepted([&] {
    read_all(file.path(), kind % 2 == 0 ? cli::InputKind::kParquet : cli::InputKind::kArrow,
             kind % 4 < 2);
  });
  return 0;
}

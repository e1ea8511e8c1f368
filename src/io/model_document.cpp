#include <fmt/format.h>

#include <map>

#include "diffie/error.h"
#include "diffie/model_files.h"
#include "io/atomic_file.h"
#include "io/file_names.h"
#include "io/printable.h"
#include "io/sha256.h"
#include "io/sha256sums.h"

namespace diffie {

void write_model_document(const std::filesystem::path& dir, const std::string& name,
                          std::string_view text) {
  if (!io::is_plain_name(name) || name == "SHA256SUMS") {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not the name of a document", io::printable(name)));
  }
  std::map<std::string, std::string> sums = io::read_sha256sums(dir);
  sums[name] = io::sha256(std::as_bytes(std::span(text)));
  std::string lines;
  for (const auto& [file, sum] : sums) lines += fmt::format("{}  {}\n", sum, file);
  io::write_text_file(dir / name, text);
  io::write_text_file(dir / "SHA256SUMS", lines);
}

}  // namespace diffie

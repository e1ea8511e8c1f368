#include <fmt/format.h>

#include <map>

#include "base/printable.h"
#include "checksums/sha256.h"
#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "diffie/lab/model_files.h"
#include "files/atomic_file.h"
#include "files/file_names.h"
#include "files/replace_folder.h"

namespace diffie {

void write_model_document(const std::filesystem::path& dir, const std::string& name,
                          std::string_view text) {
  if (!files::is_plain_name(name) || name == "SHA256SUMS") {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not the name of a document", base::printable(name)));
  }
  std::map<std::string, std::string> sums = checksums::read_sha256sums(dir);
  sums[name] = checksums::sha256(std::as_bytes(std::span(text)));
  std::string lines;
  for (const auto& [file, sum] : sums) lines += fmt::format("{}  {}\n", sum, file);
  files::change_folder(dir, [&](const std::filesystem::path& copy) {
    files::write_text_file(copy / name, text);
    files::write_text_file(copy / "SHA256SUMS", lines);
  });
}

}  // namespace diffie

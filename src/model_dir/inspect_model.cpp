#include "base/checked_size.h"
#include "diffie/model.h"
#include "files/read_file.h"
#include "model_dir/model_dir.h"

namespace diffie {
namespace {

constexpr std::size_t kMaxTextBytes = 64 << 20;

}  // namespace

ModelInfo inspect_model(const std::filesystem::path& dir) {
  const model_dir::ModelDir model = model_dir::ModelDir::open(dir, false);
  ModelInfo info;
  info.config_json = files::read_small_file(dir / "config.json", kMaxTextBytes);
  for (std::size_t i = 0; i < model.weights().size(); ++i) {
    for (const model_dir::TensorView& tensor : model.weights()[i].tensors()) {
      info.tensors.push_back({model.config().weights[i], tensor.name,
                              std::string(model_dir::name_of(tensor.dtype)), tensor.shape,
                              tensor.bytes.size()});
    }
  }
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(model.config())) {
    info.parameters += base::checked_size(spec.shape).value();
  }
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(dir)) {
    if (entry.is_regular_file()) info.bytes_on_disk += entry.file_size();
  }
  return info;
}

}  // namespace diffie
